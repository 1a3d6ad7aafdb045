import type { ViewState } from "../components/Chat.tsx";
import { wordsOfIds } from "../conversation/choices/chosen-text.ts";
import { at, listAt, textAt } from "../conversation/read.ts";
import { plainText } from "../conversation/rich-text.ts";
import type { Bubble, Message } from "../conversation/step.ts";
import type { ChatEvents } from "./package/chat-events.ts";

export type ChatEventName = keyof ChatEvents;
export type Emit = <Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]) => void;

/** Emits events for the changes between consecutive states of a chat. */
export type Reporter = ReturnType<typeof createReporter>;

/** Creates a reporter. The first entries of a resumed chat cause no events, except for its open input. */
export function createReporter(emit: Emit, { isResumed }: { isResumed: boolean }) {
  let isRestoring = isResumed;
  let bubbleCount = 0;
  let answerCount = 0;
  let asked = "";
  let askedBlockId = "";
  let items: readonly unknown[] = [];
  let isEnded = false;
  let lastAnswer: { readonly message: string; readonly blockId: string } | undefined;
  return {
    /** Called with each message that the visitor sends. */
    messageSent(message: Message): void {
      const text = textOf(message);
      lastAnswer = { message: wordsOfIds(items, text) ?? text, blockId: askedBlockId };
    },
    /** Called with each new state of the chat. */
    update({ entries, input, isEnded: isOver }: Pick<ViewState, "entries" | "input" | "isEnded">): void {
      // A message that is still being written is reported when it is complete.
      const bubbles = entries.flatMap((entry) =>
        entry.kind === "bubble" && entry.bubble.type !== "growing" ? [entry.bubble] : [],
      );
      const answers = entries.filter(
        (entry) => entry.kind === "answer" && !entry.answer.isUnderWay && !entry.answer.isSkipped && !entry.answer.paid,
      ).length;
      if (answers > answerCount && lastAnswer && !isRestoring) emit("answer", lastAnswer);
      const added = isRestoring ? [] : bubbles.slice(bubbleCount);
      bubbleCount = bubbles.length;
      answerCount = answers;
      for (const bubble of added) emit("message", { blockId: bubble.id, type: bubble.type, text: wordsOf(bubble) });
      const asking = input && `${input.id} ${entries.length}`;
      if (input && asking !== asked) {
        asked = asking ?? "";
        askedBlockId = input.id;
        items = listAt(input, "items");
        emit("input", { blockId: input.id, type: input.type });
      }
      if (isOver && !isEnded && !isRestoring && entries.length > 0) emit("end", {});
      isEnded = isOver;
      if (entries.length > 0 || input) isRestoring = false;
    },
  };
}

function textOf(message: Message): string {
  if (!message) return "";
  if (message.type === "command") return message.command;
  return message.type === "audio" ? message.url : message.text;
}

/** Returns the text of a bubble, or the URL of its media. */
function wordsOf({ type, content }: Bubble): string {
  return type === "text" ? plainText(listAt(content, "richText")).trim() : (textAt(at(content, "url")) ?? "");
}
