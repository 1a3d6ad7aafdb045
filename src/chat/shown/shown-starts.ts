import { valueAt } from "../../core/interpreter/flow.ts";
import { contentHash } from "../../core/replay/inputs.ts";
import { limits } from "../../limits/index.ts";
import { createInstanceKey } from "../../management/access/instance-keys.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { idBytes, idOfBytes } from "../../platform/ids.ts";
import { createSealedFacts } from "../../platform/sealed-facts.ts";

/**
 * The facts of a first step that a page has shown before its chat started. A start with these facts runs the same step
 * again.
 */
export type ShownFacts = {
  readonly botId: string;
  /** The number of the displayed version. */
  readonly number: number;
  readonly seed: string;
  /** Milliseconds since the epoch, by the database's clock. */
  readonly now: number;
  readonly resultId: string;
  /** A digest of the bubbles and the input that the page showed. */
  readonly digest: string;
};

/** Encrypts the facts of displayed first steps, so that pages can pass them on without reading or changing them. */
export type ShownStarts = {
  /** Encrypts facts. `key` is the idempotency key of the only start that may use them. */
  seal(facts: ShownFacts, key: string): Promise<string>;
  /**
   * Decrypts facts. Returns undefined if this instance did not encrypt the text, the key differs, or a newer release
   * encrypted the facts.
   */
  open(text: string, key: string): Promise<ShownFacts | undefined>;
};

const form = 1;
const ids = 2;
const idLength = 16;
const hashes = 3;
const factsLength = 1 + (ids + hashes) * idLength + 4 + 8;

export function createShownStarts(sql: Sql): ShownStarts {
  const sealed = createSealedFacts(createInstanceKey(sql, "shown-starts"), "shown-starts");
  return {
    seal: (facts, key) => sealed.seal(pack(facts, contentHash(key))),
    async open(text, key) {
      if (text.length > limits.page.shownCharacters) return undefined;
      const bytes = await sealed.open(text);
      return bytes && unpack(Buffer.from(bytes), contentHash(key));
    },
  };
}

/** Encodes facts in few bytes, because each page contains them twice. */
function pack({ botId, number, seed, now, resultId, digest }: ShownFacts, keyHash: string): Uint8Array {
  const numbers = Buffer.alloc(4 + 8);
  numbers.writeUInt32BE(number);
  numbers.writeDoubleBE(now, 4);
  const parts = [seed, digest, keyHash].map((hex) => Buffer.from(hex, "hex"));
  return Buffer.concat([Buffer.of(form), idBytes(botId), idBytes(resultId), ...parts, numbers]);
}

/** Decodes facts. Returns undefined for facts of a newer release or for another key. */
function unpack(bytes: Buffer, keyHash: string): ShownFacts | undefined {
  if (bytes[0] !== form || bytes.length !== factsLength) return undefined;
  const part = (index: number) => bytes.subarray(1 + index * idLength, 1 + (index + 1) * idLength);
  if (part(4).toString("hex") !== keyHash) return undefined;
  const numbers = bytes.subarray(1 + (ids + hashes) * idLength);
  return {
    ...{ botId: idOfBytes(part(0)), resultId: idOfBytes(part(1)) },
    ...{ seed: part(2).toString("hex"), digest: part(3).toString("hex") },
    ...{ number: numbers.readUInt32BE(), now: numbers.readDoubleBE(4) },
  };
}

/**
 * Whether these facts belong to this bot and are recent enough. The key of their start is stored for the same time, so
 * that a page starts only one chat.
 */
export function isOfStart({ botId, now }: { readonly botId: string; readonly now: Date }, shown: ShownFacts): boolean {
  return shown.botId === botId && now.getTime() - shown.now < limits.idempotency.hours * 3_600_000;
}

/** Returns a digest of a response's bubbles and input. */
export function digestOf(response: unknown): string {
  return contentHash([valueAt(response, "messages") ?? [], valueAt(response, "input") ?? null]);
}
