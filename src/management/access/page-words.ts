import { createHmac, timingSafeEqual } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createInstanceKey } from "./instance-keys.ts";

/**
 * What a chat page in a sandbox says of itself: a browser calls its origin `null`, as that of any other page in one. It is signed, good for as long
 * as a chat lives, and for bots that allow the same origins alone.
 */
export type PageWords = {
  /** Has the key at hand: until then no word is ours. */
  open(): Promise<void>;
  /** A word for a page that is sent now. */
  make(allowed: readonly string[] | null): Promise<string>;
  isOurs(word: string | null | undefined, allowed: readonly string[] | null): boolean;
};

export function createPageWords(sql: Sql, now: () => number = Date.now): PageWords {
  const readKey = createInstanceKey(sql, "page-words");
  let key: Uint8Array | undefined;
  const signatureOf = (secret: Uint8Array, endsAt: string, allowed: readonly string[] | null): string =>
    createHmac("sha256", secret)
      .update(JSON.stringify([endsAt, allowed ?? []]))
      .digest("base64url");
  const open = async (): Promise<Uint8Array> => (key ??= await readKey());
  return {
    async open() {
      await open();
    },
    async make(allowed) {
      const endsAt = (now() + 60_000 * limits.session.lifetimeMinutes).toString(36);
      return `${endsAt}.${signatureOf(await open(), endsAt, allowed)}`;
    },
    isOurs(word, allowed) {
      const [, endsAt = "", signature = ""] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(word ?? "") ?? [];
      if (!key || Number.parseInt(endsAt, 36) <= now() || signature === "") return false;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(key, endsAt, allowed)));
    },
  };
}
