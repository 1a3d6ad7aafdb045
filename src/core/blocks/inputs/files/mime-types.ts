/**
 * The file extension for each MIME type. In an entry with a colon, the extension follows the colon. Otherwise the
 * extension equals the subtype.
 */
const extensions: ReadonlyMap<string, string> = new Map([
  ...typesOf("audio", `aac mp3 mp4:m4a mpeg:mp3 ogg wav wave:wav webm`),
  ...typesOf("image", `avif bmp gif heic heif jpeg jpg png svg+xml:svg tiff:tif webp wmf`),
  ...typesOf("video", `mp4 mpeg ogg:ogv quicktime:mov webm`),
  ...typesOf(
    "application",
    `pdf msword:doc vnd.openxmlformats-officedocument.wordprocessingml.document:docx vnd.ms-excel:xls
    vnd.openxmlformats-officedocument.spreadsheetml.sheet:xlsx vnd.ms-powerpoint:ppt
    vnd.openxmlformats-officedocument.presentationml.presentation:pptx zip x-rar-compressed:rar
    x-7z-compressed:7z json xml javascript:js x-tar:tar gzip:gz vnd.android.package-archive:apk
    x-executable:exe vnd.apple.installer+xml:mpkg rtf x-sh:sh x-font-ttf:ttf
    vnd.oasis.opendocument.text:odt vnd.oasis.opendocument.spreadsheet:ods
    vnd.oasis.opendocument.presentation:odp`,
  ),
]);

function typesOf(family: string, names: string): [type: string, extension: string][] {
  return names.split(/\s+/).map((name) => {
    const [type = "", extension = type] = name.split(":");
    return [`${family}/${type}`, extension];
  });
}

/** The file extension for MIME types that are not in the table. */
export const unknownExtension = "bin";

const namesakes = [
  ["jpeg", "jpg", "jpe"],
  ["tif", "tiff"],
];

/**
 * Returns all file extensions that a list allows. The list may contain extensions (with or without a dot), MIME types,
 * and wildcards such as `image/*`.
 */
export function allowedExtensions(types: readonly string[]): ReadonlySet<string> {
  const allowed = new Set(types.flatMap((type) => extensionsOf(type.trim().toLowerCase())));
  for (const names of namesakes) {
    if (names.some((name) => allowed.has(name))) for (const name of names) allowed.add(name);
  }
  return allowed;
}

/** Returns the file extension for a MIME type, or undefined if the type is not in the table. */
export function extensionOf(type: string): string | undefined {
  return extensions.get(type);
}

function extensionsOf(type: string): string[] {
  if (!type.includes("/")) return [type.replace(/^\./, "")];
  if (!type.endsWith("/*")) return [extensions.get(type) ?? unknownExtension];
  const kind = type.slice(0, -1);
  return [...extensions].filter(([known]) => known.startsWith(kind)).map(([, extension]) => extension);
}
