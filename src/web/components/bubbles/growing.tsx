/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { createAnswer } from "../../../core/interpreter/gfm/read.ts";
import { textAt } from "../../conversation/read.ts";
import { RichBubble } from "../rich/parts.tsx";
import type { BubbleKind, BubbleProps } from "./bubble-kind.ts";

/**
 * An unfinished answer, which screen readers ignore. When the answer is complete, it is replaced by a new text bubble,
 * which screen readers announce like any other message.
 */
export const Growing: BubbleKind = { View: GrowingText };

function GrowingText({ content, words }: BubbleProps) {
  const [read] = useState(createAnswer);
  return <RichBubble nodes={read(textAt(content, "text") ?? "", { isWhole: false })} words={words} isGrowing={true} />;
}
