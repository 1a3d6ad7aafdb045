/** Decodes the user name or password of a URL; a text that is not percent-encoded stays unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
