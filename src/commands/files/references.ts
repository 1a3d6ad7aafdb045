import { at, isObject } from "../../web/conversation/read.ts";

/** Functions that return a new name for a reference in a flow, or undefined to retain the existing name. */
export type Names = {
  bot(id: string): string | undefined;
  credentials?(id: string): string | undefined;
};

/**
 * Reserved values that occur instead of an id: the empty text, `current` for the bot itself, and `default` for the
 * operator's own mail server.
 */
const ownWords = new Set(["", "current", "default"]);
const credentialKeys = new Set(["credentialsId", "proxyCredentialsId"]);

/** Returns a flow, or a part of one, with its references to bots and credentials renamed. The rest is unchanged. */
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
