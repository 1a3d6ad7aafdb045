import { textAt, valueAt } from "../../core/interpreter/flow.ts";

/** Whether a response tells its client to ask for an answer, and to report back. */
export function awaitsStream(response: unknown): boolean {
  const actions = valueAt(response, "clientSideActions");
  const types = Array.isArray(actions) ? actions.map((action) => textAt(action, "type")) : [];
  return types.includes("stream") || types.includes("streamOpenAiChatCompletion");
}

/** Whether a response is of a step whose answer its client has drawn: its report is awaited. */
export function wasStreamed(response: unknown): boolean {
  return textAt(response, "streamedText") !== undefined;
}

/** All that the bubble says which its client has drawn: behind the answer the author may have words of their own. */
export function drawnText(response: unknown): string {
  const answer = textAt(response, "streamedText") ?? "";
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? textAt(messages.at(-1), "content", "plainText") : undefined;
  return shown?.startsWith(answer) ? shown : answer;
}
