import { findSessionLanguage } from "../chat/reads/sessions.sql.ts";
import { commonSettingsOf } from "../core/channels/settings.ts";
import { type Texts, textsOf } from "../core/channels/texts.ts";
import type { JsonObject } from "../core/interpreter/flow.ts";
import type { Sql } from "../platform/database/sql.ts";

/**
 * Returns the texts of a connection. If a text is not set, its default is used: in the connection's own language,
 * otherwise in the first of `languages` that has defaults, otherwise in English.
 */
export function connectionTexts(settings: JsonObject, ...languages: readonly (string | null | undefined)[]): Texts {
  const { texts, language } = commonSettingsOf(settings);
  return textsOf(texts, [language, ...languages]);
}

/**
 * Returns the texts of a connection in a chat. Reads the language of the chat's flow only if the connection has no
 * language of its own.
 */
export async function textsInChat(
  sql: Sql,
  settings: JsonObject,
  { sessionId, language }: { readonly sessionId: string | null; readonly language: string | null },
): Promise<Texts> {
  const isSet = commonSettingsOf(settings).language !== undefined;
  const ofFlow = sessionId === null || isSet ? undefined : await findSessionLanguage(sql, sessionId);
  return connectionTexts(settings, ofFlow, language);
}
