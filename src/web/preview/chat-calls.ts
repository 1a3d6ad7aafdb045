import { parse } from "../browser/memory.ts";
import { Refused } from "../browser/transport.ts";
import { readMessage } from "../conversation/preview-protocol.ts";
import { at, numberAt } from "../conversation/read.ts";
import type { Asking, Channel } from "./transport.ts";

/**
 * Passes the requests of chats in this document to the surrounding page, so that no visit is counted and no result is
 * stored. Reports of errors are dropped. Other requests are sent as usual.
 */
export function answerChatCalls(channel: Pick<Channel, "ask">): void {
  const send = window.fetch.bind(window);
  const answer = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const call = readChatCall(input, init);
    if (call === undefined) return send(input, init);
    // Errors of a browser are stored with a result, which a preview does not have.
    if (call === "log") return new Response(null, { status: 204 });
    try {
      const value = await channel.ask(call);
      return Response.json(call.kind === "read" ? { session: value } : value);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return Response.json({ code: error.code, message: error.message }, { status: 403 });
    }
  };
  Reflect.set(window, "fetch", answer);
}

/** Returns the chat's request, `log` for the report of an error, or undefined for any other request. */
function readChatCall(input: RequestInfo | URL, init: RequestInit | undefined): Asking | "log" | undefined {
  if (typeof input !== "string") return undefined;
  const { pathname } = new URL(input, location.href);
  const [, of, act = ""] = /^\/api\/v1\/(bots|sessions)\/[^/]+(?:\/(\w+))?$/.exec(pathname) ?? [];
  const key = new Headers(init?.headers).get("Idempotency-Key") ?? "";
  switch (`${of}/${act}`) {
    case "bots/startChat":
      return { kind: "start" };
    case "sessions/continueChat":
      return { kind: "say", key, ...readSaid(parse(String(init?.body))) };
    case "sessions/goBack":
      return { kind: "goBack", key };
    case "sessions/clientLogs":
      return "log";
    case "sessions/":
      return { kind: "read" };
    default:
      return undefined;
  }
}

function readSaid(body: unknown) {
  return { message: readMessage(at(body, "message")), afterRevision: numberAt(body, "afterRevision") };
}
