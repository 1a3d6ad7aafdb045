import type { IncomingMessage, ServerResponse } from "node:http";
import { isJsonObject, type JsonObject } from "../../src/core/interpreter/flow.ts";
import { contentOf } from "../../src/management/files/file-content.ts";

/** A file that a person sends to the bot. Its bytes are generated while they are read. */
export type FakeFile = {
  readonly bytes: number;
  /** The first bytes of the file. All other bytes are zeros. */
  readonly head?: Uint8Array;
  readonly name?: string;
  readonly type?: string;
  /** The path that `getFile` returns. Defaults to a unique path. */
  readonly path?: string;
  /** The URL to which the file's own URL redirects. */
  readonly redirect?: string;
  /** Returns whether the links to the file have expired. Requests for an expired link are rejected. */
  readonly isExpired?: () => boolean;
  /** Called before each chunk with the number of sent bytes. */
  readonly onPiece?: (sent: number) => void;
};

/** A file that the bot has sent, with its type. */
export type SentFile = { readonly type: string; readonly bytes: number; readonly name: string; readonly as: string };

const megabyte = 1_048_576;

/** The maximum sizes of files in bytes, from https://core.telegram.org/bots/api#sending-files, read on 2026-11-30. */
const most = {
  upload: { photo: 10 * megabyte, other: 50 * megabyte },
  address: { photo: 5 * megabyte, other: 20 * megabyte },
  download: 20 * megabyte,
};

export type FakeFiles = {
  /** The accepted files of messages. A message that repeats a file by its id adds no file. */
  readonly sent: readonly SentFile[];
  /** Adds a file that a person sends. Returns its id. */
  add(file: FakeFile): string;
  getFile(body: JsonObject): JsonObject | string;
  /** Serves `/file/bot<token>/<path>`. */
  serve(path: string, response: ServerResponse): Promise<void>;
  /**
   * Processes the file of a message. Returns the problem with the file, or the properties of the message that describe
   * the file.
   */
  take(as: string, body: JsonObject): Promise<{ readonly problem: string } | { readonly parts: JsonObject }>;
};

/**
 * Creates the file store. `reach` returns the URL from which a file is downloaded. By default, URLs are accepted
 * without being downloaded.
 */
export function createFakeFiles({ reach }: { readonly reach?: (url: string) => string | undefined }): FakeFiles {
  const files: FakeFile[] = [];
  const sent: SentFile[] = [];
  const known = new Map<string, SentFile>();
  const pathOf = (index: number): string => files[index]?.path ?? `documents/file_${index}`;

  const keep = (file: SentFile): JsonObject => {
    sent.push(file);
    const fileId = `F${known.size}-${file.as}`;
    known.set(fileId, file);
    return partsOf(file.as, { file_id: fileId, file_size: file.bytes });
  };
  return {
    sent,
    add(file) {
      files.push(file);
      return `in-${files.length - 1}`;
    },
    getFile({ file_id: id }) {
      const index = Number(/^in-(\d+)$/.exec(String(id))?.[1]);
      const file = files[index];
      if (!file) return "Bad Request: invalid file_id";
      if (file.bytes > most.download) return "Bad Request: file is too big";
      return { file_id: String(id), file_unique_id: `u${index}`, file_size: file.bytes, file_path: pathOf(index) };
    },
    async serve(path, response) {
      const file = files.find((_, index) => pathOf(index) === path);
      if (!file || file.isExpired?.()) {
        response.writeHead(404).end();
        return;
      }
      if (file.redirect !== undefined) {
        response.writeHead(302, { Location: file.redirect }).end();
        return;
      }
      response.writeHead(200, { "Content-Type": "application/octet-stream", "Content-Length": String(file.bytes) });
      await writePieces(response, file);
    },
    async take(as, body) {
      const given = body[as];
      if (isJsonObject(given)) {
        const file = uploadedIn(given);
        if (file === undefined) return { problem: `Bad Request: there is no ${as} in the request` };
        return judged(as, file, most.upload) ?? { parts: keep({ ...file, as }) };
      }
      if (typeof given !== "string" || given === "") {
        return { problem: `Bad Request: there is no ${as} in the request` };
      }
      const before = known.get(given);
      // A file id can only be reused for the same type of file.
      if (before) {
        if (before.as === as) return { parts: partsOf(as, { file_id: given, file_size: before.bytes }) };
        return { problem: `Bad Request: type of file mismatch` };
      }
      if (!/^https?:\/\//.test(given)) {
        return { problem: "Bad Request: wrong remote file identifier specified: Wrong string length" };
      }
      if (reach === undefined) return { parts: keep({ type: "", bytes: 0, name: given, as }) };
      const found = await fetchFile(reach(given));
      if (found === undefined) return { problem: "Bad Request: failed to get HTTP URL content" };
      if (as === "document" && !/^application\/(pdf|zip)$/.test(found.type)) {
        return { problem: "Bad Request: wrong type of the web page content" };
      }
      return judged(as, { ...found, name: given }, most.address) ?? { parts: keep({ ...found, name: given, as }) };
    },
  };
}

async function writePieces(response: ServerResponse, { bytes, head = new Uint8Array(), onPiece }: FakeFile) {
  const piece = 64 * 1024;
  for (let at = 0; at < bytes; at += piece) {
    onPiece?.(at);
    const content = Buffer.alloc(Math.min(piece, bytes - at));
    if (at === 0) content.set(head.subarray(0, content.byteLength));
    if (response.destroyed) return;
    if (!response.write(content)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      response.once("drain", resolve).once("close", resolve);
      await promise;
      response.off("drain", resolve).off("close", resolve);
    }
  }
  response.end();
}

type Found = { readonly type: string; readonly bytes: number };

async function fetchFile(url: string | undefined): Promise<Found | undefined> {
  if (url === undefined) return undefined;
  const response = await fetch(url, { redirect: "follow" }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const said = response.headers.get("content-type")?.split(";")[0] ?? "";
  // Telegram uses the content type of the response, or detects the type from the bytes.
  return { type: said === "" ? (contentOf(bytes)?.type ?? "") : said, bytes: bytes.byteLength };
}

function judged(
  as: string,
  { type, bytes }: Found & { readonly name: string },
  limits: { readonly photo: number; readonly other: number },
): { readonly problem: string } | undefined {
  if (bytes === 0) return { problem: "Bad Request: file must be non-empty" };
  if (bytes > (as === "photo" ? limits.photo : limits.other)) {
    return { problem: as === "photo" ? "Bad Request: photo_too_big" : "Request Entity Too Large" };
  }
  if (as === "photo" && !/^image\/(jpeg|png)$/.test(type)) return { problem: "Bad Request: IMAGE_PROCESS_FAILED" };
  const wanted = { video: /^video\/mp4$/, audio: /^audio\/(mpeg|mp4)$/, animation: /^(image\/gif|video\/mp4)$/ }[as];
  return wanted && !wanted.test(type) ? { problem: `Bad Request: wrong type of the ${as}` } : undefined;
}

/**
 * Returns the properties of a message that describe a file. Photos have several sizes, with the largest last, and an
 * animation is also a document.
 */
function partsOf(as: string, file: JsonObject): JsonObject {
  if (as === "photo") return { photo: [{ ...file, file_id: `small-${file["file_id"]}` }, file] };
  return as === "animation" ? { animation: file, document: file } : { [as]: file };
}

function uploadedIn(given: JsonObject): (Found & { readonly name: string }) | undefined {
  const { uploaded, type, name } = given;
  return typeof uploaded === "number" ? { bytes: uploaded, type: String(type), name: String(name) } : undefined;
}

/** Returns a call's parameters from JSON or a form. The file of a form is described by its actual type and length. */
export async function parametersOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return jsonIn(body.toString());
  const form = await new Response(body, { headers: { "Content-Type": type } }).formData();
  const parts = [...form.entries()].map(async ([name, value]) => {
    const file: unknown = value;
    if (!(file instanceof File)) return [name, scalarIn(String(value))];
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = contentOf(bytes.subarray(0, 4_096))?.type ?? "application/octet-stream";
    return [name, { uploaded: bytes.byteLength, type: found, name: file.name }];
  });
  return Object.fromEntries(await Promise.all(parts));
}

/** Parses a value of a form, in which objects are JSON texts and numbers are digits. */
function scalarIn(text: string): unknown {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return /^[[{]/.test(text) ? JSON.parse(text) : text;
}

function jsonIn(text: string): JsonObject {
  try {
    const parsed: unknown = JSON.parse(text || "{}");
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
