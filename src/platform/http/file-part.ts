import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";

/** The file of a form: its media type, if the form declares a type, and its content as a stream. */
export type FilePart = { readonly type: string | null; readonly content: AsyncIterable<Uint8Array> };

/**
 * Reads the first part named `file` of a `multipart/form-data` body as a stream. Only one chunk is kept in memory.
 * Other parts and the text around them are skipped. Throws `request.malformed` for another content type, `upload.empty`
 * if there is no such part, and `request.too_large` if the other parts are too large. Throws `upload.interrupted` if
 * the body ends before its last boundary.
 */
export async function openFilePart(body: AsyncIterable<Uint8Array>, contentType: string | null): Promise<FilePart> {
  const scanner = scan(body);
  const mark = Buffer.from(`${lineEnd}--${boundaryOf(contentType)}`);
  let others = 0;
  const readOver = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const { byteLength } of chunks) {
      others += byteLength;
      if (others > maxOtherBytes) throw new AppError("request.too_large", { data: { maxBytes: maxOtherBytes } });
    }
  };
  await readOver(scanner.until(mark));
  for (;;) {
    if (await scanner.startsWith("--")) throw new AppError("upload.empty");
    const head: Uint8Array[] = [];
    await readOver(noting(scanner.until(endOfHead), head));
    const { name, type } = headOf(Buffer.concat(head).toString());
    if (name === "file") return { type, content: fileContent() };
    await readOver(scanner.until(mark));
  }

  async function* fileContent() {
    yield* scanner.until(mark);
    await readOver(scanner.rest());
  }
}

/** The maximum size of everything in the form except the file: other fields, part headers and boundaries. */
const maxOtherBytes = limits.uploads.otherPartsBytes;
const lineEnd = "\r\n";
const endOfHead = Buffer.from(lineEnd + lineEnd);

function boundaryOf(contentType: string | null): string {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200})(?=[\s;]|$))/i.exec(
      contentType ?? "",
    ) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw new AppError("request.malformed", {
    message: "Send a form of the type multipart/form-data with a part named file, or send the file itself by PUT.",
  });
}

/** Parses the name and the media type of a part from its headers. */
function headOf(head: string): { readonly name: string | undefined; readonly type: string | null } {
  const [, quoted, plain] = /^content-disposition:[^\r\n]*?;\s*name=(?:"([^"\r\n]*)"|([^\s;"]*))/im.exec(head) ?? [];
  const [, type] = /^content-type:\s*([^\r\n]+)/im.exec(head) ?? [];
  return { name: quoted ?? plain, type: type ?? null };
}

async function* noting(chunks: AsyncIterable<Uint8Array>, noted: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    noted.push(chunk);
    yield chunk;
  }
}

/**
 * Returns a reader that reads a body up to the next occurrence of a mark. The first boundary may be the first line of
 * the body, so a line end is inserted before it.
 */
function scan(body: AsyncIterable<Uint8Array>) {
  const source = body[Symbol.asyncIterator]();
  let held: Buffer = Buffer.from(lineEnd);
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await source.next();
    if (done) return false;
    held = Buffer.concat([held, value]);
    return true;
  };
  const requireMore = async () => {
    if (!(await readMore())) throw new AppError("upload.interrupted");
  };
  return {
    /** Yields the bytes before the next mark and consumes the mark. */
    async *until(mark: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = held.indexOf(mark);
        // The last bytes may contain the start of a mark.
        const end = at < 0 ? held.byteLength - mark.byteLength + 1 : at;
        const chunk = held.subarray(0, Math.max(end, 0));
        held = held.subarray(at < 0 ? chunk.byteLength : at + mark.byteLength);
        if (chunk.byteLength > 0) yield chunk;
        if (at >= 0) return;
        await requireMore();
      }
    },
    async startsWith(text: string): Promise<boolean> {
      while (held.byteLength < text.length) await requireMore();
      return held.subarray(0, text.length).toString() === text;
    },
    async *rest(): AsyncGenerator<Uint8Array> {
      do {
        const chunk = held;
        held = Buffer.alloc(0);
        yield chunk;
      } while (await readMore());
    },
  };
}
