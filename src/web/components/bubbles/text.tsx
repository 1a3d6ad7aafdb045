/** @jsxImportSource preact */
import { at } from "../../conversation/read.ts";
import { nodesOf, plainText, textClass } from "../../conversation/rich-text.ts";
import { RichText } from "../RichText.tsx";
import { BubbleGround } from "../rich/BubbleGround.tsx";
import type { BubbleKind } from "./bubble-kind.ts";
import { quietBlocks } from "./quiet.ts";

/** A rich text. An empty text is not shown. */
export const Text: BubbleKind = {
  View({ id, content }) {
    const nodes = nodesOf(at(content, "richText"));
    return (
      <div class={textClass(nodes)} dir="auto" aria-live={quietBlocks.has(id) ? "off" : undefined}>
        <BubbleGround />
        <RichText nodes={nodes} />
      </div>
    );
  },
  isEmpty: (content) => plainText(at(content, "richText")).trim() === "",
};
