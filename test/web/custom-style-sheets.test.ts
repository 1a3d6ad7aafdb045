import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

// Tests style sheets that authors write for existing clients. Their class names must work, and the dock must stay in
// place.

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

/** An author's rule, the element to which it applies, and its effect. */
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
  "twenty authors' style sheets change the elements that they name",
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
