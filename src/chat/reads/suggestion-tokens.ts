import { createHmac, timingSafeEqual } from "node:crypto";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type { SuggestionParts } from "../../core/interpreter/program/call.ts";
import { createInstanceKey } from "../../management/access/instance-keys.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** A suggestion as it was sent to a chat. */
export type MadeFor = { readonly sessionId: string; readonly blockId: string; readonly text: string };

/**
 * Signs suggestions. A visitor's reply returns the parts of a suggestion. The signature prevents the visitor from
 * changing the parts or attaching them to another text.
 */
export type SuggestionTokens = {
  /** Creates the token of a suggestion. Only this instance can create it. */
  tokenFor(made: MadeFor, parts: SuggestionParts): Promise<string>;
  /** Returns the parts in a token, or undefined if the token was not created for this chat, block and text. */
  partsOf(made: MadeFor, token: string): Promise<SuggestionParts | undefined>;
};

export function createSuggestionTokens(sql: Sql): SuggestionTokens {
  const readKey = createInstanceKey(sql, "suggestions");
  const sign = async ({ sessionId, blockId, text }: MadeFor, facts: string): Promise<string> =>
    createHmac("sha256", await readKey())
      .update(JSON.stringify([sessionId, blockId, text, facts]))
      .digest("base64url");
  return {
    async tokenFor(made, parts) {
      const facts = Buffer.from(JSON.stringify(parts)).toString("base64url");
      return `${facts}.${await sign(made, facts)}`;
    },
    async partsOf(made, token) {
      const [, facts = "", signature = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? [];
      if (facts === "" || !timingSafeEqual(Buffer.from(signature), Buffer.from(await sign(made, facts))))
        return undefined;
      const parts = parseJsonOr(Buffer.from(facts, "base64url").toString(), undefined);
      return isJsonObject(parts) ? textsIn(parts) : undefined;
    },
  };
}

function textsIn(parts: Readonly<Record<string, unknown>>): SuggestionParts {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
