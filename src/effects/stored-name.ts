/** Under which name a file lies in the storage: spread over 1,024 folders, since ids of one time begin alike. */
export function storedName(id: string): string {
  return `${id.slice(-2)}/${id}`;
}
