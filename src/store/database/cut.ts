/** Cuts a text to a number of characters, with a sign that something is missing. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}...`;
}
