/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { flagAt, textAt } from "../../conversation/read.ts";
import type { BubbleKind } from "./bubble-kind.ts";

/** A sound with the browser's own controls. */
export const Audio: BubbleKind = {
  View: ({ content }) => (
    <div class="typebot-host-bubble media-bubble audio-bubble">
      <audio src={safeSource(textAt(content, "url"))} controls autoplay={flagAt(content, "isAutoplayEnabled") ?? true}>
        <track kind="captions" />
      </audio>
    </div>
  ),
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
