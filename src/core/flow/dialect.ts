import { isJsonObject } from "../interpreter/flow.ts";
import type { StoredSettings } from "./document.ts";

/** The names that a client uses; the word is the key of a bot in its responses. */
export type Dialect = "bot" | "typebot";

/**
 * The stored format uses the reference product's names, since flows are exchanged; on `/bots` these names replace them.
 */
const sectionNames = new Map([["messenger", "whatsApp"]]);
const metadataNames = new Map([["tagManagerId", "googleTagManagerId"]]);
const reversedSectionNames = reverse(sectionNames);
const reversedMetadataNames = reverse(metadataNames);

/**
 * Settings as they are stored, from settings in a dialect. Order and unknown keys stay; if both names were sent, the
 * dialect's wins.
 */
export function settingsFromDialect(dialect: Dialect, settings: StoredSettings): StoredSettings {
  return dialect === "bot" ? renameSettings(settings, sectionNames, metadataNames) : settings;
}

/** Stored settings in a dialect. */
export function settingsInDialect(dialect: Dialect, settings: StoredSettings): StoredSettings {
  return dialect === "bot" ? renameSettings(settings, reversedSectionNames, reversedMetadataNames) : settings;
}

function renameSettings(settings: StoredSettings, sections: Names, metadata: Names): StoredSettings {
  const renamed = renameKeys(settings, sections);
  return mapKey(renamed, "metadata", (section) => (isJsonObject(section) ? renameKeys(section, metadata) : section));
}

type Names = ReadonlyMap<string, string>;

/** The object itself if no key is renamed. A key that already has the new name is replaced. */
function renameKeys(object: StoredSettings, names: Names): StoredSettings {
  const keys = Object.keys(object);
  const taken = new Set(keys.map((key) => names.get(key)).filter((name) => name !== undefined));
  if (taken.size === 0) return object;
  return Object.fromEntries(keys.filter((key) => !taken.has(key)).map((key) => [names.get(key) ?? key, object[key]]));
}

function mapKey(object: StoredSettings, key: string, change: (value: unknown) => unknown): StoredSettings {
  if (!Object.hasOwn(object, key)) return object;
  const changed = change(object[key]);
  if (changed === object[key]) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, name === key ? changed : value]));
}

function reverse(names: Names): Map<string, string> {
  return new Map([...names].map(([name, stored]) => [stored, name]));
}
