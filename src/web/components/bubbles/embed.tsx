/** @jsxImportSource preact */
import { isFramedPicture, safeFrame } from "../../conversation/links.ts";
import { numberAt, textAt } from "../../conversation/read.ts";
import css from "../media.css" with { type: "text" };
import type { BubbleKind } from "./bubble-kind.ts";
import { MediaBubble } from "./MediaBubble.tsx";

/**
 * A page of another site in a frame, or a picture. `browser/author-code/embeds.ts` reads the messages that the page
 * sends with `postMessage`.
 */
export const Embed: BubbleKind = {
  css,
  View({ id, content, words }) {
    const source = safeFrame(textAt(content, "url"));
    const height = numberAt(content, "height") ?? 400;
    if (source !== undefined && isFramedPicture(source)) {
      return (
        <MediaBubble class="embed-bubble">
          <img src={source} alt="" height={height} />
        </MediaBubble>
      );
    }
    return (
      <MediaBubble class="embed-bubble">
        <iframe
          data-embed={id}
          src={source}
          title={`${words.embedded}: ${source === undefined ? "" : new URL(source).host}`}
          height={height}
          allow="camera; microphone; geolocation; fullscreen; clipboard-write; payment"
          loading="lazy"
        />
      </MediaBubble>
    );
  },
  isEmpty: (content) => safeFrame(textAt(content, "url")) === undefined,
};
