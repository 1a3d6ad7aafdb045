/** @jsxImportSource preact */
import { useLayoutEffect, useRef } from "preact/hooks";
import { unfinishedText } from "../../conversation/unfinished.ts";
import type { Words } from "../../conversation/words.ts";
import { adoptStyle } from "../adopt-style.ts";
import css from "./answer-acts.css" with { type: "text" };

/** Shows below an answer why the answer is incomplete. */
export function Mark({ why, words }: { readonly why: unknown; readonly words: Words }) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => adoptStyle(row.current, css), []);
  return (
    <div ref={row} class="answer-acts">
      <span class="answer-mark" dir="auto">
        {unfinishedText(why, words)}
      </span>
    </div>
  );
}
