import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../../src/errors.ts";
import { limits } from "../../../src/limits/index.ts";
import { openFilePart } from "../../../src/platform/http/file-part.ts";

const type = "multipart/form-data; boundary=edge";
const end = "--edge--\r\n";

function part(disposition: string, content: string, more = ""): string {
  return `--edge\r\nContent-Disposition: form-data; ${disposition}${more}\r\n\r\n${content}\r\n`;
}

async function read(body: string | Uint8Array, contentType: string | null = type, sizes: readonly number[] = [7]) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  try {
    const file = await openFilePart(inPieces(bytes, sizes), contentType);
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.content) chunks.push(chunk);
    return { type: file.type, content: Buffer.concat(chunks).toString("latin1") };
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function* inPieces(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe("the file of a form", () => {
  test("a file uploaded in a form arrives unchanged, in chunks of any size", async () => {
    // The files consist of characters of boundaries, so that almost every file contains the beginning of a boundary.
    const content = fc.string({ unit: fc.constantFrom("\r", "\n", "-", "e", "d", "g", "\u00ff", "\0"), maxLength: 60 });
    const others = fc.array(content, { maxLength: 3 });
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(content, others, others, sizes, async (file, before, after, pieces) => {
        fc.pre([file, ...before, ...after].every((text) => !`\r\n${text}\r\n`.includes("\r\n--edge")));
        const body = [
          ...before.map((text, index) => part(`name="f${index}"`, text)),
          part('name="file"; filename="a.bin"', file, "\r\nContent-Type: image/png"),
          ...after.map((text) => part('name="file"', text)),
          end,
        ].join("");
        expect(await read(Buffer.from(body, "latin1"), type, pieces)).toEqual({ type: "image/png", content: file });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["a quoted boundary", 'multipart/form-data; boundary="edge"', part('name="file"', "x")],
    [
      "another parameter before the boundary",
      "multipart/form-data; charset=utf-8; boundary=edge",
      part('name="file"', "x"),
    ],
    [
      "another parameter after the boundary",
      "Multipart/Form-Data;boundary=edge;charset=utf-8",
      part('name="file"', "x"),
    ],
    ["a name without quotes", type, part("name=file; filename=a", "x")],
    [
      "lower-case headers, and the name after the file's name",
      type,
      `--edge\r\ncontent-disposition: form-data; filename="a; b"; name="file"\r\n\r\nx\r\n`,
    ],
    ["text before the first boundary", type, `Here is it\r\n${part('name="file"', "x")}`],
  ])("the file of a form is found with %s", async (_, contentType, body) => {
    expect(await read(body + end, contentType)).toEqual({ type: null, content: "x" });
  });

  test.each([
    ["no content type", null, part('name="file"', "x") + end, "request.malformed"],
    ["the content type of a query", "application/x-www-form-urlencoded", "file=x", "request.malformed"],
    ["no boundary", "multipart/form-data", part('name="file"', "x") + end, "request.malformed"],
    ["an empty boundary", "multipart/form-data; boundary=", part('name="file"', "x") + end, "request.malformed"],
    ["a boundary of 201 characters", `multipart/form-data; boundary=${"e".repeat(201)}`, "x", "request.malformed"],
    [
      "no part with the expected name",
      type,
      part('name="other"', "x") + part('filename="file"', "x") + end,
      "upload.empty",
    ],
    ["a name that only ends with the expected name", type, part('name="my file"', "x") + end, "upload.empty"],
    ["no part at all", type, end, "upload.empty"],
    ["no first boundary", type, "words", "upload.interrupted"],
    [
      "another boundary than declared",
      type,
      part('name="file"', "x").replaceAll("edge", "side") + end.replace("edge", "side"),
      "upload.interrupted",
    ],
    ["an end within the head", type, '--edge\r\nContent-Disposition: form-data; name="file"', "upload.interrupted"],
    [
      "an end within the file",
      type,
      '--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc',
      "upload.interrupted",
    ],
    ["an end within the last boundary", type, `${part('name="file"', "x")}--edg`, "upload.interrupted"],
    ["an end after another part", type, `${part('name="a"', "x")}--edge`, "upload.interrupted"],
    ["an empty body", type, "", "upload.interrupted"],
  ])("a form is rejected with %s", async (_, contentType, body, code) => {
    expect<unknown>(await read(body, contentType)).toBe(code);
  });

  test("a form is rejected if its other parts exceed the limit", async () => {
    const most = limits.uploads.otherPartsBytes;
    const file = part('name="file"', "x");
    const large = "x".repeat(most);
    for (const body of [
      part('name="a"', large) + file + end,
      file + part('name="a"', large) + end,
      `${large}x\r\n${file}${end}`,
      part(`name="file"; filename="${large}"`, "x") + end,
      part('name="a"', "x".repeat(100)).repeat(Math.ceil(most / 100)) + file + end,
    ]) {
      expect(await read(body, type, [4_096])).toBe("request.too_large");
    }
    // The length of both parts' headers and of the end of the form.
    const around =
      ["a", "file"].map((name) => `\r\nContent-Disposition: form-data; name="${name}"`).join("").length + 4;
    const bodyWith = (length: number) => part('name="a"', "x".repeat(length)) + file + end;
    expect(await read(bodyWith(most - around), type, [4_096])).toEqual({ type: null, content: "x" });
    expect(await read(bodyWith(most - around + 1), type, [4_096])).toBe("request.too_large");
  });

  test("a file of 1 MB is read from a form chunk by chunk", async () => {
    let sent = 0;
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
      for (; sent < 1_000; sent++) yield new Uint8Array(1_000);
      yield Buffer.from(`\r\n${end}`);
    }
    let received = 0;
    for await (const { byteLength } of (await openFilePart(body(), type)).content) {
      received += byteLength;
      expect(sent * 1_000 - received).toBeLessThan(3_000);
    }
    expect(received).toBe(1_000_000);
  });
});
