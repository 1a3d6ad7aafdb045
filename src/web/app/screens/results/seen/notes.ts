import { at, isObject, listAt, textAt } from "../../../../conversation/read.ts";
import { plainText } from "../../../../conversation/rich-text.ts";
import { type ClientAction, readStep, type Step } from "../../../../conversation/step.ts";
import { refusalOf } from "../../../../conversation/transcript.ts";
import type { WordsOf } from "../../../words/index.ts";

type SeenWords = WordsOf<"result">["seen"];

/** The parts of a chat that its page does not show, in the author's language, by the index of the step. */
export function notesOf(chat: object, words: SeenWords): Readonly<Record<number, readonly string[]>> {
  const raw = listAt(chat, "steps");
  const steps = raw.map(readStep);
  return Object.fromEntries(
    steps.flatMap((step, index) => {
      const isLast = index === steps.length - 1;
      const notes = [
        ...refusedIn(step, steps[index - 1], words),
        ...(step.isTimeOver ? [words.timeOver] : []),
        ...(textAt(raw[index], "reply", "type") === "command" ? [words.command] : []),
        ...step.actions.flatMap((action) => actionNote(action, words)),
        ...listAt(raw[index], "skippedBlocks").map((block) => words.skipped({ type: textAt(block, "type") ?? "" })),
        ...(isLast && step.input ? [openNote(step.input, words)] : []),
      ];
      return notes.length === 0 ? [] : [[index, notes] as const];
    }),
  );
}

function refusedIn(step: Step, before: Step | undefined, words: SeenWords): string[] {
  if (refusalOf(step, before) === undefined) return [];
  const why = plainText(listAt(step.messages[0]?.content, "richText")).trim();
  return [words.refused({ text: step.reply?.text ?? "", why })];
}

/** An action of the visitor's browser; the text of a streamed answer is a bubble already. */
function actionNote(action: ClientAction, words: SeenWords): string[] {
  const { type } = action;
  if (type === "stream" || type === "streamOpenAiChatCompletion") return [];
  const url = textAt(action, "redirect", "url");
  if (url !== undefined) return [words.redirected({ url })];
  const seconds = textAt(action, "wait", "secondsToWaitFor");
  if (seconds !== undefined) return [words.waited({ seconds })];
  const name = Object.entries<string>(words.actions).find(([key]) => key === type)?.[1];
  return [words.ran({ name: name ?? type })];
}

/** The open question: its choices, where it has some. */
function openNote(input: object, words: SeenWords): string {
  const choices = listAt(input, "items")
    .filter(isObject)
    .flatMap((item) => textAt(item, "content") ?? textAt(item, "title") ?? textAt(item, "id") ?? []);
  const placeholder = textAt(at(input, "options"), "labels", "placeholder");
  const asked = choices.length > 0 ? choices.join(" · ") : (placeholder ?? "");
  return asked === "" ? words.unanswered : words.unansweredOf({ choices: asked });
}
