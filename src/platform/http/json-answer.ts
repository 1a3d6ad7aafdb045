/**
 * A response that is JSON text already: a stored response is sent as it was saved. `mount.ts` makes it, with all of its
 * headers at once: headers that are set one by one on a response cost as much as the response.
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
