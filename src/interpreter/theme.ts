import { themeDefaults } from "../flow/schemas/defaults.ts";
import { isJsonObject, type JsonObject, valueAt } from "./flow.ts";
import type { Program } from "./program.ts";
import { head, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** What the spelling of a response calls the tag manager's id; it is stored as `googleTagManagerId`. */
export type TagManagerKey = "tagManagerId" | "googleTagManagerId";

/**
 * What a start tells about the bot: its theme and the settings a page needs, with variables replaced. Existing clients draw
 * their vendor's badge unless they are told not to.
 */
export function botOf(
  step: Step,
  tagManagerKey: TagManagerKey,
  { hidesBranding = false } = {},
): { version: string; theme: unknown; settings: unknown } {
  const { program } = head(step);
  const { flow } = program;
  const view = viewOf(step);
  const settings = visibleSettings(program, tagManagerKey);
  return {
    version: flow.version ?? (program.isLegacy ? "3" : "6"),
    theme: view.deep(flow.theme ?? {}),
    settings: view.deep(hidesBranding ? unbranded(settings) : settings),
  };
}

function unbranded(settings: JsonObject): JsonObject {
  const general = valueAt(settings, "general");
  return { ...settings, general: { ...(isJsonObject(general) && general), isBrandingEnabled: false } };
}

/** Avatars and background that follow variables: sent with every step where the theme names a variable for them. */
export function dynamicThemeOf(step: Step): Record<string, string> | undefined {
  const { general, chat } = step.frames.at(-1)?.program.theme ?? {};
  const { hostAvatar, guestAvatar } = chat ?? {};
  const found = Object.entries({
    hostAvatarUrl: (hostAvatar?.isEnabled ?? themeDefaults.isHostAvatarShown) ? hostAvatar?.url : undefined,
    guestAvatarUrl: (guestAvatar?.isEnabled ?? themeDefaults.isGuestAvatarShown) ? guestAvatar?.url : undefined,
    backgroundUrl: general?.background?.content,
  }).filter(([, url]) => url?.startsWith("{{"));
  if (found.length === 0) return undefined;
  const view = viewOf(step);
  return Object.fromEntries(found.map(([name, url]) => [name, view.text(url)]));
}

/** `security`, `messenger` and `publicShare` never leave; head code comes as an action of its own. Unknown keys do leave. */
function visibleSettings({ flow, settings }: Program, tagManagerKey: TagManagerKey): JsonObject {
  const visible: Record<string, unknown> = {};
  for (const section of ["general", "typingEmulation"]) {
    const value = valueAt(flow.settings, section);
    if (isJsonObject(value)) visible[section] = value;
  }
  // Pages of other sites that embed the chat have to know it; what else the section says is none of theirs.
  if (settings.security?.isAuthorCodeDisabled) visible["security"] = { isAuthorCodeDisabled: true };
  const metadata = valueAt(flow.settings, "metadata");
  if (!isJsonObject(metadata)) return visible;
  const { customHeadCode: _, googleTagManagerId, ...rest } = metadata;
  return {
    ...visible,
    metadata: { ...rest, ...(googleTagManagerId !== undefined && { [tagManagerKey]: googleTagManagerId }) },
  };
}
