/** @jsxImportSource preact */
import { safeLink } from "../../conversation/links.ts";
import { textAt } from "../../conversation/read.ts";
import css from "../media.css" with { type: "text" };
import type { BubbleKind } from "./bubble-kind.ts";
import { MediaBubble } from "./MediaBubble.tsx";

/**
 * An empty element for the author's code, which `browser/author-code/embeds.ts` runs when the bubble is shown. If the
 * content has a URL, a link to it is shown until the code has filled the element.
 */
export const CustomEmbed: BubbleKind = {
  css,
  View({ id, content, words }) {
    const link = safeLink(textAt(content, "url"));
    return (
      <MediaBubble class="custom-embed-bubble">
        <div data-custom-embed={id} />
        {link !== undefined && (
          <a class="embed-link" href={link} target="_blank" rel="noopener noreferrer">
            {`${words.embedded}: ${new URL(link).host}`}
          </a>
        )}
      </MediaBubble>
    );
  },
};
