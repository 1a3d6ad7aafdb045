/** A response that is JSON text already: a stored response is sent as it was saved. */
export function jsonAnswer(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json;charset=utf-8" } });
}
