import { blocks } from "../core/blocks/index.ts";
import { isJsonObject, textAt, valueAt } from "../core/interpreter/flow.ts";
import type { Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext, SpokenStep } from "./effect-context.ts";

type TranscriptEffect = { readonly visitor: string | null; readonly messages: readonly unknown[] };

/**
 * The conversation as text: one line for each message, `Assistant: "…"` or `User: "…"`, with blank lines between. A
 * refused reply and the sentence that refused it are left out.
 */
export async function performTranscript(
  effect: TranscriptEffect,
  { listSteps }: Pick<EffectContext, "listSteps">,
): Promise<Report> {
  const steps = (await listSteps()).toReversed();
  const said = steps.flatMap((step, index) => linesOfStep(step, steps[index - 1]));
  return { kind: "transcript", text: [...said, ...linesOf(effect.visitor, effect.messages)].join("\n\n") };
}

/** The messages of a step, refused replies and the sentences that refused them included. */
export function spokenIn({ reply, response }: SpokenStep, before: SpokenStep | undefined) {
  const messages = valueAt(response, "messages");
  const shown = Array.isArray(messages) ? messages : [];
  // A report of money that does not count yet is not a message.
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
 * A reply counts when the previous step ended at an input (otherwise a client reported back), or when it is the message
 * of a start.
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

/** The sentence that asks again has the id of the step's input. */
function isRefusal(messages: unknown, askedId: string | undefined): boolean {
  return askedId !== undefined && Array.isArray(messages) && textAt(messages[0], "id") === askedId;
}

function linesOf(visitor: string | null, messages: unknown): string[] {
  const shown = Array.isArray(messages) ? messages.map(messageText).filter((text) => text !== undefined) : [];
  const own = visitor === null ? [] : [`User: "${visitor}"`];
  return [...own, ...shown.map((text) => `Assistant: "${text}"`)];
}

/** The reply's text, formatted in the same way as when it was stored. */
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
