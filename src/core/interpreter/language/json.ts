/** Parses a JSON text. Returns `otherwise` if the text is not valid JSON. */
export function parseJsonOr(text: string, otherwise: unknown): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return otherwise;
  }
}
