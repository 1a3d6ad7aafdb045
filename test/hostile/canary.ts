import { expect } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import type { Visit } from "../support/browser.ts";
import { evil } from "./page-payloads.ts";

/** Detects scripts and styles of payloads that take effect during a visit. */
export type Canary = {
  /** Returns the effects so far. */
  noticed(): Promise<readonly string[]>;
  /** Throws if a payload took effect. `tell` describes an id. */
  expectNone(tell: (id: unknown) => string): Promise<void>;
};

export async function watch({ context, page, outside }: Visit): Promise<Canary> {
  const noticed: string[] = [];
  await context.exposeBinding("ran", (_source, id) => void noticed.push(`ran ${id}`));
  const follow = (one: Page) => one.on("dialog", (dialog) => void noticed.push(`dialog ${dialog.message()}`));
  follow(page);
  context.on("page", follow);
  const asked = () =>
    outside.flatMap((url) => (url.startsWith(`${evil}/css-`) ? [`asked ${url.split("-").at(-1)}`] : []));
  const all = async () => [...noticed, ...asked(), ...(await styled(context))];
  return {
    noticed: all,
    async expectNone(tell) {
      expect((await all()).map((what) => `${what}: ${tell(what.split(" ")[1])}`)).toEqual([]);
    },
  };
}

/** Returns an effect for each payload whose style applies, also in the shadow trees of elements. */
async function styled(context: BrowserContext): Promise<string[]> {
  // Frames of other machines were blocked, and would not respond.
  const frames = context
    .pages()
    .flatMap((page) => page.frames())
    .filter((frame) => /^http:\/\/(localhost|127\.0\.0\.1):/.test(frame.url()));
  const found = await Promise.all(
    frames.map((frame) =>
      frame.evaluate(() => {
        const ids = new Set<string>();
        const look = (root: Document | ShadowRoot) => {
          for (const element of root.querySelectorAll("*")) {
            const id = getComputedStyle(element).getPropertyValue("--hacked");
            if (id !== "") ids.add(id);
            if (element.shadowRoot) look(element.shadowRoot);
          }
        };
        look(document);
        return [...ids];
      }),
    ),
  );
  return found.flat().map((id) => `styled ${id.trim()}`);
}
