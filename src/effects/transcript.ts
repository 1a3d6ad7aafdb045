import type { Report } from "../interpreter/effect.ts";
import { isJsonObject, textAt, valueAt } from "../interpreter/flow.ts";
import { limits } from "../limits.ts";
import { listSteps } from "../store/sessions.ts";
import type { EffectContext } from "./index.ts";

type TranscriptEffect = { readonly visitor: string | null; readonly messages: readonly unknown[] };

/** The conversation as text: one line for each message, `Assistant: "…"` or `User: "…"`, with blank lines between. */
export async function performTranscript(effect: TranscriptEffect, { sql, sessionId }: EffectContext): Promise<Report> {
  const steps = await listSteps(sql, sessionId, limits.transcriptSteps);
  const said = steps
    .reverse()
    .flatMap(({ reply, response }) => linesOf(replyText(reply), valueAt(response, "messages")));
  return { kind: "transcript", text: [...said, ...linesOf(effect.visitor, effect.messages)].join("\n\n") };
}

function linesOf(visitor: string | null, messages: unknown): string[] {
  const shown = Array.isArray(messages) ? messages.map(messageText).filter((text) => text !== undefined) : [];
  const own = visitor === null ? [] : [`User: "${visitor}"`];
  return [...own, ...shown.map((text) => `Assistant: "${text}"`)];
}

function replyText(reply: unknown): string | null {
  if (!isJsonObject(reply) || reply["type"] === "command") return null;
  const text = textAt(reply, "text") ?? textAt(reply, "url");
  const files = reply["attachedFileUrls"];
  if (!Array.isArray(files) || files.length === 0) return text ?? null;
  return `${files.join(", ")}\n\n${text ?? ""}`;
}

/** Texts as markdown or plain text, media as their address; embeds say nothing. */
function messageText(message: unknown): string | undefined {
  const type = textAt(message, "type");
  if (type === "text") return textAt(message, "content", "markdown") ?? textAt(message, "content", "plainText");
  return type === "image" || type === "video" || type === "audio" ? textAt(message, "content", "url") : undefined;
}
