import type { Settings } from "../../core/interpreter/schemas/settings.ts";
import { readTheme, withoutNulls } from "../../core/theme/stored-theme.ts";
import { at, filledTextAt, isObject, textAt } from "./read.ts";
import { pageSettings } from "./settings.ts";

/** A bot's theme and settings in the form that pages use. */
export type Bot = Readonly<ReturnType<typeof readBot>>;

/**
 * Reads the bot of a start or a session. The service validated theme and settings when they were written, so their
 * types are trusted here; null counts as absent.
 */
export function readBot(value: unknown) {
  const settings = withoutNulls(at(value, "settings"));
  return {
    /** The version of the bot's flow, which decides the theme's defaults. */
    version: textAt(value, "version"),
    name: filledTextAt(value, "name"),
    theme: readTheme(at(value, "theme")),
    settings: pageSettings(isSettings(settings) ? settings : {}),
  };
}

function isSettings(value: unknown): value is Settings {
  return isObject(value);
}
