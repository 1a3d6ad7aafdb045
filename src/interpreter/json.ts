/** The parsed JSON text, or `otherwise` where it is none. */
export function parseJsonOr(text: string, otherwise: unknown): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return otherwise;
  }
}
