/** The name of a file in the storage: spread over 1,024 folders by the id's end, since ids of one time begin alike. */
export function storedName(id: string): string {
  return `${id.slice(-2)}/${id}`;
}
