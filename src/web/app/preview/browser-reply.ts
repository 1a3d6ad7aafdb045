import { at, numberAt, textAt } from "../../conversation/read.ts";
import { type Message, pauseOf, type Step } from "../../conversation/step.ts";

/** A reply that the browser sent instead of a visitor: the outcome of a request, or a value. */
export type BrowserReply =
  | {
      readonly kind: "request";
      readonly method: string;
      readonly address: string;
      readonly status: number | undefined;
      readonly data: unknown;
      /** The reason why there is no response, in the wording of the chat page. */
      readonly failure: string | undefined;
    }
  | { readonly kind: "value"; readonly text: string };

/** Returns the browser's reply to an action of the previous step; undefined if the reply is a visitor's. */
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
