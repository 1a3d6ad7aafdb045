/** @jsxImportSource preact */
import { safeSource } from "../../conversation/links.ts";
import { flagAt, textAt } from "../../conversation/read.ts";
import { isSoundOff } from "../header/sound-off.ts";
import css from "../media.css" with { type: "text" };
import { Sound } from "../Sound.tsx";
import type { BubbleKind } from "./bubble-kind.ts";
import { MediaBubble } from "./MediaBubble.tsx";

/** A sound with a player. */
export const Audio: BubbleKind = {
  css,
  View: ({ content, words }) => (
    <MediaBubble class="audio-bubble">
      <Sound
        source={safeSource(textAt(content, "url"))}
        autoplay={(flagAt(content, "isAutoplayEnabled") ?? true) && !isSoundOff()}
        words={words}
      />
    </MediaBubble>
  ),
  isEmpty: (content) => safeSource(textAt(content, "url")) === undefined,
};
