import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { openFilePart } from "../../../src/platform/http/file-part.ts";

const type = "multipart/form-data; boundary=edge";

async function* inPieces(body: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (let turn = 0; from < body.byteLength; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield body.subarray(from, from + size);
    from += size;
  }
}

async function read(body: Buffer | string, { contentType = type, sizes = [700] } = {}) {
  const part = await openFilePart(inPieces(Buffer.from(body), sizes), contentType);
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.content) chunks.push(chunk);
  return { type: part.type, content: Buffer.concat(chunks) };
}

const codeOf = (body: string, contentType?: string) =>
  read(body, contentType === undefined ? {} : { contentType }).then(
    () => "read",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

function form(...parts: readonly (readonly [head: string, content: string | Buffer])[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--edge\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from("--edge--\r\n"),
  ]);
}
const named = (name: string, more = "") => `Content-Disposition: form-data; name="${name}"${more}`;

describe("the file of a form", () => {
  test("is read to the byte, however it is cut into chunks and whatever looks like a boundary in it", async () => {
    const pieces = fc.constantFrom("\r\n", "\r", "--", "\r\n--edg", "--edge", "\r\n--", "x", "\0");
    const contents = fc
      .array(pieces, { maxLength: 30 })
      .map((all) => all.join(""))
      .filter((content) => !content.includes("\r\n--edge"));
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (content, sizes) => {
          const body = form(
            [named("before"), "b"],
            [`${named("file", '; filename="é.txt"')}\r\nContent-Type: text/plain`, content],
            [named("after"), "a"],
          );
          const found = await read(body, { sizes });
          expect(found).toEqual({ type: "text/plain", content: Buffer.from(content) });
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is the first part of this name, and may have no type", async () => {
    const found = await read(
      form([named("other", '; filename="file"'), "no"], [named("file"), "one"], [named("file"), "two"]),
    );
    expect(found).toEqual({ type: null, content: Buffer.from("one") });
  });

  test("is found by quoted and plain words, behind a preamble, and with blanks behind the boundary", async () => {
    const plain = "hello\r\n--edge \r\ncontent-disposition: form-data; filename=a; name=file\r\n\r\nx\r\n--edge--";
    expect((await read(plain)).content.toString()).toBe("x");
    const quoted = { contentType: 'Multipart/Form-Data; charset=utf-8; boundary="edge"' };
    expect((await read(form([named("file"), "y"]), quoted)).content.toString()).toBe("y");
  });

  test.each([
    ["no part of this name", form([named("other"), "x"]).toString(), "upload.empty"],
    ["no parts", "--edge--", "upload.empty"],
    ["no boundary", "x".repeat(100), "upload.interrupted"],
    [
      "no end",
      form([named("file"), "x"])
        .toString()
        .replace("\r\n--edge--", ""),
      "upload.interrupted",
    ],
    ["a head that does not end", `--edge\r\n${named("file")}`, "upload.interrupted"],
    ["nothing", "", "upload.interrupted"],
    [
      "a boundary of another name",
      form([named("file"), "x"])
        .toString()
        .replaceAll("edge", "rim"),
      "upload.interrupted",
    ],
    [
      "much before it",
      form([named("a"), "x".repeat(limits.uploads.otherPartsBytes)], [named("file"), "x"]).toString(),
      "request.too_large",
    ],
    [
      "much behind it",
      form([named("file"), "x"], [named("a"), "x".repeat(limits.uploads.otherPartsBytes)]).toString(),
      "request.too_large",
    ],
    ["a long head", `--edge\r\n${"x".repeat(limits.uploads.otherPartsBytes + 100)}`, "request.too_large"],
  ])("is refused with %s", async (_what, body, code) => {
    expect(await codeOf(body)).toBe(code);
  });

  test.each([
    "application/json",
    "multipart/form-data",
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${"x".repeat(201)}`,
    "multipart/mixed; boundary=edge",
  ])("is refused in %s", async (contentType) => {
    expect(await codeOf(form([named("file"), "x"]).toString(), contentType)).toBe("request.malformed");
  });
});
