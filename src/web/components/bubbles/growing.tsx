/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { createAnswer } from "../../../core/interpreter/gfm/read.ts";
import { textAt } from "../../conversation/read.ts";
import { textClass } from "../../conversation/rich-text.ts";
import { adoptStyle } from "../adopt-style.ts";
import { RichText } from "../RichText.tsx";
import type { BubbleKind, BubbleProps } from "./bubble-kind.ts";
import css from "./growing.css" with { type: "text" };

/**
 * An answer that is still being written. Screen readers ignore it: its text bubble, which takes its place as an element of its own once
 * the answer is whole, is announced like any other.
 */
export const Growing: BubbleKind = { View: GrowingText };

function GrowingText({ content }: BubbleProps) {
  const bubble = useRef<HTMLDivElement>(null);
  const [read] = useState(createAnswer);
  useLayoutEffect(() => adoptStyle(bubble.current, css), []);
  const nodes = read(textAt(content, "text") ?? "", { isWhole: false });
  return (
    <div ref={bubble} class={`${textClass(nodes)} is-growing`} dir="auto" aria-busy="true" aria-live="off">
      <RichText nodes={nodes} />
    </div>
  );
}
