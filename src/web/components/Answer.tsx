/** @jsxImportSource preact */
import type { Answer } from "../conversation/transcript.ts";
import type { Words } from "../conversation/words.ts";
import { inputKind } from "./inputs/index.ts";
import type { AnswerProps } from "./inputs/parts/input-kind.ts";

/** The visitor's answer, or a note that the question was not answered. */
export function AnswerBubble(props: AnswerProps) {
  const { answer, words } = props;
  const { Answer: Own } = inputKind(answer.asked);
  if (Own && !answer.isSkipped) return <Own {...props} />;
  const state = `${answer.isSkipped ? "is-skipped" : ""} ${answer.isUnderWay ? "is-under-way" : ""}`;
  return (
    <div class={`typebot-guest-bubble ${state}`} dir="auto">
      <span class="answer-text">{shownText(answer, words)}</span>
      {answer.isUnderWay && <span class="visually-hidden">{words.sending}</span>}
    </div>
  );
}

/** Returns the text that is shown for an answer. Some kinds of inputs format payments and replies. */
export function shownText({ text, reply, asked, paid, isSkipped }: Answer, words: Words): string {
  if (isSkipped) return words.skipped;
  const { shownPaid, shownReply } = inputKind(asked);
  return (paid ? shownPaid?.(paid, words) : reply !== undefined && shownReply?.(reply, asked, words)) || text;
}
