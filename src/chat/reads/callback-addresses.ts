import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import { createInstanceKey } from "../../management/access/instance-keys.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import { ownOrigin } from "../../management/files/file-addresses.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { createSealedFacts } from "../../platform/sealed-facts.ts";
import {
  type CallbackTarget,
  packTarget,
  readFormerTarget,
  unpackTarget,
  writeFormerTarget,
} from "./callback-facts.ts";

/**
 * Creates and reads the tokens in callback URLs, with which other programs call chats. Only this instance can create
 * these tokens.
 */
export type CallbackTokens = {
  /** Creates a token that reveals no ids: `2.` and the encrypted target. Equal targets have equal tokens. */
  tokenFor(target: CallbackTarget): Promise<string>;
  /**
   * Creates a token in the earlier format, which shows the ids of the bot, block and result. Nodes of earlier releases
   * read only this format.
   */
  formerTokenFor(target: CallbackTarget): Promise<string>;
  /**
   * Returns the target of a token in either format. Throws `callback.not_found` if this instance did not create the
   * token.
   */
  targetOf(token: string): Promise<CallbackTarget>;
};

const prefix = "2.";

export function createCallbackTokens(sql: Sql): CallbackTokens {
  const readKey = createInstanceKey(sql, "callback-addresses");
  const sealed = createSealedFacts(readKey, "callback-addresses 2", { isShown: true });
  const sign = async (facts: string): Promise<string> =>
    createHmac("sha256", await readKey())
      .update(facts)
      .digest("base64url");
  const openSealed = async (text: string): Promise<CallbackTarget | undefined> => {
    const facts = await sealed.open(text);
    return facts && unpackTarget(facts);
  };
  const openFormer = async (token: string): Promise<CallbackTarget | undefined> => {
    const [, facts = "", signature = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
    if (facts === "" || !timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(facts)))) return undefined;
    return readFormerTarget(facts);
  };
  return {
    tokenFor: async (target) => `${prefix}${await sealed.seal(packTarget(target))}`,
    async formerTokenFor(target) {
      const facts = writeFormerTarget(target);
      return `${facts}.${await sign(facts)}`;
    },
    async targetOf(token) {
      // In the earlier format, a token is an encoded JSON list, which never starts with this prefix.
      const isSealed = token.startsWith(prefix);
      const target = await (isSealed ? openSealed(token.slice(prefix.length)) : openFormer(token));
      if (!target) throw new AppError("callback.not_found");
      return target;
    },
  };
}

/** The session for which callback URLs are created. */
type Addressed = Pick<CallbackTarget, "botId" | "resultId" | "previewedBy"> & { readonly id: string };

/** Returns a function that creates a block's callback URL. For an anonymous preview, the function returns undefined. */
export function callbackAddresses(
  deps: Pick<FileDependencies, "config" | "ports" | "olderNodes"> & { readonly callbackTokens: CallbackTokens },
  { id, botId, resultId, previewedBy }: Addressed,
): (blockId: string) => Promise<string | undefined> {
  return async (blockId) => {
    if (resultId === null && previewedBy === null) return undefined;
    const target = { botId, blockId, resultId, sessionId: id, previewedBy };
    const token = (await deps.olderNodes.areConnected("sealedCallbacks"))
      ? await deps.callbackTokens.formerTokenFor(target)
      : await deps.callbackTokens.tokenFor(target);
    const { CHAT_URL, PUBLIC_URL } = deps.config;
    return `${(CHAT_URL ?? PUBLIC_URL ?? ownOrigin(deps)).replace(/\/$/, "")}/api/v1/callbacks/${token}`;
  };
}
