import { createHash } from "node:crypto";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { idBytes, idOfBytes, isId } from "../../platform/ids.ts";

/** A block of a bot at which a chat waits for a call. */
export type CallbackTarget = {
  readonly botId: string;
  /** The block's id, or the short form of a long id (`shortBlockId`). */
  readonly blockId: string;
  /** The result of the chat. Null in a preview; the call then goes to an open preview of `previewedBy`. */
  readonly resultId: string | null;
  /** The chat that created the URL. Null in a preview, and in a URL of the earlier format. */
  readonly sessionId: string | null;
  readonly previewedBy: string | null;
};

/**
 * The length above which an id is replaced by its hash, so that every URL is short. The builder's ids have 24 letters.
 */
const longestIdBytes = 60;

/** Returns the id of a block as it appears in a URL. The result is the same for an id and for its short form. */
export function shortBlockId(blockId: string): string {
  if (Buffer.byteLength(blockId) <= longestIdBytes) return blockId;
  return `sha256:${createHash("sha256").update(blockId).digest("base64url")}`;
}

const chat = 1;
const preview = 2;
const idLength = 16;

/** Packs the facts of a URL into few bytes: its kind, the ids and the block. */
export function packTarget({ botId, blockId, resultId, sessionId, previewedBy }: CallbackTarget): Uint8Array {
  const block = Buffer.from(shortBlockId(blockId));
  if (resultId !== null && sessionId !== null)
    return Buffer.concat([Buffer.of(chat), ...[botId, resultId, sessionId].map(idBytes), block]);
  if (previewedBy !== null) return Buffer.concat([Buffer.of(preview), ...[botId, previewedBy].map(idBytes), block]);
  throw new Error("A callback address belongs either to a chat or to a preview");
}

/** Unpacks a target. Returns undefined for a target that a newer release packed. */
export function unpackTarget(facts: Uint8Array): CallbackTarget | undefined {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => idAt(facts, index));
  const blockAfter = (count: number): string => new TextDecoder().decode(facts.subarray(1 + count * idLength));
  if (facts[0] === chat) {
    const [botId = "", resultId = "", sessionId = ""] = ids(3);
    return { botId, blockId: blockAfter(3), resultId, sessionId, previewedBy: null };
  }
  if (facts[0] !== preview) return undefined;
  const [botId = "", previewedBy = ""] = ids(2);
  return { botId, blockId: blockAfter(2), resultId: null, sessionId: null, previewedBy };
}

function idAt(facts: Uint8Array, index: number): string {
  const start = 1 + index * idLength;
  return idOfBytes(facts.subarray(start, start + idLength));
}

/** Writes a target in the earlier format, which is readable and contains no session. */
export function writeFormerTarget({ botId, blockId, resultId, previewedBy }: CallbackTarget): string {
  return Buffer.from(JSON.stringify([botId, blockId, resultId, previewedBy])).toString("base64url");
}

export function readFormerTarget(facts: string): CallbackTarget | undefined {
  const read: unknown = parseJsonOr(Buffer.from(facts, "base64url").toString(), null);
  if (!Array.isArray(read)) return undefined;
  const [botId, blockId, resultId, previewedBy]: unknown[] = read;
  const areIds =
    isIdText(botId) && (resultId === null || isIdText(resultId)) && (previewedBy === null || isIdText(previewedBy));
  return areIds && typeof blockId === "string" ? { botId, blockId, resultId, sessionId: null, previewedBy } : undefined;
}

function isIdText(value: unknown): value is string {
  return typeof value === "string" && isId(value);
}
