import type { ServerResponse } from "node:http";

/** A conversation in the format of OpenAI's chat completions, converted from any API. */
export type FakeBody = Readonly<Record<string, unknown>>;

export type Plain = Readonly<Record<string, unknown>>;

export function isPlain(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): Plain[] {
  return Array.isArray(value) ? value.filter(isPlain) : [];
}

/**
 * Returns the concatenated texts of a message's parts. A part without a text is represented by its type in brackets.
 */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => (typeof part["text"] === "string" ? part["text"] : `[${part["type"]}]`))
    .join("");
}

/** Sends named events with one JSON object each. */
export function eventsTo(response: ServerResponse) {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  return (data: { readonly type: string; readonly [key: string]: unknown }): void => {
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
}

export function problem(message: string) {
  return { error: { message, type: "fake", code: null } };
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
