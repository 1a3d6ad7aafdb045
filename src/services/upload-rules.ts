import { allowedExtensions, extensionOf, unknownExtension } from "../blocks/inputs/mime-types.ts";
import { valueAt } from "../interpreter/flow.ts";
import { cleanText } from "../interpreter/values.ts";
import { limits } from "../limits.ts";

/** What a block says about files that are given to it. */
export type UploadRules = {
  readonly isPrivate: boolean;
  /** In megabytes; undefined where the block does not say. */
  readonly sizeLimit: number | undefined;
  /** Extensions, MIME types or kinds such as `image/*`; undefined where every type is taken. */
  readonly types: readonly string[] | undefined;
};

/** The rules of a block as its flow stores it, or undefined when it takes no files. `type` is the file's. */
export function uploadRulesOf(block: unknown, type: string): UploadRules | undefined {
  switch (valueAt(block, "type")) {
    case "file input":
      return {
        isPrivate: valueAt(block, "options", "visibility") === "Private",
        sizeLimit: sizeLimitOf(valueAt(block, "options", "sizeLimit")),
        types: allowedTypesOf(valueAt(block, "options", "allowedFileTypes")),
      };
    case "text input": {
      const media = mediaFor(block, type);
      if (media === undefined) return undefined;
      return { isPrivate: valueAt(media, "visibility") === "Private", sizeLimit: undefined, types: undefined };
    }
    default:
      return undefined;
  }
}

/**
 * The extension that a file is stored with, or undefined when its type is not allowed. Types that the table does not know
 * take the extension that the visitor's file has, which the block's own check of the reply then reads.
 */
export function storedExtension(file: { type: string; name: string }, types: readonly string[] | undefined) {
  const known = extensionOf(file.type);
  const own = /\.([a-z0-9]{1,10})$/i.exec(file.name)?.[1]?.toLowerCase();
  const candidates = known === undefined ? [...(own === undefined ? [] : [own]), unknownExtension] : [known];
  if (types === undefined) return candidates[0];
  const allowed = allowedExtensions(types);
  return candidates.find((extension) => allowed.has(extension));
}

/** A MIME type without parameters, in small letters; what is none is unknown bytes. */
export function cleanType(type: string | null | undefined): string {
  const [essence = ""] = (type ?? "").split(";");
  const clean = essence.trim().toLowerCase();
  return /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/.test(clean) ? clean : unknownType;
}

/** The type of files that say nothing of themselves. */
export const unknownType = "application/octet-stream";

/** A file's name as people may read it: no path, nothing invisible that turns the text around, of bounded length. */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const visible = cleanText(last.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")).trim();
  const clean = [...visible].slice(0, limits.uploads.fileNameCharacters).join("");
  return /^\.*$/.test(clean) ? "file" : clean;
}

/** A zero is a limit too. */
function sizeLimitOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? Math.min(value, limits.uploads.fileMegabytes) : undefined;
}

function allowedTypesOf(allowed: unknown): readonly string[] | undefined {
  const types = valueAt(allowed, "types");
  if (valueAt(allowed, "isEnabled") !== true || !Array.isArray(types)) return undefined;
  const named = types.filter((type) => typeof type === "string");
  return named.length > 0 ? named : undefined;
}

/** Voice clips and files sent along each have settings of their own. */
function mediaFor(block: unknown, type: string): unknown {
  const attachments = valueAt(block, "options", "attachments");
  const audioClip = valueAt(block, "options", "audioClip");
  const enabled = (type.startsWith("audio/") ? [audioClip, attachments] : [attachments, audioClip]).filter(
    (media) => valueAt(media, "isEnabled") === true,
  );
  return enabled[0];
}
