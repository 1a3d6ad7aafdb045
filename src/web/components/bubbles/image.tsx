/** @jsxImportSource preact */
import { safeLink, safeSource } from "../../conversation/links.ts";
import { filledTextAt, textAt } from "../../conversation/read.ts";
import css from "../media.css" with { type: "text" };
import { Picture } from "../Picture.tsx";
import type { BubbleKind } from "./bubble-kind.ts";
import { MediaBubble } from "./MediaBubble.tsx";

/** A picture, which may be a link. */
export const Image: BubbleKind = {
  css,
  View({ content, words }) {
    const link = safeLink(textAt(content, "clickLink", "url"));
    const [own, linked] = [filledTextAt(content, "alt"), filledTextAt(content, "clickLink", "alt")];
    // For a linked picture, the description of the link takes precedence, because it names the target.
    const alt = link === undefined ? (own ?? linked) : (linked ?? own);
    return (
      <MediaBubble class="image-bubble">
        <Picture
          source={safeSource(textAt(content, "url"))}
          alt={alt}
          words={words}
          link={link}
          // Authors' style sheets select the bot's pictures by this attribute.
          elementtiming="Bubble image"
        />
      </MediaBubble>
    );
  },
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
