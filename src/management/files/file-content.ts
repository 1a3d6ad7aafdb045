/** The type of a file according to its content, and the extension under which it is served. */
export type FileContent = { readonly type: string; readonly extension: string };

type Signature = FileContent & { readonly marks: readonly (readonly [at: number, text: string])[] };

/**
 * The first bytes of the types that authors may upload, except WebM and SVG, which `contentOf` detects separately. We
 * check these bytes ourselves, because the check must not parse the content of an untrusted file.
 */
const signatures: readonly Signature[] = [
  { type: "image/png", extension: "png", marks: [[0, "\x89PNG\r\n\x1a\n"]] },
  { type: "image/jpeg", extension: "jpg", marks: [[0, "\xff\xd8\xff"]] },
  { type: "image/gif", extension: "gif", marks: [[0, "GIF87a"]] },
  { type: "image/gif", extension: "gif", marks: [[0, "GIF89a"]] },
  {
    type: "image/webp",
    extension: "webp",
    marks: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
  {
    type: "audio/wav",
    extension: "wav",
    marks: [
      [0, "RIFF"],
      [8, "WAVE"],
    ],
  },
  { type: "image/avif", extension: "avif", marks: [[4, "ftypavif"]] },
  { type: "image/avif", extension: "avif", marks: [[4, "ftypavis"]] },
  { type: "audio/mp4", extension: "m4a", marks: [[4, "ftypM4A "]] },
  ...["isom", "iso2", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ", "MSNV", "dash"].map(
    (brand): Signature => ({
      type: "video/mp4",
      extension: "mp4",
      marks: [[4, `ftyp${brand}`]],
    }),
  ),
  { type: "video/quicktime", extension: "mov", marks: [[4, "ftypqt  "]] },
  {
    type: "audio/ogg",
    extension: "ogg",
    marks: [
      [0, "OggS"],
      [28, "OpusHead"],
    ],
  },
  {
    type: "audio/ogg",
    extension: "ogg",
    marks: [
      [0, "OggS"],
      [28, "\x01vorbis"],
    ],
  },
  {
    type: "video/ogg",
    extension: "ogv",
    marks: [
      [0, "OggS"],
      [28, "\x80theora"],
    ],
  },
  { type: "audio/flac", extension: "flac", marks: [[0, "fLaC"]] },
  { type: "audio/mpeg", extension: "mp3", marks: [[0, "ID3"]] },
  ...["\xff\xfb", "\xff\xfa", "\xff\xf3", "\xff\xf2"].map(
    (frame): Signature => ({
      type: "audio/mpeg",
      extension: "mp3",
      marks: [[0, frame]],
    }),
  ),
  ...["\xff\xf1", "\xff\xf9"].map((frame): Signature => ({ type: "audio/aac", extension: "aac", marks: [[0, frame]] })),
  { type: "font/woff2", extension: "woff2", marks: [[0, "wOF2"]] },
];

/** The content that authors may upload, as a list for messages. */
export const allowedContent =
  "PNG, JPEG, GIF, WebP, AVIF, SVG, MP3, AAC, M4A, OGG, WAV, FLAC, MP4, MOV, WebM and WOFF2";

/**
 * Returns the type of a file according to its first bytes, independent of its name; undefined if authors may not upload
 * the type.
 */
export function contentOf(head: Uint8Array): FileContent | undefined {
  const bytes = Buffer.from(head).toString("latin1");
  const found = signatures.find(({ marks }) => marks.every(([at, text]) => bytes.startsWith(text, at)));
  if (found) return { type: found.type, extension: found.extension };
  // The header of Matroska states whether the file is WebM, the subset that browsers play.
  if (bytes.startsWith("\x1aE\xdf\xa3") && bytes.slice(0, 64).includes("webm"))
    return { type: "video/webm", extension: "webm" };
  return isSvg(head) ? { type: "image/svg+xml", extension: "svg" } : undefined;
}

/** Whether a file is text whose first element is `svg`, after an optional declaration, document type and comments. */
function isSvg(head: Uint8Array): boolean {
  let text = new TextDecoder().decode(head).trimStart();
  for (;;) {
    if (/^<svg[\s/>]/.test(text)) return true;
    const end = text.startsWith("<!--") ? "-->" : /^<[?!]/.test(text) ? ">" : undefined;
    const at = end === undefined ? -1 : text.indexOf(end);
    if (end === undefined || at === -1) return false;
    text = text.slice(at + end.length).trimStart();
  }
}
