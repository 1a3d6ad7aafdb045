import type { Words } from "../conversation/words.ts";

/**
 * Returns the name of a file in an answer. The original name is used if the service sends it or this page uploaded the
 * file. Otherwise, the name comes from the URL.
 */
export function fileNameIn(address: string, words: Words, names: Readonly<Record<string, string>> = {}): string {
  const original = names[address] ?? originals.get(address)?.name;
  if (original) return original;
  const name = decodedSafely(address.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
  // Stored files are named by an id, so the type of the file is shown instead.
  const type = /^[0-9a-z]{26}\.(\w+)$/.exec(name)?.[1];
  return type === undefined ? name || words.file : `${words.file} (${type.toUpperCase()})`;
}

/** Stores a file that this page has uploaded, because a private file cannot be read from its URL without a token. */
export function keepFile(address: string, file: File): void {
  originals.set(address, file);
}

/** Returns a file that this page has uploaded, by its URL; undefined for other files. */
export function uploadedFile(address: string): File | undefined {
  return originals.get(address);
}

const originals = new Map<string, File>();

function decodedSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
