import type { Told } from "../../core/channels/replies.ts";
import { valueAt } from "../../core/interpreter/flow.ts";
import type { MessageBody } from "../../core/interpreter/program/message.ts";
import { limits } from "../../limits/index.ts";
import type { MediaContent } from "../files/contact-files.ts";
import { ageOf, type QueuedRow, type TurnTools } from "./turn.ts";
import type { ChatFacts, TurnFacts } from "./turn-facts.sql.ts";

/** How the chat uses the files at the start of the queue. */
export type FilesReply =
  /** More files may follow, so the rows are checked again after `ms`. */
  | { readonly kind: "wait"; readonly ms: number }
  | {
      readonly kind: "reply";
      readonly row: QueuedRow;
      readonly merged: readonly QueuedRow[];
      readonly message: MessageBody;
    }
  /** The file is fetched again. */
  | { readonly kind: "again"; readonly row: QueuedRow }
  /** The file does not arrive or is rejected. The input still waits for an answer. */
  | { readonly kind: "failed"; readonly row: QueuedRow };

type Files = {
  readonly rows: readonly QueuedRow[];
  readonly head: QueuedRow;
  readonly chat: ChatFacts;
  readonly input: unknown;
  readonly as: Extract<Told, { kind: "file" }>["as"];
};

/**
 * Fetches the first files and uses them as the reply to a chat, like a visitor's uploads. If the input accepts several
 * files, consecutive files become one reply.
 */
export async function replyWithFiles(
  tools: TurnTools,
  facts: TurnFacts,
  { rows, head, chat, input, as }: Files,
): Promise<FilesReply> {
  const isSeveral = as === "attachment" || (as === "answer" && isMultiple(input));
  const taken = isSeveral ? filesOf(rows) : [head];
  const last = taken.at(-1) ?? head;
  const isWhole = !isSeveral || taken.length < rows.length || taken.length === limits.channels.gathered;
  const restMs = limits.channels.filesGatherMs - ageOf(facts, last);
  if (!isWhole && restMs > 0) return { kind: "wait", ms: restMs };
  const urls: string[] = [];
  for (const row of taken) {
    const content = mediaOf(row);
    if (!content) continue;
    if (row.fileUrl === undefined) {
      const place = { sessionId: chat.id, contactId: facts.id, isAsked: true };
      const kept = await tools.files.keep(content, place);
      if (kept.kind === "later" && row.attempts + 1 < limits.channels.mediaTries) return { kind: "again", row };
      if (kept.kind !== "kept") return { kind: "failed", row };
      row.fileUrl = kept.url;
    }
    urls.push(row.fileUrl);
  }
  const captions = taken.flatMap((row) => mediaOf(row)?.caption ?? []);
  return { kind: "reply", row: last, merged: taken.slice(0, -1), message: messageOf(as, urls, captions.join("\n")) };
}

/** Stores a file that no input requested, for people who read the conversation. */
export async function keepUnasked(
  tools: TurnTools,
  facts: TurnFacts,
  { row, content, chat }: { readonly row: QueuedRow; readonly content: MediaContent; readonly chat: ChatFacts },
): Promise<void> {
  if (row.fileUrl !== undefined) return;
  const kept = await tools.files.keep(content, { sessionId: chat.id, contactId: facts.id, isAsked: false });
  // A file that did not arrive is not fetched again.
  row.fileUrl = kept.kind === "kept" ? kept.url : "";
}

function messageOf(as: Files["as"], urls: readonly string[], caption: string): MessageBody {
  switch (as) {
    case "answer":
      return { type: "text", text: urls.join(", "), attachedFileUrls: urls };
    case "attachment":
      return { type: "text", text: caption, attachedFileUrls: urls };
    case "clip":
      return { type: "audio", url: urls[0] ?? "" };
    case "address":
      return { type: "text", text: urls.join(", ") };
  }
}

function isMultiple(input: unknown): boolean {
  return valueAt(input, "options", "isMultipleAllowed") === true;
}

/** Returns the files at the start of the queue that arrived shortly after each other. */
function filesOf(rows: readonly QueuedRow[]): QueuedRow[] {
  const taken: QueuedRow[] = [];
  for (const row of rows) {
    const before = taken.at(-1);
    const isNear = before === undefined || row.arrivedAt - before.arrivedAt <= limits.channels.filesGatherMs;
    if (!mediaOf(row) || !isNear || taken.length === limits.channels.gathered) break;
    taken.push(row);
  }
  return taken;
}

export function mediaOf({ event }: QueuedRow): MediaContent | undefined {
  return event.kind === "message" && event.content.kind === "media" ? event.content : undefined;
}
