import type { Words } from "../conversation/words.ts";

/** What a file in an answer is called: as on the visitor's device where this page sent it, else as its address says. */
export function fileNameIn(address: string, words: Words): string {
  const own = ownNames.get(address);
  if (own !== undefined) return own;
  const name = decodedSafely(address.split(/[?#]/)[0]?.split("/").at(-1) ?? "");
  // Stored files have names that say nothing.
  const type = /^[0-9a-z]{26}\.(\w+)$/.exec(name)?.[1];
  return type === undefined ? name || words.file : `${words.file} (${type.toUpperCase()})`;
}

/** Remembers what a file is called that this page has sent. */
export function nameFile(address: string, name: string): void {
  ownNames.set(address, name);
}

const ownNames = new Map<string, string>();

function decodedSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
