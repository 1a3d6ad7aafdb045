/** Returns the log entry for a block whose type is not supported. */
export function skippedEntry(type: string): string {
  return `${before}${type}${behind}`;
}

/** Returns the type of the skipped block from a log entry, or undefined for any other entry. */
export function skippedTypeIn(description: string): string | undefined {
  if (!description.startsWith(before) || !description.endsWith(behind)) return undefined;
  return description.slice(before.length, -behind.length);
}

const before = 'Blocks of type "';
const behind = '" are not supported; the block was skipped';
