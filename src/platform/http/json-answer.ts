/**
 * A response that is JSON text already: a stored response is sent as it was saved. `mount.ts` makes the response with
 * all its headers at once: setting headers one by one costs as much as the response.
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
