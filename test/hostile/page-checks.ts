import { expect } from "bun:test";
import type { Frame, Page } from "playwright-core";

/** Throws if a link, a source or a frame in a chat has an address of an unexpected kind. */
export async function expectHarmlessAddresses(page: Page | Frame): Promise<void> {
  const kinds = [
    ["a", "href", /^(https?:|mailto:|tel:|\/(?!\/))/],
    ["iframe", "src", /^https?:/],
    ["img, video, audio, source", "src", /^(https?:|data:(image|audio|video)\/)/],
    ["form", "action", /^(https?:|\/|#)/],
  ] as const;
  const others = page.locator("object, embed, base, meta[http-equiv]");
  expect(await others.evaluateAll((elements) => elements.map((element) => element.outerHTML))).toEqual([]);
  for (const [selector, name, harmless] of kinds) {
    const found = await page
      .locator(selector)
      .evaluateAll(
        (elements, attribute) => elements.map((element) => [element.outerHTML, element.getAttribute(attribute)]),
        name,
      );
    expect(found.filter(([, value]) => value !== null && !harmless.test(value ?? ""))).toEqual([]);
  }
}

/** Throws if one of the texts does not appear as a text, a placeholder or a label. */
export async function expectWords(frames: readonly Frame[], texts: readonly string[]): Promise<void> {
  const words = await Promise.all(
    frames.map((frame) =>
      frame.evaluate(() => {
        const found: string[] = [];
        const look = (root: ParentNode) => {
          for (const element of root.querySelectorAll("*")) {
            if (element.localName === "script" || element.localName === "style") continue;
            for (const node of element.childNodes) if (node instanceof Text) found.push(node.data);
            for (const name of ["placeholder", "aria-label", "alt"]) found.push(element.getAttribute(name) ?? "");
            if (element.shadowRoot) look(element.shadowRoot);
          }
        };
        look(document);
        return found;
      }),
    ),
  );
  const seen = new Set(words.flat());
  expect(texts.filter((text) => !seen.has(text))).toEqual([]);
}
