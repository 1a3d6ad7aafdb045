/** The text; if it is longer than `maxCharacters`, its beginning and three dots. */
export function truncate(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}...`;
}
