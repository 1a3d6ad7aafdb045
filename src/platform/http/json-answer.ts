/**
 * A response that is already JSON text, so that a stored response is sent exactly as it was saved. `mount.ts` creates
 * the response with all its headers in one call, because setting headers one by one costs as much as the response.
 */
export class JsonAnswer {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const jsonType = { "Content-Type": "application/json;charset=utf-8" };

export function jsonAnswer(text: string): JsonAnswer {
  return new JsonAnswer(text);
}
