import type { Settings } from "../../core/interpreter/schemas/settings.ts";
import { readTheme, withoutNulls } from "../../core/theme/stored-theme.ts";
import { at, filledTextAt, isObject, textAt } from "./read.ts";
import { pageSettings } from "./settings.ts";

/** A bot's theme and settings in the form that pages need. */
export type Bot = Readonly<ReturnType<typeof readBot>>;

/**
 * Reads a bot's theme and settings. The service validated them when they were written, so their types are trusted. Null
 * counts as absent.
 */
export function readBot(value: unknown) {
  const settings = withoutNulls(at(value, "settings"));
  return {
    /** The version of the bot's flow, which determines the theme's defaults. */
    version: textAt(value, "version"),
    name: filledTextAt(value, "name"),
    theme: readTheme(at(value, "theme")),
    settings: pageSettings(isSettings(settings) ? settings : {}),
  };
}

function isSettings(value: unknown): value is Settings {
  return isObject(value);
}
