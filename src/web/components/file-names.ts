import type { Words } from "../conversation/words.ts";

/**
 * The name of a file in an answer: its original name if the service sends it or this page uploaded the file, otherwise
 * the one in its address.
 */
export function fileNameIn(address: string, words: Words, names: Readonly<Record<string, string>> = {}): string {
  const original = names[address] ?? originals.get(address)?.name;
  if (original) return original;
  const name = decodedSafely(address.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
  // Stored files are named by an id, so their type is shown instead.
  const type = /^[0-9a-z]{26}\.(\w+)$/.exec(name)?.[1];
  return type === undefined ? name || words.file : `${words.file} (${type.toUpperCase()})`;
}

/**
 * Remembers a file that this page has uploaded: its name, and its content, which cannot be read at its address without
 * a token.
 */
export function keepFile(address: string, file: File): void {
  originals.set(address, file);
}

/** A file that this page has uploaded, by its address. */
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
