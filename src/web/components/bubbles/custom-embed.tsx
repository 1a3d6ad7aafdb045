/** @jsxImportSource preact */
import type { BubbleKind } from "./bubble-kind.ts";

/** An empty element for the author's code, which `browser/author-code/embeds.ts` runs once the bubble is shown. */
export const CustomEmbed: BubbleKind = {
  View: ({ id }) => (
    <div class="typebot-host-bubble media-bubble custom-embed-bubble">
      <div data-custom-embed={id} />
    </div>
  ),
};
