/** The entry of a result's log about a block of a type that is not served. */
export function skippedEntry(type: string): string {
  return `${before}${type}${behind}`;
}

/** The type of the skipped block that an entry reports; undefined for any other entry. */
export function skippedTypeIn(description: string): string | undefined {
  if (!description.startsWith(before) || !description.endsWith(behind)) return undefined;
  return description.slice(before.length, -behind.length);
}

const before = 'Blocks of type "';
const behind = '" are not supported; the block was skipped';
