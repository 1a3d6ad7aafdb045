import { markKind, markNames } from "../../interpreter/rich-text/marks.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { SettingsSchema } from "../../interpreter/schemas/settings.ts";
import { formerMembers } from "../../theme/former-element.ts";
import { drawsMessages, sheetRules } from "../../theme/sheet-rules.ts";
import { readTheme } from "../../theme/stored-theme.ts";
import type { Rule } from "../rule.ts";

export const headCodeNeeds: Rule = {
  name: "head_code_needs",
  severity: "warning",
  about: `Head code uses a member of the shadow root of \`typebot-standard\` that the chat page does not have, so the script stops with an error. The page has ${formerMembers.map((name) => `\`${name}\``).join(", ")}, which access the page's own chat. The rule does not report members of a shadow root that the code first stores in a variable.`,
  advice: "Use `document` instead: the chat is the page itself, in `#__next`.",
  *find({ flow }) {
    const code = readKnown(SettingsSchema, flow.settings)?.metadata?.customHeadCode;
    if (!code) return;
    const named = [...code.matchAll(/shadowRoot\s*\??\.\s*([A-Za-z_$][\w$]*)/g)].map(([, name]) => name ?? "");
    const missing = [...new Set(named)].filter((name) => !formerMembers.some((known) => known === name));
    if (missing.length === 0) return;
    const list = missing.map((name) => `\`${name}\``).join(", ");
    yield {
      path: "settings.metadata.customHeadCode",
      message: `Head code uses ${list} of the shadow root of typebot-standard, which the chat page does not have.`,
    };
  },
};

export const unmatchedSelectors: Rule = {
  name: "unmatched_selectors",
  severity: "info",
  about:
    "The custom CSS uses classes that no element of the chat page has, so these rules have no effect. Classes that the bot's head code creates are not reported. `docs/moving.md` lists the classes that pages keep.",
  advice: "Use one of the classes that pages keep, or remove the rule.",
  *find({ flow }) {
    const { customCss = "", dark } = readTheme(flow.theme);
    const headCode = readKnown(SettingsSchema, flow.settings)?.metadata?.customHeadCode ?? "";
    const classes = sheetRules(`${customCss}\n${dark?.customCss ?? ""}`).flatMap(({ selector }) => classesIn(selector));
    const unmatched = [...new Set(classes)].filter((name) => !keptClasses.has(name) && !headCode.includes(name));
    if (unmatched.length === 0) return;
    const named = unmatched.slice(0, shownClasses).map((name) => `\`.${name}\``);
    const more = unmatched.length - named.length;
    const list = named.join(", ") + (more > 0 ? ` and ${more} more` : "");
    yield { path: "theme.customCss", message: `The custom CSS uses classes that the page does not have: ${list}.` };
  },
};

/** The maximum number of classes in a message. A style sheet may contain thousands. */
const shownClasses = 10;

export const drawnMessages: Rule = {
  name: "drawn_messages",
  severity: "info",
  about:
    "The custom CSS gives `.typebot-host-bubble` a background or a border and has no rule for its child `.bubble-typing`, which is behind the text. With such CSS, the page leaves the child transparent and applies the theme to the message itself.",
  advice:
    "You do not need to change anything. CSS with `.typebot-host-bubble > .bubble-typing` works in Parley and in existing clients.",
  *find({ flow }) {
    const { customCss = "", dark } = readTheme(flow.theme);
    if (!drawsMessages(`${customCss}\n${dark?.customCss ?? ""}`)) return;
    yield { path: "theme.customCss", message: "The custom CSS styles the bot's messages directly." };
  },
};

/**
 * The CSS classes of the chat page and the embed that authors' style sheets may use. The classes do not change between
 * releases and are listed in `docs/moving.md`.
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

function classesIn(selector: string): string[] {
  return [...selector.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name ?? "");
}
