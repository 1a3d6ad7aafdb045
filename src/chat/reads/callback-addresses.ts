import { createHmac, timingSafeEqual } from "node:crypto";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import { AppError } from "../../errors.ts";
import { createInstanceKey } from "../../management/access/instance-keys.ts";
import type { FileDependencies } from "../../management/files/dependencies.ts";
import { ownOrigin } from "../../management/files/file-addresses.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";

/** A block of a bot at which a chat waits for a call. */
export type CallbackTarget = {
  readonly botId: string;
  readonly blockId: string;
  /** The result of the chat; null in a preview, which is the newest one of `previewedBy`. */
  readonly resultId: string | null;
  readonly previewedBy: string | null;
};

/** Signs the addresses by which other programs call chats. */
export type CallbackTokens = {
  /** The token of a target; only this instance can make it. */
  tokenFor(target: CallbackTarget): Promise<string>;
  /** Throws `callback.not_found` when the token is not ours. */
  targetOf(token: string): Promise<CallbackTarget>;
};

export function createCallbackTokens(sql: Sql): CallbackTokens {
  const readKey = createInstanceKey(sql, "callback-addresses");
  const sign = async (facts: string): Promise<string> =>
    createHmac("sha256", await readKey())
      .update(facts)
      .digest("base64url");
  return {
    async tokenFor({ botId, blockId, resultId, previewedBy }) {
      const facts = Buffer.from(JSON.stringify([botId, blockId, resultId, previewedBy])).toString("base64url");
      return `${facts}.${await sign(facts)}`;
    },
    async targetOf(token) {
      const [, facts = "", signature = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
      if (facts === "" || !timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(facts)))) throw notFound();
      const target = targetIn(parseJsonOr(Buffer.from(facts, "base64url").toString(), null));
      if (!target) throw notFound();
      return target;
    },
  };
}

function targetIn(facts: unknown): CallbackTarget | undefined {
  if (!Array.isArray(facts)) return undefined;
  const [botId, blockId, resultId, previewedBy]: unknown[] = facts;
  const areIds =
    isIdText(botId) && (resultId === null || isIdText(resultId)) && (previewedBy === null || isIdText(previewedBy));
  return areIds && typeof blockId === "string" ? { botId, blockId, resultId, previewedBy } : undefined;
}

function isIdText(value: unknown): value is string {
  return typeof value === "string" && isId(value);
}

function notFound(): AppError {
  return new AppError("callback.not_found");
}

/** The address of a block of this session; undefined for a preview without a token. */
export function callbackAddresses(
  deps: Pick<FileDependencies, "config" | "ports"> & { readonly callbackTokens: CallbackTokens },
  { botId, resultId, previewedBy }: Omit<CallbackTarget, "blockId">,
): (blockId: string) => Promise<string | undefined> {
  return async (blockId) => {
    if (resultId === null && previewedBy === null) return undefined;
    const token = await deps.callbackTokens.tokenFor({ botId, blockId, resultId, previewedBy });
    const { CHAT_URL, PUBLIC_URL } = deps.config;
    return `${(CHAT_URL ?? PUBLIC_URL ?? ownOrigin(deps)).replace(/\/$/, "")}/api/v1/callbacks/${token}`;
  };
}
