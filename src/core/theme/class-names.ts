import { markKind, markNames } from "../interpreter/rich-text/marks.ts";

/**
 * The classes of the chat page and the embed that authors' style sheets may name: they stay from release to release.
 * `docs/moving.md` lists them.
 */
export const keptClasses: ReadonlySet<string> = new Set([
  ...["typebot-container", "typebot-chat-view", "flex", "typebot-chat-chunk", "typebot-loading-chunk"],
  ...[
    "typebot-host-bubble",
    "bubble-typing",
    "bubble1",
    "bubble2",
    "bubble3",
    "typebot-guest-bubble",
    "guest-container",
  ],
  ...["typebot-avatar-container", "typebot-input-container", "typebot-input-form", "typebot-input", "text-input"],
  ...["typebot-input-error-message", "typebot-button", "secondary-button", "send-icon", "typebot-buttons-input"],
  ...["typebot-selectable", "typebot-checkbox", "typebot-picture-button", "typebot-selectable-picture", "typebot-card"],
  ...[
    "typebot-upload-input",
    "typebot-country-select",
    "typebot-datetime-input",
    "rating-label",
    "rating-icon-container",
  ],
  ...["typebot-progress-bar-container", "typebot-progress-bar", "lite-badge"],
  ...markNames.filter((mark) => markKind(mark).page === "class").map((mark) => `slate-${mark}`),
]);

/** The classes that the selectors of a style sheet name. */
export function classesIn(selector: string): string[] {
  return [...selector.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? "");
}
