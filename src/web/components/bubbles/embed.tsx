/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { numberAt, textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/** Another site's page in a frame. `browser/embeds.ts` reads what it posts with `postMessage`. */
export const Embed: BubbleKind = {
  View({ content, words }) {
    const source = safeSource(textAt(content, "url"));
    return (
      <div class="typebot-host-bubble media-bubble embed-bubble">
        <iframe
          src={source}
          title={`${words.embedded}: ${source === undefined ? "" : new URL(source).host}`}
          height={numberAt(content, "height") ?? 400}
          allow="camera; microphone; geolocation; fullscreen; clipboard-write; payment"
          loading="lazy"
        />
      </div>
    );
  },
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
