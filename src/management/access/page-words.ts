import { createHmac, timingSafeEqual } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createInstanceKey } from "./instance-keys.ts";

/**
 * Signed words that identify sandboxed chat pages, because a browser reports the origin of every sandboxed page as
 * `null`. A word is valid for the lifetime of a chat, and only for bots that allow the same origins. A word for forms
 * (`formsOf`: a bot's public id) is valid only for posts of this bot's forms from a frame, and not for calls of the
 * API.
 */
export type PageWords = {
  /** Loads the key. No word is accepted before the key is loaded. */
  open(): Promise<void>;
  /** Creates a word for a page that is about to be sent. */
  make(allowed: readonly string[] | null, formsOf?: string): Promise<string>;
  isOurs(word: string | null | undefined, allowed: readonly string[] | null, formsOf?: string): boolean;
};

export function createPageWords(sql: Sql, now: () => number = Date.now): PageWords {
  const readKey = createInstanceKey(sql, "page-words");
  let key: Uint8Array | undefined;
  const signatureOf = (secret: Uint8Array, endsAt: string, ...said: Parameters<PageWords["make"]>): string => {
    const [allowed, formsOf] = said;
    const signed = [endsAt, allowed ?? [], ...(formsOf === undefined ? [] : [formsOf])];
    return createHmac("sha256", secret).update(JSON.stringify(signed)).digest("base64url");
  };
  const open = async (): Promise<Uint8Array> => (key ??= await readKey());
  return {
    async open() {
      await open();
    },
    async make(...said) {
      const endsAt = (now() + 60_000 * limits.session.lifetimeMinutes).toString(36);
      return `${endsAt}.${signatureOf(await open(), endsAt, ...said)}`;
    },
    isOurs(word, ...said) {
      const [, endsAt = "", signature = ""] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(word ?? "") ?? [];
      if (!key || Number.parseInt(endsAt, 36) <= now() || signature === "") return false;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(key, endsAt, ...said)));
    },
  };
}
