import { at, isObject } from "../../web/conversation/read.ts";

/** New names for the references of flows; undefined keeps the existing name. */
export type Names = {
  bot(id: string): string | undefined;
  credentials?(id: string): string | undefined;
};

/** Values in place of an id that refer to nothing outside: the bot itself, and the operator's own mail server. */
const ownWords = new Set(["", "current", "default"]);
const credentialKeys = new Set(["credentialsId", "proxyCredentialsId"]);

/**
 * Returns a part of a flow (groups, a block, a whole flow) with other names for the bots and credentials that it refers
 * to. Everything else stays.
 */
export function withNames(value: unknown, names: Names): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withNames(each, names));
  if (!isObject(value)) return value;
  const linked = value["type"] === "Typebot link" ? at(value, "options", "typebotId") : undefined;
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (credentialKeys.has(key) && typeof inner === "string") return [key, named(inner, names.credentials)];
    if (key !== "options" || typeof linked !== "string") return [key, withNames(inner, names)];
    return [key, { ...(isObject(inner) && inner), typebotId: named(linked, names.bot) }];
  });
  return Object.fromEntries(fields);
}

function named(id: string, find: ((id: string) => string | undefined) | undefined): string {
  return ownWords.has(id) ? id : (find?.(id) ?? id);
}
