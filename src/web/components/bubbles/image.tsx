/** @jsxImportSource preact */
import { safeLink, safeSource } from "../../conversation/links.ts";
import { filledTextAt, textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/** A picture, which may be a link. */
export const Image: BubbleKind = {
  View({ content, words }) {
    const source = safeSource(textAt(content, "url"));
    const link = safeLink(textAt(content, "clickLink", "url"));
    const alternative = filledTextAt(content, "clickLink", "alt");
    // Without words of the author a picture that leads nowhere is passed over by screen readers as "picture".
    const picture = <img src={source} alt={alternative ?? words.picture} decoding="async" />;
    return (
      <div class="typebot-host-bubble media-bubble image-bubble">
        {link === undefined ? (
          picture
        ) : (
          <a href={link} target="_blank" rel="noopener noreferrer">
            {picture}
          </a>
        )}
      </div>
    );
  },
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
