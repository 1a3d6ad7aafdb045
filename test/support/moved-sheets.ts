import type { Locator } from "playwright-core";

export type MovedSheet = {
  readonly css: string;
  /** The background colour of the bot's first message. */
  readonly ground: string;
  readonly ink: string;
  /** The corners of the box behind the text. Undefined for the corners of the theme. */
  readonly corners?: string;
};

/**
 * Style sheets of imported bots. The box behind a bot's message is the first child of the message. The sixth to eighth
 * style sheets were written before this child existed and style the message itself, so no box may cover the message.
 */
export const movedSheets: readonly MovedSheet[] = [
  {
    css: ".typebot-host-bubble > .bubble-typing { background: #202c33 !important; border-radius: 3px } .typebot-host-bubble { color: #fff !important }",
    ...{ ground: "rgb(32, 44, 51)", ink: "rgb(255, 255, 255)", corners: "3px" },
  },
  {
    css: ".typebot-host-bubble>.bubble-typing{background-color:#fff;border:none}.typebot-host-bubble{color:#111}",
    ...{ ground: "rgb(255, 255, 255)", ink: "rgb(17, 17, 17)" },
  },
  {
    css: ".typebot-container .typebot-host-bubble > .bubble-typing { background: #dcf8c6 } .typebot-host-bubble { color: #000 }",
    ...{ ground: "rgb(220, 248, 198)", ink: "rgb(0, 0, 0)" },
  },
  {
    css: ".bubble-typing { background: #3b0764 !important } .typebot-host-bubble * { color: #fafafa !important }",
    ...{ ground: "rgb(59, 7, 100)", ink: "rgb(250, 250, 250)" },
  },
  {
    css: ".typebot-host-bubble { border-radius: 0 } .bubble1, .bubble2, .bubble3 { background: red }",
    ...{ ground: "rgb(255, 255, 255)", ink: "rgb(32, 32, 32)", corners: "0px" },
  },
  {
    css: ".typebot-host-bubble { background: #0f172a; color: #e2e8f0; border: 1px solid #334155 }",
    ...{ ground: "rgb(15, 23, 42)", ink: "rgb(226, 232, 240)" },
  },
  {
    css: "@media (min-width: 1px) { .typebot-host-bubble { background: navy !important; color: white } }",
    ...{ ground: "rgb(0, 0, 128)", ink: "rgb(255, 255, 255)" },
  },
  {
    css: "/* .bubble */ .typebot-host-bubble { border: 2px solid red }",
    ...{ ground: "rgb(255, 255, 255)", ink: "rgb(32, 32, 32)" },
  },
  {
    css: ".typebot-host-bubble { color: #123456 } .typebot-guest-bubble { background: teal }",
    ...{ ground: "rgb(255, 255, 255)", ink: "rgb(18, 52, 86)" },
  },
  {
    css: ".typebot-chat-view > .flex:first-child { padding-top: 80px }",
    ...{ ground: "rgb(255, 255, 255)", ink: "rgb(32, 32, 32)" },
  },
];

/**
 * Returns the style of a chat's first message, the content above it, and whether the input field is visible in the
 * window. Returns undefined if one of these elements is missing.
 */
export function drawnOf(chat: Locator) {
  return chat.locator(".typebot-chat-view").evaluate((view) => {
    const bubble = view.querySelector(".typebot-host-bubble");
    const child = bubble?.querySelector(":scope > .bubble-typing:first-child");
    const first = view.firstElementChild;
    const field = view.querySelector(".text-input")?.getBoundingClientRect();
    if (!bubble || !child || !first || !field) return undefined;
    const behind = getComputedStyle(child);
    const grounds = [getComputedStyle(bubble), behind].map(({ backgroundColor }) => backgroundColor);
    const text = getComputedStyle(bubble.querySelector("p, div:not(.bubble-typing), span") ?? bubble);
    return {
      grounds: grounds.filter((color) => color !== "rgba(0, 0, 0, 0)"),
      ink: text.color,
      corners: behind.borderTopLeftRadius,
      room: [first.classList.contains("flex"), getComputedStyle(first).paddingTop],
      isFieldInWindow: field.bottom <= innerHeight && field.top > 0,
    };
  });
}
