import { allowedTypesOf, sizeLimitOf } from "../../../conversation/files.ts";
import { say } from "../../../conversation/rare-words.ts";
import type { Input } from "../../../conversation/step.ts";
import { numberIn, type Words } from "../../../conversation/words.ts";

/** Describes the files that an input accepts: `Pictures, PDF · Up to 10 MB`. Empty if the input accepts all files. */
export function limitsText(input: Input, words: Words): string {
  const names = new Set(allowedTypesOf(input).map((type) => typeName(type, words)));
  const types = new Intl.ListFormat(words.language, { type: "unit", style: "short" }).format(names);
  const limit = sizeLimitOf(input);
  const size = limit === undefined ? "" : say(words, "fileLimit", { limit: numberIn(words, limit) });
  return [types, size].filter((part) => part !== "").join(" · ");
}

/** Whether the input accepts a photo from the camera. */
export function takesPhotos(input: Input): boolean {
  const types = allowedTypesOf(input);
  return types.length === 0 || types.some((type) => /^image\/(\*|jpe?g)$|^\.?jpe?g$/.test(type));
}

/** Returns the name of a file type in the page's language. A specific format is named by its usual extension. */
function typeName(type: string, words: Words): string {
  const [kind = "", subtype] = type.split("/");
  if (subtype === undefined) return type.replace(/^\./, "").toUpperCase();
  if (subtype !== "*") return knownAs.get(subtype) ?? subtype.replace(/\+.*$/, "").toUpperCase();
  const kinds: Partial<Record<string, string>> = {
    image: words.pictureFiles,
    video: words.videoFiles,
    audio: words.soundFiles,
  };
  return kinds[kind] ?? kind;
}

const office = "vnd.openxmlformats-officedocument";
const knownAs = new Map([
  ["jpeg", "JPG"],
  ["plain", "TXT"],
  ["mpeg", "MP3"],
  ["quicktime", "MOV"],
  ["msword", "DOC"],
  ["vnd.ms-excel", "XLS"],
  ["vnd.ms-powerpoint", "PPT"],
  [`${office}.wordprocessingml.document`, "DOCX"],
  [`${office}.spreadsheetml.sheet`, "XLSX"],
  [`${office}.presentationml.presentation`, "PPTX"],
]);
