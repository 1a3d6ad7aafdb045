/** The extension that stored files of a type get. */
const extensions: ReadonlyMap<string, string> = new Map([
  ["audio/aac", "aac"],
  ["audio/mp3", "mp3"],
  ["audio/mp4", "m4a"],
  ["audio/mpeg", "mp3"],
  ["audio/ogg", "ogg"],
  ["audio/wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/webm", "webm"],
  ["image/avif", "avif"],
  ["image/bmp", "bmp"],
  ["image/gif", "gif"],
  ["image/heic", "heic"],
  ["image/heif", "heif"],
  ["image/jpeg", "jpeg"],
  ["image/jpg", "jpg"],
  ["image/png", "png"],
  ["image/svg+xml", "svg"],
  ["image/tiff", "tif"],
  ["image/webp", "webp"],
  ["image/wmf", "wmf"],
  ["video/mp4", "mp4"],
  ["video/mpeg", "mpeg"],
  ["video/ogg", "ogv"],
  ["video/quicktime", "mov"],
  ["video/webm", "webm"],
  ["application/pdf", "pdf"],
  ["application/msword", "doc"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"],
  ["application/vnd.ms-powerpoint", "ppt"],
  ["application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"],
  ["application/zip", "zip"],
  ["application/x-rar-compressed", "rar"],
  ["application/x-7z-compressed", "7z"],
  ["application/json", "json"],
  ["application/xml", "xml"],
  ["application/javascript", "js"],
  ["application/x-tar", "tar"],
  ["application/gzip", "gz"],
  ["application/vnd.android.package-archive", "apk"],
  ["application/x-executable", "exe"],
  ["application/vnd.apple.installer+xml", "mpkg"],
  ["application/rtf", "rtf"],
  ["application/x-sh", "sh"],
  ["application/x-font-ttf", "ttf"],
  ["application/vnd.oasis.opendocument.text", "odt"],
  ["application/vnd.oasis.opendocument.spreadsheet", "ods"],
  ["application/vnd.oasis.opendocument.presentation", "odp"],
]);

/** The extension of stored files of any other type. */
export const unknownExtension = "bin";

const namesakes = [
  ["jpeg", "jpg", "jpe"],
  ["tif", "tiff"],
];

/** The extensions allowed by a list of extensions (with or without their dot), MIME types, and kinds such as `image/*`. */
export function allowedExtensions(types: readonly string[]): ReadonlySet<string> {
  const allowed = new Set(types.flatMap((type) => extensionsOf(type.trim().toLowerCase())));
  for (const names of namesakes) {
    if (names.some((name) => allowed.has(name))) for (const name of names) allowed.add(name);
  }
  return allowed;
}

/** The extension that stored files of this MIME type get, where the table knows it. */
export function extensionOf(type: string): string | undefined {
  return extensions.get(type);
}

function extensionsOf(type: string): string[] {
  if (!type.includes("/")) return [type.replace(/^\./, "")];
  if (!type.endsWith("/*")) return [extensions.get(type) ?? unknownExtension];
  const kind = type.slice(0, -1);
  return [...extensions].filter(([known]) => known.startsWith(kind)).map(([, extension]) => extension);
}
