/** The text, or its beginning and three dots where it is longer than `maxCharacters`. */
export function truncate(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters)}...`;
}
