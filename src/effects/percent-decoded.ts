/** The name or password of an address, which stands there percent-encoded; a lone percent sign stands for itself. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
