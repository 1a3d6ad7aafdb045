import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../support/axe.ts";
import { browserTests } from "../support/browser.ts";
import { asks, flowOf } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const block = (type: string, ...children: object[]) => ({ type, children });
const text = (words: string, more: object = {}) => ({ text: words, ...more });
const richText = [
  block("h1", text("Largest")),
  block("p", text("Plain, "), text("code", { code: true }), text(" and "), {
    url: "https://a.example",
    ...block("a", text("a link")),
  }),
  block("h2", text("Large")),
  block("ul", block("li", text("One")), block("li", text("Two"))),
  block("h3", text("Less large")),
  block("blockquote", text("Quoted")),
  block("code_block", text("const a = 1;")),
];

for (const colorScheme of ["light", "dark"] as const) {
  inBrowser(
    `headings shrink by level, links are underlined, and code and quotes differ from text: ${colorScheme}`,
    async ({ page }) => {
      const bubble = { id: "rich", type: "text", content: { richText } };
      await openChat(page, (await host.publish(flowOf([bubble, asks("text input")]))).address);
      const styleOf = (selector: string, name: string) =>
        page
          .locator(`.text-bubble ${selector}`)
          .first()
          .evaluate((one, of) => getComputedStyle(one).getPropertyValue(of), name);
      const sizeOf = async (selector: string) => Number.parseFloat(await styleOf(selector, "font-size"));

      const sizes = [await sizeOf(".rich-h1"), await sizeOf(".rich-h2"), await sizeOf(".rich-h3"), await sizeOf("a")];
      expect(sizes).toEqual([...sizes].sort((one, other) => other - one));
      expect(new Set(sizes).size).toBe(4);
      expect(await styleOf("a", "text-decoration-line")).toBe("underline");
      for (const selector of ["code", "pre"]) {
        expect(await styleOf(selector, "font-family")).toContain("monospace");
        const ground = selector === "pre" ? ".rich-code" : `:not(pre) > ${selector}`;
        expect(await styleOf(ground, "background-color")).not.toBe("rgba(0, 0, 0, 0)");
      }
      expect(await styleOf("blockquote", "border-inline-start-width")).toBe("3px");
      expect(await axeProblems(page)).toEqual([]);
    },
    { colorScheme },
  );
}
