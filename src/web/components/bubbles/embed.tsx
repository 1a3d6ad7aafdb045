/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { numberAt, textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/** A page of somebody else in a frame. What it tells by `postMessage` is heard by the browser's side. */
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
