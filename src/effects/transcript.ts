import { blocks } from "../core/blocks/index.ts";
import { isJsonObject, textAt, valueAt } from "../core/interpreter/flow.ts";
import type { Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext, SpokenStep } from "./effect-context.ts";

type TranscriptEffect = { readonly visitor: string | null; readonly messages: readonly unknown[] };

/**
 * Returns the conversation as text. Each message is on a line of its own, `Assistant: "…"` or `User: "…"`, separated by
 * blank lines. A rejected reply and the bot's response to it are omitted.
 */
export async function performTranscript(
  effect: TranscriptEffect,
  { listSteps }: Pick<EffectContext, "listSteps">,
): Promise<Report> {
  const steps = (await listSteps()).toReversed();
  const said = steps.flatMap((step, index) => linesOfStep(step, steps[index - 1]));
  return { kind: "transcript", text: [...said, ...linesOf(effect.visitor, effect.messages)].join("\n\n") };
}

/** Returns the messages of a step, including rejected replies and the bot's responses to them. */
export function spokenIn({ reply, response }: SpokenStep, before: SpokenStep | undefined) {
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? messages : [];
  // A client's report of a payment is not a message if the payment was not accepted.
  const isRefusedPayment =
    textAt(reply, "type") === "payment" && isRefusal(messages, textAt(before?.response, "input", "id"));
  return {
    visitor: wasSaid(before) && !isRefusedPayment ? replyText(reply, textAt(response, "lastMessageNewFormat")) : null,
    messages: shown.flatMap((message) => {
      const text = messageText(message);
      const unfinished = textAt(message, "unfinished");
      return text === undefined
        ? []
        : [{ type: textAt(message, "type") ?? "text", text, ...(unfinished !== undefined && { unfinished }) }];
    }),
  };
}

/**
 * Returns the lines of a step, or no lines if the reply was rejected. The reply is included if the previous step ended
 * at an input, or if there is no previous step. Any other reply is a report of the client.
 */
function linesOfStep({ reply, response }: SpokenStep, before: SpokenStep | undefined): string[] {
  const askedId = textAt(before?.response, "input", "id");
  const messages = valueAt(response, "messages");
  if (isRefusal(messages, askedId)) return [];
  return linesOf(wasSaid(before) ? replyText(reply, textAt(response, "lastMessageNewFormat")) : null, messages);
}

function wasSaid(before: SpokenStep | undefined): boolean {
  return !before || textAt(before.response, "input", "id") !== undefined;
}

/** Whether the step repeated its question after a rejected reply. The retry message has the id of the step's input. */
function isRefusal(messages: unknown, askedId: string | undefined): boolean {
  return askedId !== undefined && Array.isArray(messages) && textAt(messages[0], "id") === askedId;
}

function linesOf(visitor: string | null, messages: unknown): string[] {
  const shown = Array.isArray(messages) ? messages.map(messageText).filter((text) => text !== undefined) : [];
  const own = visitor === null ? [] : [`User: "${visitor}"`];
  return [...own, ...shown.map((text) => `Assistant: "${text}"`)];
}

/** Returns the text of a reply in the format in which it was stored, or null if the reply has no text. */
function replyText(reply: unknown, stored: string | undefined): string | null {
  if (!isJsonObject(reply) || reply["type"] === "command") return null;
  const text = stored ?? textAt(reply, "text") ?? textAt(reply, "url");
  const files = reply["attachedFileUrls"];
  if (!Array.isArray(files) || files.length === 0) return text ?? null;
  return `${files.join(", ")}\n\n${text ?? ""}`;
}

function messageText(message: unknown): string | undefined {
  const type = textAt(message, "type");
  return type === undefined ? undefined : blocks.get(type)?.bubble?.transcript?.(valueAt(message, "content"));
}
