import type { View } from "../../interpreter/program/view.ts";
import { option, titled } from "../options.ts";

const kinds = ["Header", "Text", "Labelled text", "Image", "Link", "Button"] as const;

/** The sections of a card in Blink's feed. API reference: https://developer.joinblink.com/docs/cardkit */
export const sectionsOption = titled(
  "Sections",
  option.list("The parts of the card, in order. Parts without the required content are omitted.", {
    type: titled("Part", option.word(kinds, "The kind of part.", "Text")),
    title: option.text("Text of a header, label of a labelled text, or label of a link or button."),
    text: option.longText("Content of a text or a labelled text."),
    url: titled("Address", option.text("URL of an image, or of the page that a link or button opens.")),
  }),
);

export type CardSection = {
  readonly type?: (typeof kinds)[number];
  readonly title?: string;
  readonly text?: string;
  readonly url?: string;
};

/** Returns a card with the given sections, or the reason why no card can be created. */
export function cardOf(
  { sections = [], ribbonColor }: { readonly sections?: readonly CardSection[]; readonly ribbonColor?: string },
  view: View,
): { readonly ribbon_color?: string; readonly sections: readonly object[] } | { readonly problem: string } {
  const shown = sections.flatMap((section) => sectionOf(section, view) ?? []);
  if (shown.length === 0) return { problem: "The card has no section" };
  const color = view.text(ribbonColor).trim();
  return { ...(color !== "" && { ribbon_color: color }), sections: shown };
}

function sectionOf({ type = "Text", ...given }: CardSection, view: View): object | undefined {
  const [title, text, url] = [view.text(given.title), view.text(given.text), view.text(given.url).trim()];
  const isGiven = (...needed: readonly string[]): boolean => needed.every((one) => one.trim() !== "");
  switch (type) {
    case "Header":
      return isGiven(title) ? { type: "header", title } : undefined;
    case "Text":
      return isGiven(text) ? { type: "text", value: text } : undefined;
    case "Labelled text":
      return isGiven(title, text) ? { type: "labelled_text", label: title, value: text } : undefined;
    case "Image":
      return isGiven(url) ? { type: "image", image_url: url } : undefined;
    case "Link":
      return isGiven(title, url) ? { type: "link", title, url } : undefined;
    case "Button":
      return isGiven(title, url) ? { type: "buttons", data: [{ label: title, client_action: opens(url) }] } : undefined;
  }
}

/**
 * Returns a link that opens a URL outside the app. API reference: https://developer.joinblink.com/docs/client-actions
 */
function opens(url: string): string {
  return `blink:link?url=${encodeURIComponent(Buffer.from(url).toString("base64"))}&action=open`;
}
