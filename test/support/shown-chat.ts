import type { FrameLocator, Page } from "playwright-core";

/** A bubble of a conversation as a page shows it. */
export type ShownEntry = {
  readonly by: "bot" | "visitor" | "note";
  readonly words: string;
  /**
   * The bubble's elements in order, such as marks, lists, tables and formulas, with their classes and the targets of
   * links.
   */
  readonly parts: readonly string[];
  /** Pictures by URL and size or by their pixels; videos, sounds and frames by URL. */
  readonly media: readonly string[];
};

/**
 * Returns the conversation on a chat page, in a transcript or in a saved file, in order. A Cal.com calendar is
 * represented by its link, because a transcript contains only the link.
 */
export function shownIn(place: Page | FrameLocator): Promise<ShownEntry[]> {
  return place.locator("main").evaluate(async (main) => {
    const pointsOf = async (image: HTMLImageElement): Promise<string> => {
      await image.decode().catch(() => {});
      const { naturalWidth, naturalHeight, src } = image;
      if (/^https?:/.test(src)) return `img ${src} ${naturalWidth}×${naturalHeight}`;
      const canvas = Object.assign(document.createElement("canvas"), { width: naturalWidth, height: naturalHeight });
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return `img ${canvas.toDataURL()}`;
    };
    const isOfCalendar = (element: Element): boolean => element.closest("[data-custom-embed]") !== null;
    const entryOf = async (container: Element): Promise<ShownEntry> => {
      const media: string[] = [];
      for (const one of container.querySelectorAll("img, video, audio, iframe")) {
        if (isOfCalendar(one)) continue;
        media.push(
          one instanceof HTMLImageElement ? await pointsOf(one) : `${one.localName} ${one.getAttribute("src")}`,
        );
      }
      const copy = container.cloneNode(true);
      if (!(copy instanceof Element)) throw new Error("A bubble is no element");
      for (const hidden of copy.querySelectorAll("[hidden], .visually-hidden, [data-custom-embed] > *"))
        hidden.remove();
      // A visitor's own picture opens at a URL that only the visitor's page has.
      const parts = [...copy.querySelectorAll("*:not([data-picture])")].map((element) => {
        const classes = [...element.classList].filter((name) => !["is-loading", "is-under-way"].includes(name));
        const link = element.getAttribute("href");
        return [[element.localName, ...classes].join("."), ...(link === null ? [] : [link])].join(" ");
      });
      const isNote = copy.querySelector(".chat-note") !== null;
      const by = isNote ? "note" : container.classList.contains("guest-container") ? "visitor" : "bot";
      return { by, words: (copy.textContent ?? "").replaceAll(/\s+/g, " ").trim(), parts, media };
    };
    const entries: ShownEntry[] = [];
    for (const container of main.querySelectorAll(".transcript .host-container, .transcript .guest-container"))
      entries.push(await entryOf(container));
    return entries;
  });
}

/** Returns a conversation without notes of the page or the transcript. */
export function withoutNotes(entries: readonly ShownEntry[]): readonly ShownEntry[] {
  return entries.filter(({ by }) => by !== "note");
}
