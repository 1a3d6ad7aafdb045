import { say } from "./rare-words.ts";
import { flagAt, listAt, numberAt } from "./read.ts";
import type { ApiError } from "./refusal.ts";
import type { Input } from "./step.ts";
import { numberIn, type Words } from "./words.ts";

/** Returns the files chosen in a form, with their fields. A file without a name is an empty field. */
export function chosenFiles(form: FormData): readonly { readonly field: string; readonly file: File }[] {
  return [...form].flatMap(([field, value]) =>
    value instanceof File && value.name !== "" ? [{ field, file: value }] : [],
  );
}

/** Returns the form with its files replaced by their URLs, in order. Empty file fields are omitted. */
export function withAddresses(form: FormData, addresses: readonly string[]): FormData {
  const replaced = new FormData();
  const remaining = [...addresses];
  for (const [name, value] of form) {
    const text = typeof value === "string" ? value : value.name === "" ? undefined : remaining.shift();
    if (text !== undefined) replaced.append(name, text);
  }
  return replaced;
}

/** Returns the URLs of stored files in the field `file` of a form. */
export function addressesIn(form: FormData): string[] {
  return form
    .getAll("file")
    .filter((address) => typeof address === "string" && /^https?:\/\//i.test(address))
    .map(String);
}

/**
 * Returns why an input's options do not allow a file, or undefined if they allow it. The server checks the file too.
 */
export function fileProblem({ name, type, size }: File, input: Input, words: Words): string | undefined {
  const limit = sizeLimitOf(input);
  if (limit !== undefined && size > limit * 1024 * 1024) {
    return fileSizeText({ name, megabytes: limit }, words);
  }
  const types = allowedTypesOf(input);
  if (types.length > 0 && type !== "" && !types.some((allowed) => isOfType({ name, type }, allowed))) {
    return say(words, "fileTypeWrong", { name });
  }
  return undefined;
}

/** Returns why a file was rejected, in the page's language. */
export function uploadErrorText({ code, maxBytes }: ApiError, name: string, words: Words): string {
  switch (code) {
    case "upload.type_not_allowed":
      return words.fileTypeRefused;
    case "upload.size_not_allowed":
    case "request.too_large":
      return maxBytes === undefined
        ? words.fileTooLarge
        : fileSizeText({ name, megabytes: maxBytes / 1024 / 1024 }, words);
    case "upload.too_many":
      return words.fileTooMany;
    case "workspace.storage_full":
      return words.filesFull;
    case "upload.empty":
      return words.fileEmpty;
    default:
      return words.fileUploadError;
  }
}

/** Returns the error text for a file that is too large. */
export function fileSizeText({ name, megabytes }: { name: string; megabytes: number }, words: Words): string {
  return words.fileUploadSizeError.replaceAll("[[file]]", name).replaceAll("[[limit]]", numberIn(words, megabytes));
}

/** Returns the largest size of a file in megabytes, if the block has a limit. */
export function sizeLimitOf(input: Input): number | undefined {
  return numberAt(input, "options", "sizeLimit");
}

/** Returns the file types that the block allows, or an empty list if it allows all types. */
export function allowedTypesOf(input: Input): readonly string[] {
  if (flagAt(input, "options", "allowedFileTypes", "isEnabled") !== true) return [];
  return listAt(input, "options", "allowedFileTypes", "types").flatMap((type) =>
    typeof type === "string" && type.trim() !== "" ? [type.trim().toLowerCase()] : [],
  );
}

function isOfType({ name, type }: { name: string; type: string }, allowed: string): boolean {
  const whole = type.toLowerCase();
  if (allowed.endsWith("/*")) return whole.startsWith(allowed.slice(0, -1));
  if (allowed.includes("/")) return whole === allowed;
  const wanted = plainExtension(allowed.replace(/^\./, ""));
  return [name.split(".").at(-1) ?? "", whole.split(/[/+]/)[1] ?? ""].some((one) => plainExtension(one) === wanted);
}

function plainExtension(extension: string): string {
  const lower = extension.toLowerCase();
  return lower === "jpg" || lower === "jpe" ? "jpeg" : lower === "tiff" ? "tif" : lower;
}
