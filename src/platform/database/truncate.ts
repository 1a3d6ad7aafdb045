/** Returns the text. A text longer than `maxCharacters` is truncated and ends with three dots. */
export function truncate(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}...`;
}
