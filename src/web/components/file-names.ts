import type { Words } from "../conversation/words.ts";

/** The name of a file in an answer: its original name where this page uploaded it, else the one in its address. */
export function fileNameIn(address: string, words: Words): string {
  const original = originalNames.get(address);
  if (original !== undefined) return original;
  const name = decodedSafely(address.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
  // Stored files are named by an id: show their type instead.
  const type = /^[0-9a-z]{26}\.(\w+)$/.exec(name)?.[1];
  return type === undefined ? name || words.file : `${words.file} (${type.toUpperCase()})`;
}

/** Remembers the original name of a file that this page has uploaded. */
export function nameFile(address: string, name: string): void {
  originalNames.set(address, name);
}

const originalNames = new Map<string, string>();

function decodedSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
