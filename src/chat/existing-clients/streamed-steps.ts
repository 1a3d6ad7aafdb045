import { textAt, valueAt } from "../../core/interpreter/flow.ts";

/** Whether a response makes its client request an answer and then report back. */
export function awaitsStream(response: unknown): boolean {
  const actions = valueAt(response, "clientSideActions");
  const types = Array.isArray(actions) ? actions.map((action) => textAt(action, "type")) : [];
  return types.includes("stream") || types.includes("streamOpenAiChatCompletion");
}

/** Whether a response is of a step whose answer its client has drawn, so that the client's report is outstanding. */
export function wasStreamed(response: unknown): boolean {
  return textAt(response, "streamedText") !== undefined;
}

/** The part of the bubble that its client has drawn; an author's own words may follow the answer. */
export function drawnText(response: unknown): string {
  const answer = textAt(response, "streamedText") ?? "";
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? textAt(messages.at(-1), "content", "plainText") : undefined;
  return shown?.startsWith(answer) ? shown : answer;
}
