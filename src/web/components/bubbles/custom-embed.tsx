/** @jsxImportSource preact */
import { safeLink } from "../../conversation/links.ts";
import { textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/**
 * An empty element for the author's code, which `browser/author-code/embeds.ts` runs once the bubble is shown. While nothing fills it,
 * the page links to what it would show.
 */
export const CustomEmbed: BubbleKind = {
  View({ id, content, words }) {
    const link = safeLink(textAt(content, "url"));
    return (
      <div class="typebot-host-bubble media-bubble custom-embed-bubble">
        <div data-custom-embed={id} />
        {link !== undefined && (
          <a class="embed-link" href={link} target="_blank" rel="noopener noreferrer">
            {`${words.embedded}: ${new URL(link).host}`}
          </a>
        )}
      </div>
    );
  },
};
