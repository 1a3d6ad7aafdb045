/** @jsxImportSource preact */
import type { BubbleKind } from "./bubble-kind.ts";

/** A place for the author's code to fill; the browser's side runs it once the bubble is there. */
export const CustomEmbed: BubbleKind = {
  View: ({ id }) => (
    <div class="typebot-host-bubble media-bubble custom-embed-bubble">
      <div data-custom-embed={id} />
    </div>
  ),
};
