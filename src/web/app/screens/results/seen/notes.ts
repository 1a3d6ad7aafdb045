import type { StepNote } from "../../../../conversation/preview-protocol.ts";
import { at, isObject, listAt, numberAt, textAt } from "../../../../conversation/read.ts";
import { plainText } from "../../../../conversation/rich-text.ts";
import { type ClientAction, readStep, type Step } from "../../../../conversation/step.ts";
import { refusalOf } from "../../../../conversation/transcript.ts";
import type { WordsOf } from "../../../words/index.ts";

type SeenWords = WordsOf<"result">["seen"];

/**
 * Returns notes about the parts of a chat that its page does not show, by the index of the step. Each note is at its
 * position between the messages. The log does not contain the position of a skipped block, so notes about skipped
 * blocks follow the messages.
 */
export function notesOf(chat: object, words: SeenWords): Readonly<Record<number, readonly StepNote[]>> {
  const raw = listAt(chat, "steps");
  const steps = raw.map(readStep);
  return Object.fromEntries(
    steps.flatMap((step, index) => {
      const isLast = index === steps.length - 1;
      const first = [
        ...refusedIn(step, steps[index - 1], words),
        ...(step.isTimeOver ? [words.timeOver] : []),
        ...(textAt(raw[index], "reply", "type") === "command" ? [words.command] : []),
      ];
      const last = [
        ...listAt(raw[index], "skippedBlocks").map((block) => words.skipped({ type: textAt(block, "type") ?? "" })),
        ...(isLast && step.input ? [openNote(step.input, words)] : []),
      ];
      const notes = [
        ...first.map((text) => ({ after: 0, text })),
        ...actionsIn(step).flatMap(({ after, action }) => actionNote(action, words).map((text) => ({ after, text }))),
        ...last.map((text) => ({ after: step.messages.length, text })),
      ];
      return notes.length === 0 ? [] : [[index, notes] as const];
    }),
  );
}

/** Returns the actions of a step, each with the number of messages that the page shows before the action. */
function actionsIn({ messages, actions }: Step) {
  let shown = 0;
  return actions.map((action) => {
    const { lastBubbleBlockId: id } = action;
    const found = messages.findIndex((bubble, index) => index >= shown - 1 && bubble.id === id);
    // An action whose bubble is missing runs at the end, and so do all later actions.
    if (id !== undefined || shown > 0) shown = found === -1 ? messages.length : found + 1;
    return { action, after: shown };
  });
}

function refusedIn(step: Step, before: Step | undefined, words: SeenWords): string[] {
  if (refusalOf(step, before) === undefined) return [];
  const why = plainText(listAt(step.messages[0]?.content, "richText")).trim();
  return [words.refused({ text: step.reply?.text ?? "", why })];
}

/**
 * Returns the notes on an action of the visitor's browser. The text of a streamed answer needs no note, because it is
 * already a bubble.
 */
function actionNote(action: ClientAction, words: SeenWords): string[] {
  const { type } = action;
  if (type === "stream" || type === "streamOpenAiChatCompletion") return [];
  const url = textAt(action, "redirect", "url");
  if (url !== undefined) return [words.redirected({ url })];
  const seconds = numberAt(action, "wait", "secondsToWaitFor");
  if (seconds !== undefined) return [words.waited({ seconds: String(seconds) })];
  const name = Object.entries<string>(words.actions).find(([key]) => key === type)?.[1];
  return [words.ran({ name: name ?? type })];
}

/** Returns the note on the open question, with its choices, if any. */
function openNote(input: object, words: SeenWords): string {
  const choices = listAt(input, "items")
    .filter(isObject)
    .flatMap((item) => textAt(item, "content") ?? textAt(item, "title") ?? textAt(item, "id") ?? []);
  const placeholder = textAt(at(input, "options"), "labels", "placeholder");
  const asked = choices.length > 0 ? choices.join(" · ") : (placeholder ?? "");
  return asked === "" ? words.unanswered : words.unansweredOf({ choices: asked });
}
