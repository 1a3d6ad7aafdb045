import { isJsonObject, type JsonObject, valueAt } from "../flow.ts";
import type { Program, ShownBot } from "../program/program.ts";
import { currentFrame, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** The key of the tag manager's id in each dialect. The stored key is `googleTagManagerId`. */
type TagManagerKey = "tagManagerId" | "googleTagManagerId";

/**
 * Returns the bot for the response of a start. `hidesBranding`: whether to disable the vendor's badge, which older
 * clients show unless a setting disables it. `language`: the language of the bot's texts.
 */
export function botOf(
  step: Step,
  tagManagerKey: TagManagerKey,
  { hidesBranding = false, language }: { hidesBranding?: boolean; language?: string | undefined } = {},
): ShownBot {
  const { program } = currentFrame(step);
  const { flow, shownBots } = program;
  const name = `${tagManagerKey} ${hidesBranding} ${language}`;
  const known = shownBots.get(name);
  if (known) return known;
  const theme = flow.theme ?? {};
  const visible = inLanguage(visibleSettings(program, tagManagerKey), language);
  const settings = hidesBranding ? unbranded(visible) : visible;
  const view = viewOf(step);
  const version = flow.version ?? (program.isLegacy ? "3" : "6");
  const shown = { version, theme: view.deep(theme), settings: view.deep(settings) };
  if (!JSON.stringify([theme, settings]).includes("{{")) shownBots.set(name, shown);
  return shown;
}

/** Adds the guessed language to settings that contain no language. */
function inLanguage(settings: JsonObject, language: string | undefined): JsonObject {
  const general = valueAt(settings, "general");
  if (language === undefined || valueAt(general, "language")) return settings;
  return { ...settings, general: { ...(isJsonObject(general) && general), language } };
}

function unbranded(settings: JsonObject): JsonObject {
  const general = valueAt(settings, "general");
  return { ...settings, general: { ...(isJsonObject(general) && general), isBrandingEnabled: false } };
}

/**
 * Returns the settings for the page: `general`, `typingEmulation`, `answers` for clients that support this section,
 * `metadata` without head code, and one field of `security`. Head code is a separate action. Unknown keys of `general`,
 * `typingEmulation`, `answers` and `metadata` are included.
 */
function visibleSettings({ flow, settings }: Program, tagManagerKey: TagManagerKey): JsonObject {
  const visible: Record<string, unknown> = {};
  // Clients of the reference product do not support `answers`.
  const sections = ["general", "typingEmulation", ...(tagManagerKey === "tagManagerId" ? ["answers"] : [])];
  for (const section of sections) {
    const value = valueAt(flow.settings, section);
    if (isJsonObject(value)) visible[section] = value;
  }
  // Pages that embed the chat need the field `isAuthorCodeDisabled`.
  if (settings.security?.isAuthorCodeDisabled) visible["security"] = { isAuthorCodeDisabled: true };
  const metadata = valueAt(flow.settings, "metadata");
  if (!isJsonObject(metadata)) return visible;
  const { customHeadCode: _, googleTagManagerId, ...rest } = metadata;
  return {
    ...visible,
    metadata: { ...rest, ...(googleTagManagerId !== undefined && { [tagManagerKey]: googleTagManagerId }) },
  };
}
