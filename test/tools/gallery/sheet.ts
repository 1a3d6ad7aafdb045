import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";

/** The outcome of a cell: `done`, or the reason why its state was not reached, and the problems of its styles. */
export type Outcome = { readonly name: string; readonly reached: string; readonly problems: readonly string[] };

/**
 * Opens a sheet, waits until all cells are in their states or have failed, and fits the height of each cell to its
 * content unless the height is fixed.
 */
export async function openSheet(page: Page, address: string): Promise<Outcome[]> {
  await page.goto(address);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("iframe")].every(
      (frame) => frame.contentDocument?.documentElement.dataset["gallery"] !== undefined,
    ),
  );
  return page.evaluate(() => {
    const outcomes: Outcome[] = [];
    for (const frame of document.querySelectorAll("iframe")) {
      const inside = frame.contentDocument;
      // The height includes the messages and the dock directly below them.
      const said = inside?.querySelector(".chat-end")?.getBoundingClientRect().bottom ?? 0;
      const dock = inside?.querySelector(".chat-dock")?.getBoundingClientRect().height ?? 0;
      if (frame.dataset["fixed"] === undefined) frame.height = String(Math.ceil(Math.max(80, said + dock)));
      const top = frame.dataset["fixed"] === undefined ? 0 : (inside?.documentElement.scrollHeight ?? 0);
      inside?.defaultView?.scrollTo(0, top);
      const find: unknown = frame.contentWindow && Reflect.get(frame.contentWindow, "galleryProblems");
      outcomes.push({
        name: frame.title,
        reached: inside?.documentElement.dataset["gallery"] ?? "",
        problems: typeof find === "function" ? find() : ["has no script"],
      });
    }
    return outcomes;
  });
}

/** Returns the findings of axe-core in each cell of an open sheet, by the cell's name. */
export async function axeOnSheet(page: Page): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const frame of page.mainFrame().childFrames()) {
    const name = await (await frame.frameElement()).getAttribute("title");
    found.set(name ?? "", await axeProblems(frame));
  }
  return found;
}

/** Returns the sheet as one page without scripts, with each cell in its current state. */
export function sheetAsPage(page: Page): Promise<string> {
  return page.evaluate(() => {
    const copy = document.createElement("html");
    copy.innerHTML = document.documentElement.innerHTML;
    const frames = [...document.querySelectorAll("iframe")];
    for (const [index, frame] of copy.querySelectorAll("iframe").entries()) {
      const inside = frames[index]?.contentDocument;
      if (!inside) continue;
      frame.removeAttribute("src");
      frame.srcdoc = asText(inside);
    }
    return `<!doctype html>${copy.outerHTML}`;

    function asText(inside: Document): string {
      const root = inside.documentElement.cloneNode(true);
      if (!(root instanceof Element) && !("querySelectorAll" in root)) return "";
      const still = inside.implementation.createHTMLDocument("");
      still.replaceChild(still.adoptNode(root), still.documentElement);
      for (const script of still.querySelectorAll("script, noscript, link[rel=modulepreload]")) script.remove();
      const fields = inside.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
      for (const [place, field] of still.querySelectorAll("input, textarea").entries()) {
        const live = fields[place];
        if (!live || live.type === "file") continue;
        if (live.tagName === "TEXTAREA") field.textContent = live.value;
        else field.setAttribute("value", live.value);
        if ("checked" in live) field.toggleAttribute("checked", live.checked);
      }
      const pictures = inside.querySelectorAll("img");
      for (const [place, picture] of still.querySelectorAll("img").entries()) {
        const live = pictures[place];
        if (live?.src.startsWith("blob:")) picture.src = drawn(live);
      }
      for (const sheet of inside.adoptedStyleSheets) {
        const style = still.createElement("style");
        style.textContent = [...sheet.cssRules].map((rule) => rule.cssText).join("\n");
        still.head.append(style);
      }
      return `<!doctype html>${still.documentElement.outerHTML}`;
    }

    /** Draws a picture as data, because blobs are deleted with their page. */
    function drawn(picture: HTMLImageElement): string {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.naturalWidth || 1, picture.naturalHeight || 1];
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
      return canvas.toDataURL();
    }
  });
}
