import type { Settings } from "../../core/interpreter/schemas/settings.ts";
import type { Theme } from "../../core/interpreter/schemas/theme.ts";
import { readTheme, withoutNulls } from "../../core/theme/stored-theme.ts";
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

function readSettings(stored: unknown): PageSettings {
  const settings = withoutNulls(stored);
  return pageSettings(isSettings(settings) ? settings : {});
}

function isSettings(value: unknown): value is Settings {
  return isObject(value);
}
