import { isJsonObject } from "../interpreter/flow.ts";
import type { StoredSettings } from "./document.ts";

/** The naming scheme of a client. The dialect is also the key of the bot in responses to the client. */
export type Dialect = "bot" | "typebot";

/**
 * The stored format uses the names of the reference product, so that flows can be exchanged with it. Requests to
 * `/bots` use Parley's own names.
 */
const sectionNames = new Map([["messenger", "whatsApp"]]);
const metadataNames = new Map([["tagManagerId", "googleTagManagerId"]]);
const reversedSectionNames = reverse(sectionNames);
const reversedMetadataNames = reverse(metadataNames);

/**
 * Converts settings from a dialect to the stored format. Key order and unknown keys are preserved. If both names were
 * sent, the name of the dialect takes precedence.
 */
export function settingsFromDialect(dialect: Dialect, settings: StoredSettings): StoredSettings {
  return dialect === "bot" ? renameSettings(settings, sectionNames, metadataNames) : settings;
}

/** Converts stored settings to a dialect. */
export function settingsInDialect(dialect: Dialect, settings: StoredSettings): StoredSettings {
  return dialect === "bot" ? renameSettings(settings, reversedSectionNames, reversedMetadataNames) : settings;
}

function renameSettings(settings: StoredSettings, sections: Names, metadata: Names): StoredSettings {
  const renamed = renameKeys(settings, sections);
  return mapKey(renamed, "metadata", (section) => (isJsonObject(section) ? renameKeys(section, metadata) : section));
}

type Names = ReadonlyMap<string, string>;

/**
 * Renames keys of an object. Returns the same object if no key is renamed. An existing key with the new name is
 * overwritten.
 */
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
