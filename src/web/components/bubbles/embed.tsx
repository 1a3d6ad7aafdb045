/** @jsxImportSource preact */
import { isFramedPicture, safeFrame } from "../../conversation/links.ts";
import { numberAt, textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/** Another site's page in a frame. `browser/author-code/embeds.ts` reads what it posts with `postMessage`. */
export const Embed: BubbleKind = {
  View({ id, content, words }) {
    const source = safeFrame(textAt(content, "url"));
    const height = numberAt(content, "height") ?? 400;
    if (source !== undefined && isFramedPicture(source)) {
      return (
        <div class="typebot-host-bubble media-bubble embed-bubble">
          <img src={source} alt="" height={height} />
        </div>
      );
    }
    return (
      <div class="typebot-host-bubble media-bubble embed-bubble">
        <iframe
          data-embed={id}
          src={source}
          title={`${words.embedded}: ${source === undefined ? "" : new URL(source).host}`}
          height={height}
          allow="camera; microphone; geolocation; fullscreen; clipboard-write; payment"
          loading="lazy"
        />
      </div>
    );
  },
  isEmpty: (content) => safeFrame(textAt(content, "url")) === undefined,
};
