import { booleanAt, isJsonObject, type JsonObject, textAt, valueAt } from "./flow.ts";
import { head, type Step } from "./step.ts";
import { viewOf } from "./step-view.ts";

/** What a start tells about the bot: its theme and the settings a page needs, with variables replaced. */
export function botOf(step: Step): { version: string; theme: unknown; settings: unknown } {
  const { program } = head(step);
  const { flow } = program;
  const view = viewOf(step);
  return {
    version: flow.version ?? (program.isLegacy ? "3" : "6"),
    theme: view.deep(flow.theme ?? {}),
    settings: view.deep(visibleSettings(flow.settings)),
  };
}

/** Avatars and background that follow variables: sent with every step where the theme names a variable for them. */
export function dynamicThemeOf(step: Step): Record<string, string> | undefined {
  const theme = step.frames.at(-1)?.program.flow.theme;
  const found = Object.entries({
    hostAvatarUrl: avatarOf(theme, "hostAvatar", true),
    guestAvatarUrl: avatarOf(theme, "guestAvatar", false),
    backgroundUrl: textAt(theme, "general", "background", "content"),
  }).filter(([, url]) => url?.startsWith("{{"));
  if (found.length === 0) return undefined;
  const view = viewOf(step);
  return Object.fromEntries(found.map(([name, url]) => [name, view.text(url)]));
}

function avatarOf(theme: unknown, name: string, isShownByDefault: boolean): string | undefined {
  const isShown = booleanAt(theme, "chat", name, "isEnabled") ?? isShownByDefault;
  return isShown ? textAt(theme, "chat", name, "url") : undefined;
}

/** `security`, `messenger` and `publicShare` never leave; head code comes as an action of its own. */
function visibleSettings(settings: JsonObject | null | undefined): JsonObject {
  const visible: Record<string, unknown> = {};
  for (const section of ["general", "typingEmulation", "metadata"]) {
    const value = valueAt(settings, section);
    if (!isJsonObject(value)) continue;
    const { customHeadCode: _, ...rest } = value;
    visible[section] = section === "metadata" ? rest : value;
  }
  return visible;
}
