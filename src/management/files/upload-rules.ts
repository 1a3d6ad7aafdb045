import { blocks } from "../../core/blocks/index.ts";
import { allowedExtensions, extensionOf, unknownExtension } from "../../core/blocks/inputs/files/mime-types.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import type { UploadRules } from "../../core/interpreter/input-traits.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import { limits } from "../../limits/index.ts";

/** Returns a stored block's rules for files of a type; undefined if the block accepts no such files. */
export function uploadRulesOf(stored: unknown, fileType: string): UploadRules | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { type, options } = stored;
  return typeof type === "string"
    ? blocks.get(type)?.input?.uploadRules?.({ id: "", type, options }, fileType)
    : undefined;
}

/**
 * Returns the extension under which a file is stored, or undefined if its type is not allowed. A file of an unknown
 * type keeps its own extension, which the block checks when it reads the reply.
 */
export function storedExtension(file: { type: string; name: string }, types: readonly string[] | undefined) {
  const known = extensionOf(file.type);
  const own = /\.([a-z0-9]{1,10})$/i.exec(file.name)?.[1]?.toLowerCase();
  const candidates = known === undefined ? [...(own === undefined ? [] : [own]), unknownExtension] : [known];
  if (types === undefined) return candidates[0];
  const allowed = allowedExtensions(types);
  return candidates.find((extension) => allowed.has(extension));
}

/** Returns a MIME type without parameters, in lower case. An invalid type becomes `unknownType`. */
export function cleanType(type: string | null | undefined): string {
  const [essence = ""] = (type ?? "").split(";");
  const clean = essence.trim().toLowerCase();
  return /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/.test(clean) ? clean : unknownType;
}

/** The MIME type of files whose type is missing or invalid. */
export const unknownType = "application/octet-stream";

/**
 * Returns a file's name for display: without a path, without control characters and characters that reverse text, and
 * with a limited length. Returns `file` if no name is left.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const visible = cleanText(last.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")).trim();
  const clean = [...visible].slice(0, limits.uploads.fileNameCharacters).join("");
  return /^\.*$/.test(clean) ? "file" : clean;
}
