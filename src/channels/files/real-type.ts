import { extensionOf, unknownExtension } from "../../core/blocks/inputs/files/mime-types.ts";
import { contentOf } from "../../management/files/file-content.ts";
import { cleanType, unknownType } from "../../management/files/upload-rules.ts";

/** How many bytes at the start of a file are read to detect its type and the size of a picture. */
export const headBytes = 64 * 1024;

/**
 * Formats whose first bytes fit several types. The declared type is used if it matches `said`; otherwise the type is
 * `own`.
 */
const containers: readonly {
  readonly marks: readonly string[];
  readonly at?: number;
  readonly own: string;
  readonly said: RegExp;
  readonly endings: string;
}[] = [
  { marks: ["%PDF-"], own: "application/pdf", said: /^application\/pdf$/, endings: "pdf" },
  {
    marks: ["PK\x03\x04"],
    own: "application/zip",
    said: /^application\/(zip|epub\+zip|vnd\.(openxmlformats-officedocument|oasis\.opendocument|android)[\w.-]*)$/,
    endings: "zip docx xlsx pptx odt ods odp",
  },
  {
    marks: ["\xd0\xcf\x11\xe0"],
    own: unknownType,
    said: /^application\/(msword|vnd\.ms-[\w.-]+)$/,
    endings: "doc xls ppt",
  },
  { marks: ["\x1f\x8b"], own: "application/gzip", said: /^application\/(gzip|x-tgsticker)$/, endings: "gz" },
  { marks: ["II*\0", "MM\0*"], own: "image/tiff", said: /^image\/tiff$/, endings: "tif tiff" },
  {
    marks: ["ftypheic", "ftypheix", "ftyphevc", "ftypmif1"],
    at: 4,
    own: "image/heic",
    said: /^image\/hei[cf]$/,
    endings: "heic heif",
  },
  {
    marks: ["ftyp"],
    at: 4,
    own: "video/mp4",
    said: /^(audio|video)\/(mp4|x-m4a|m4a|3gpp2?|quicktime|x-m4v)$/,
    endings: "m4a mp4 m4v mov 3gp",
  },
  {
    marks: ["\x1aE\xdf\xa3"],
    own: "video/x-matroska",
    said: /^(audio|video)\/(webm|x-matroska)$/,
    endings: "webm",
  },
  { marks: ["<!doctype html", "<html>", "<html "], own: "text/html", said: /^text\/html$/, endings: "html htm" },
];

/**
 * File name extensions of types that the first bytes reveal. A file of another type must not have such an extension.
 */
const toldEndings: readonly { readonly said: RegExp; readonly endings: string }[] = [
  ...containers,
  { said: /^image\/jpeg$/, endings: "jpg jpeg jpe" },
  { said: /^image\/svg\+xml$/, endings: "svg" },
  { said: /^audio\/mpeg$/, endings: "mp3" },
  { said: /^(audio|video)\/ogg$/, endings: "ogg oga ogv opus" },
  ...["image/png", "image/gif", "image/webp", "image/avif", "image/bmp", "audio/wav", "audio/flac", "audio/aac"].map(
    (type) => ({ said: new RegExp(`^${type}$`), endings: type.replace(/^.*\//, "") }),
  ),
];

/**
 * Detects a file's type by its first bytes. The declared type is used only if the first bytes fit it, or if they reveal
 * no type and the declared type is one that first bytes do not reveal.
 */
export function realType(head: Uint8Array, declared: string | undefined): string {
  const said = cleanType(declared);
  const start = Buffer.from(head.subarray(0, 512)).toString("latin1");
  const trimmed = start.trimStart().toLowerCase();
  const container = containers.find(({ marks, at = 0, own }) =>
    marks.some((mark) => (own === "text/html" ? trimmed.startsWith(mark) : start.startsWith(mark, at))),
  );
  // The two letters `BM` are not enough to distinguish a picture from a text.
  if (container?.said.test(said) || (said === "image/bmp" && start.startsWith("BM"))) return said;
  const found = contentOf(head)?.type ?? container?.own;
  if (found !== undefined) return found;
  // A file of these types would have revealed its type, so the declared type is wrong.
  return /^(image|audio|video|font)\//.test(said) || container !== undefined || toldTypes.test(said)
    ? unknownType
    : said;
}

const toldTypes = /^(application\/(pdf|zip|gzip|msword|vnd\.)|text\/html)/;

/**
 * Returns a file's name. A file without a name is named after its kind, with the extension of its type. If the name's
 * extension belongs to another type that the first bytes would have revealed, the correct extension or `.bin` is
 * appended.
 */
export function realName(name: string | undefined, { type, kind }: { type: string; kind: string }): string {
  const known = extensionOf(type);
  const given = (name ?? "").trim();
  if (given === "") return known === undefined ? kind : `${kind}.${known}`;
  const ending = /\.([a-z0-9]{1,10})$/i.exec(given)?.[1]?.toLowerCase();
  const told = toldEndings.find(({ endings }) => ending !== undefined && endings.split(" ").includes(ending));
  return told === undefined || told.said.test(type) ? given : `${given}.${known ?? unknownExtension}`;
}

/**
 * Returns the width and height of a PNG or JPEG by its first bytes, or undefined if these bytes do not contain the
 * size.
 */
export function pictureSize(head: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  if (bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
