import { isPlain, listOf, type Plain } from "./wire.ts";

type Body = Readonly<Record<string, unknown>>;

/**
 * Returns DeepSeek's error if an assistant message with calls since the user's last message does not contain its
 * original `reasoning_content`.
 */
export function missingReasoning(body: Body): object | undefined {
  const messages = listOf(body["messages"]);
  const index = messages.findIndex(
    (message, at) => at > lastUser(messages) && isCalling(message) && message["reasoning_content"] !== thoughts,
  );
  if (index < 0) return undefined;
  const message = "The `reasoning_content` in the thinking mode must be passed back to the API.";
  return { error: { message, type: "invalid_request_error", param: null, code: "invalid_request_error" } };
}

export const thoughts = "The user wants a tool. So be it.";

/**
 * Returns the error of Gemini's OpenAI-compatible API if the first call of a round does not have its signature. Errors
 * of this API are in a list.
 */
export function missingSignature(body: Body): object | undefined {
  const messages = listOf(body["messages"]);
  const calling = messages.filter((message, at) => at > lastUser(messages) && isCalling(message));
  const isSigned = ({ tool_calls: calls }: Plain, round: number): boolean => {
    const extra = listOf(calls)[0]?.["extra_content"];
    const google = isPlain(extra) ? extra["google"] : undefined;
    return isPlain(google) && google["thought_signature"] === signature(round);
  };
  if (calling.every(isSigned)) return undefined;
  const message = "Function call is missing a thought_signature in functionCall parts.";
  return [{ error: { code: 400, message, status: "INVALID_ARGUMENT" } }];
}

/** Returns Anthropic's error if a message with tool calls does not begin with its original thinking blocks. */
export function missingThinking(body: Body): string | undefined {
  for (const { role, content } of listOf(body["messages"])) {
    const blocks = listOf(content);
    if (role !== "assistant" || !blocks.some(({ type }) => type === "tool_use")) continue;
    const [first, second] = blocks;
    if (first?.["type"] !== "thinking" || second?.["type"] !== "redacted_thinking") {
      return "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.";
    }
    if (first["signature"] !== signature(0) || first["thinking"] !== thoughts || second["data"] !== hidden) {
      return "messages.1.content.0: Invalid `signature` in `thinking` block";
    }
  }
  return undefined;
}

/**
 * Returns the error of OpenAI's Responses API for a call that is not preceded by its encrypted reasoning. The API
 * requires the reasoning if it does not store the conversation.
 */
export function missingItem(body: Body): string | undefined {
  const items = listOf(body["input"]);
  const call = items.findIndex(({ type }) => type === "function_call");
  if (call < 0 || items[call - 1]?.["encrypted_content"] === hidden) return undefined;
  return `Item '${items[call]?.["id"]}' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.`;
}

/** An opaque text that only its provider can read. */
export const hidden = "planted-reasoning-0123456789";

export function signature(round: number): string {
  return `planted-signature-${round}`;
}

/** Returns the number of tool rounds since the user's last message. */
export function roundsIn(body: Body): number {
  const messages = listOf(body["messages"]);
  return messages.filter((message, at) => at > lastUser(messages) && isCalling(message)).length;
}

function lastUser(messages: readonly Plain[]): number {
  return messages.findLastIndex(({ role }) => role === "user");
}

function isCalling({ role, tool_calls: calls }: Plain): boolean {
  return role === "assistant" && listOf(calls).length > 0;
}
