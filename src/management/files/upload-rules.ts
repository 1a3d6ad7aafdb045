import { blocks } from "../../core/blocks/index.ts";
import { allowedExtensions, extensionOf, unknownExtension } from "../../core/blocks/inputs/files/mime-types.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import type { UploadRules } from "../../core/interpreter/input-traits.ts";
import { cleanText } from "../../core/interpreter/language/values.ts";
import { limits } from "../../limits/index.ts";

/** A stored block's rules for files of a type; undefined when the block accepts none. */
export function uploadRulesOf(stored: unknown, fileType: string): UploadRules | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { type, options } = stored;
  return typeof type === "string"
    ? blocks.get(type)?.input?.uploadRules?.({ id: "", type, options }, fileType)
    : undefined;
}

/**
 * The extension that a file is stored with, or undefined when its type is not allowed. Types that are not in the table
 * keep the extension of the visitor's file, which the block's own check of the reply then reads.
 */
export function storedExtension(file: { type: string; name: string }, types: readonly string[] | undefined) {
  const known = extensionOf(file.type);
  const own = /\.([a-z0-9]{1,10})$/i.exec(file.name)?.[1]?.toLowerCase();
  const candidates = known === undefined ? [...(own === undefined ? [] : [own]), unknownExtension] : [known];
  if (types === undefined) return candidates[0];
  const allowed = allowedExtensions(types);
  return candidates.find((extension) => allowed.has(extension));
}

/** A MIME type without parameters, in lower case; an invalid one becomes `unknownType`. */
export function cleanType(type: string | null | undefined): string {
  const [essence = ""] = (type ?? "").split(";");
  const clean = essence.trim().toLowerCase();
  return /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/.test(clean) ? clean : unknownType;
}

/** The type that is used for unknown types. */
export const unknownType = "application/octet-stream";

/**
 * A file's name for display: without a path, without invisible characters that reverse the text, and of limited length.
 */
export function cleanFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const visible = cleanText(last.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")).trim();
  const clean = [...visible].slice(0, limits.uploads.fileNameCharacters).join("");
  return /^\.*$/.test(clean) ? "file" : clean;
}
