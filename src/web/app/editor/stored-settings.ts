import { isJsonObject, type JsonObject } from "../../../interpreter/flow.ts";

/**
 * Settings by the names under which they are stored, of which change sets speak. `/api/v1/bots` has other names for two of them; a key that has the
 * stored name gives way.
 */
export function storedSettings(settings: unknown): unknown {
  if (!isJsonObject(settings)) return settings;
  const renamed = withName(settings, "messenger", "whatsApp");
  const { metadata } = renamed;
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, "tagManagerId")) return renamed;
  return { ...renamed, metadata: withName(metadata, "tagManagerId", "googleTagManagerId") };
}

function withName(object: JsonObject, told: string, stored: string): JsonObject {
  if (!Object.hasOwn(object, told)) return object;
  const entries = Object.entries(object).filter(([key]) => key !== stored);
  return Object.fromEntries(entries.map(([key, value]) => [key === told ? stored : key, value]));
}
