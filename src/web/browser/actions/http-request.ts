import { at, isObject, textAt } from "../../conversation/read.ts";
import type { RunAction } from "./action.ts";

/** Calls another server from the visitor's browser, and replies with its response as JSON, as the flow reads it. */
export const httpRequest: RunAction = async (action) => {
  const request = at(action, "httpRequestToExecute");
  return { type: "text", text: JSON.stringify(await call(request)) };
};

async function call(request: unknown): Promise<{ statusCode: number; data: unknown }> {
  const method = textAt(request, "method") ?? "GET";
  const body = at(request, "body");
  const given = at(request, "headers");
  const headers = isObject(given) ? Object.entries(given).map(([name, value]) => [name, String(value)]) : [];
  const hasBody = body !== undefined && body !== null && !["GET", "HEAD"].includes(method);
  try {
    const response = await fetch(textAt(request, "url") ?? "", {
      method,
      headers: Object.fromEntries(headers),
      ...(hasBody && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return { statusCode: response.status, data: await response.json() };
  } catch {
    return { statusCode: 500, data: "An error occured while executing the webhook on the client" };
  }
}
