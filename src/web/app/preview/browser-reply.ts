import { at, numberAt, textAt } from "../../conversation/read.ts";
import { type Message, pauseOf, type Step } from "../../conversation/step.ts";

/** The browser's report in place of a visitor's reply: the outcome of a request, or a value. */
export type BrowserReply =
  | {
      readonly kind: "request";
      readonly method: string;
      readonly address: string;
      readonly status: number | undefined;
      readonly data: unknown;
      /** The reason for a missing answer, in the chat page's words. */
      readonly failure: string | undefined;
    }
  | { readonly kind: "value"; readonly text: string };

/** A reply to a request of the previous step to the browser; undefined for a visitor's words. */
export function browserReplyTo(step: Step, message: Message): BrowserReply | undefined {
  if (pauseOf(step) !== "action" || message?.type !== "text") return undefined;
  const action = step.actions.find(({ expectsDedicatedReply }) => expectsDedicatedReply === true);
  const request = at(action, "httpRequestToExecute");
  if (request === undefined) return { kind: "value", text: message.text };
  const answer = readJson(message.text);
  return {
    kind: "request",
    method: textAt(request, "method") ?? "",
    address: textAt(request, "url") ?? "",
    status: numberAt(answer, "statusCode"),
    data: at(answer, "data"),
    failure: textAt(answer, "failure"),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
