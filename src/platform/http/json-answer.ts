/** An answer that is JSON text already: a stored response is given as it was saved. */
export function jsonAnswer(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "application/json;charset=utf-8" } });
}
