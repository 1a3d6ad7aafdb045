import type { Settings } from "../../core/interpreter/schemas/settings.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { isObject, type Json } from "./read.ts";
import { type PageSettings, pageSettings } from "./settings.ts";

/** A bot's theme and settings, as pages use them. */
export type Bot = {
  /** Version of its flow, which decides the theme's defaults. */
  readonly version: string | undefined;
  readonly name: string | undefined;
  readonly theme: Theme;
  readonly settings: PageSettings;
};

/**
 * Reads the bot of a start or a session. The service validated theme and settings when they were written, so their types are
 * trusted here; null counts as absent.
 */
export function readBot(value: unknown): Bot {
  const { version, name, theme, settings }: Json = isObject(value) ? value : {};
  return {
    version: typeof version === "string" ? version : undefined,
    name: typeof name === "string" && name !== "" ? name : undefined,
    theme: readTheme(theme),
    settings: readSettings(settings),
  };
}

/** A theme as it is stored. */
export function readTheme(stored: unknown): Theme {
  const theme = withoutNulls(stored);
  return isChecked<Theme>(theme) ? theme : {};
}

function readSettings(stored: unknown): PageSettings {
  const settings = withoutNulls(stored);
  return pageSettings(isChecked<Settings>(settings) ? settings : {});
}

function isChecked<Part extends Theme | Settings>(value: unknown): value is Part {
  return isObject(value);
}

/** Stored documents nest to a bounded depth, so recursion is safe. */
function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
