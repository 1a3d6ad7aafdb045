/** The parsed JSON text, or `otherwise` where the text is not JSON. */
export function parseJsonOr(text: string, otherwise: unknown): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return otherwise;
  }
}
