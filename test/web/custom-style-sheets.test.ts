import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

/** Style sheets such as authors write for existing clients: their class names are here, and the dock stays in place. */
let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** A rule of an author's, and what it changes of which element. */
const sheets = [
  [".typebot-container { background: rgb(1, 2, 3) }", ".typebot-container", "background-color", "rgb(1, 2, 3)"],
  [".typebot-chat-view { max-width: 300px }", ".typebot-chat-view", "max-width", "300px"],
  [".typebot-chat-view { padding-bottom: 20px }", ".typebot-chat-view", "padding-bottom", "20px"],
  [".typebot-chat-chunk { margin-top: 40px }", ".typebot-chat-chunk", "margin-top", "40px"],
  [".typebot-host-bubble { border-radius: 0 }", ".typebot-host-bubble", "border-top-left-radius", "0px"],
  [".typebot-host-bubble { background: red !important }", ".is-text", "background-color", "rgb(255, 0, 0)"],
  [".typebot-host-bubble { background: red; color: white }", ".is-text", "color", "rgb(255, 255, 255)"],
  [".typebot-guest-bubble { background: teal }", ".typebot-guest-bubble", "background-color", "rgb(0, 128, 128)"],
  [".guest-container { padding: 9px }", ".guest-container", "padding-top", "9px"],
  [".typebot-avatar-container { display: none }", ".typebot-avatar-container", "display", "none"],
  [
    ".typebot-input-container { background: pink }",
    ".typebot-input-container",
    "background-color",
    "rgb(255, 192, 203)",
  ],
  [".typebot-input-form { gap: 30px }", ".typebot-input-form", "row-gap", "30px"],
  [".typebot-input { border: 3px solid blue }", ".typebot-input", "border-top-width", "3px"],
  [".typebot-input { max-width: 350px }", ".typebot-input", "max-width", "350px"],
  [".text-input { font-size: 20px }", ".text-input", "font-size", "20px"],
  [".typebot-input { box-shadow: none }", ".typebot-input", "box-shadow", "none"],
  [".typebot-button { text-transform: uppercase }", ".typebot-button", "text-transform", "uppercase"],
  [".send-icon { fill: yellow }", ".send-icon", "fill", "rgb(255, 255, 0)"],
  [".slate-bold { color: green }", ".slate-bold", "color", "rgb(0, 128, 0)"],
  [".lite-badge { display: none !important }", ".lite-badge", "display", "none"],
] as const;

inBrowser(
  "twenty style sheets of authors change what they name, and the dock stays in the window",
  async ({ page }) => {
    const bold = { type: "p", children: [{ text: "Well?", bold: true }] };
    const list = { type: "ul", children: [{ type: "li", children: [{ text: "Tea" }] }] };
    const flow = flowOf([
      says("Name?"),
      asks("text input"),
      { id: "bold", type: "text", content: { richText: [list, bold] } },
      asks("text input", {}, { id: "next" }),
    ]);
    const settings = { general: { isBrandingEnabled: true }, typingEmulation: { enabled: false } };
    await openChat(page, (await host.publish({ ...flow, settings })).address);
    await answer(page, "Ana");
    await page.getByText("Well?").waitFor();

    const changed = await page.evaluate((all) => {
      const sheet = new CSSStyleSheet();
      document.adoptedStyleSheets.push(sheet);
      return all.map(([css, selector, property]) => {
        sheet.replaceSync(css);
        const named = document.querySelector(selector);
        const { bottom } = document.querySelector(".chat-dock")?.getBoundingClientRect() ?? { bottom: 0 };
        const field = document.querySelector(".text-input")?.getBoundingClientRect();
        const isUsable = field !== undefined && field.bottom <= innerHeight && field.width > 100;
        return [css, named && getComputedStyle(named).getPropertyValue(property), innerHeight - bottom <= 20, isUsable];
      });
    }, sheets);

    expect(changed).toEqual(sheets.map(([css, , , value]) => [css, value, true, true]));
  },
  { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" },
);

/**
 * Sheets of bots that move in: they draw the ground of the bot's messages, which is their first child, and make room above the chat. With each the colours that the bot's
 * first message is read in, its corners, and the room.
 */
const movedSheets = [
  [
    ".typebot-host-bubble > .bubble-typing { background: #202c33 !important; border-radius: 3px } .typebot-host-bubble { color: #fff !important }",
    "rgb(32, 44, 51)",
    "rgb(255, 255, 255)",
    "3px",
  ],
  [
    ".typebot-host-bubble>.bubble-typing{background-color:#fff;border:none}.typebot-host-bubble{color:#111}",
    "rgb(255, 255, 255)",
    "rgb(17, 17, 17)",
  ],
  [
    ".typebot-container .typebot-host-bubble > .bubble-typing { background: #dcf8c6 } .typebot-host-bubble { color: #000 }",
    "rgb(220, 248, 198)",
    "rgb(0, 0, 0)",
  ],
  [
    ".bubble-typing { background: #3b0764 !important } .typebot-host-bubble * { color: #fafafa !important }",
    "rgb(59, 7, 100)",
    "rgb(250, 250, 250)",
  ],
  [
    ".typebot-host-bubble { border-radius: 0 } .bubble1, .bubble2, .bubble3 { background: red }",
    "rgb(255, 255, 255)",
    "rgb(32, 32, 32)",
    "0px",
  ],
  // Of before: it draws the message itself, so nothing is in front of what it draws.
  [
    ".typebot-host-bubble { background: #0f172a; color: #e2e8f0; border: 1px solid #334155 }",
    "rgb(15, 23, 42)",
    "rgb(226, 232, 240)",
  ],
  [
    "@media (min-width: 1px) { .typebot-host-bubble { background: navy !important; color: white } }",
    "rgb(0, 0, 128)",
    "rgb(255, 255, 255)",
  ],
  ["/* .bubble */ .typebot-host-bubble { border: 2px solid red }", "rgb(255, 255, 255)", "rgb(32, 32, 32)"],
  [
    ".typebot-host-bubble { color: #123456 } .typebot-guest-bubble { background: teal }",
    "rgb(255, 255, 255)",
    "rgb(18, 52, 86)",
  ],
  [".typebot-chat-view > .flex:first-child { padding-top: 80px }", "rgb(255, 255, 255)", "rgb(32, 32, 32)"],
] as const;

for (const [customCss, ground, ink, corners] of movedSheets) {
  inBrowser(
    `a message is read as this sheet wants it: ${customCss}`,
    async ({ page }) => {
      await openChat(
        page,
        (await host.publish({ ...flowOf([says("Your name?"), asks("text input")]), theme: { customCss } })).address,
      );

      const seen = await page.locator(".typebot-host-bubble").evaluate((bubble) => {
        const child = bubble.querySelector(":scope > .bubble-typing:first-child");
        if (!child) return undefined;
        const [own, behind] = [getComputedStyle(bubble), getComputedStyle(child)];
        const isClear = ({ backgroundColor }: CSSStyleDeclaration) => backgroundColor === "rgba(0, 0, 0, 0)";
        const text = getComputedStyle(bubble.querySelector("p, div:not(.bubble-typing), span") ?? bubble);
        return {
          grounds: [own, behind].filter((style) => !isClear(style)).map(({ backgroundColor }) => backgroundColor),
          ink: text.color,
          corners: behind.borderTopLeftRadius,
        };
      });
      expect(seen).toEqual({ grounds: [ground], ink, corners: corners ?? expect.any(String) });
      const room = await page
        .locator(".typebot-chat-view")
        .evaluate(({ firstElementChild: first }) => first && [first.className, getComputedStyle(first).paddingTop]);
      expect(room).toEqual(["flex", customCss.includes(".flex") ? "80px" : "0px"]);
    },
    { reducedMotion: "reduce" },
  );
}
