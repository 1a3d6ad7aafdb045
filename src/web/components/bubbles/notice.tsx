/** @jsxImportSource preact */
import { noticeText } from "../../conversation/notice.ts";
import { BubbleGround } from "../rich/BubbleGround.tsx";
import type { BubbleKind } from "./bubble-kind.ts";

/** A message from the service itself, in the page's language. */
export const Notice: BubbleKind = {
  View: ({ content, words }) => (
    <div class="typebot-host-bubble text-bubble" dir="auto">
      <BubbleGround />
      {noticeText(content, words)}
    </div>
  ),
};
