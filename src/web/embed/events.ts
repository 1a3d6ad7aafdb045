import type { Shown } from "../components/Chat.tsx";
import { at, listAt, textAt } from "../conversation/read.ts";
import { plainText } from "../conversation/rich-text.ts";
import type { Bubble, Message } from "../conversation/step.ts";

/** What a page hears of a chat that it embeds, by the name of the event after `parley-`. */
export type ChatEvents = {
  /** The chat is there: started, or taken up again. */
  readonly init: { readonly sessionId: string | null; readonly resultId: string | null };
  /** Something is asked. */
  readonly input: { readonly blockId: string; readonly type: string };
  /** The visitor's answer was accepted. */
  readonly answer: { readonly message: string; readonly blockId: string };
  /** The bot says something. */
  readonly message: { readonly blockId: string; readonly type: string; readonly text: string };
  /** Nothing more is asked. */
  readonly end: Record<string, never>;
  readonly open: Record<string, never>;
  readonly close: Record<string, never>;
};

export type ChatEventName = keyof ChatEvents;
export type Emit = <Name extends ChatEventName>(name: Name, detail: ChatEvents[Name]) => void;

/** Finds out what is new from one state of a chat to the next. */
export type Reporter = {
  /** What the visitor has just said. */
  heard(message: Message): void;
  /** The chat as it is shown now. */
  see(shown: Shown): void;
};

/** A reporter that tells its news. What a chat that is taken up again `isResumed` shows at first is no news. */
export function createReporter(tell: Emit, { isResumed }: { isResumed: boolean }): Reporter {
  let isOld = isResumed;
  let bubbleCount = 0;
  let answerCount = 0;
  let asked = "";
  let askedBlockId = "";
  let isEnded = false;
  let said: { readonly message: string; readonly blockId: string } | undefined;
  return {
    heard(message) {
      said = { message: textOf(message), blockId: askedBlockId };
    },
    see({ entries, input, isEnded: isOver }) {
      const bubbles = entries.flatMap((entry) => (entry.kind === "bubble" ? [entry.bubble] : []));
      const answers = entries.filter((entry) => entry.kind === "answer" && entry.answer.isUnderWay !== true).length;
      if (answers > answerCount && said && !isOld) tell("answer", said);
      const added = isOld ? [] : bubbles.slice(bubbleCount);
      bubbleCount = bubbles.length;
      answerCount = answers;
      for (const bubble of added) tell("message", { blockId: bubble.id, type: bubble.type, text: wordsOf(bubble) });
      const asking = input && `${input.id} ${entries.length}`;
      if (input && asking !== asked) {
        asked = asking ?? "";
        askedBlockId = input.id;
        tell("input", { blockId: input.id, type: input.type });
      }
      if (isOver && !isEnded && !isOld && entries.length > 0) tell("end", {});
      isEnded = isOver;
      if (entries.length > 0 || input) isOld = false;
    },
  };
}

function textOf(message: Message): string {
  if (!message) return "";
  if (message.type === "command") return message.command;
  return message.type === "audio" ? message.url : message.text;
}

/** What a bubble says, or the address of what it shows. */
function wordsOf({ type, content }: Bubble): string {
  return type === "text" ? plainText(listAt(content, "richText")).trim() : (textAt(at(content, "url")) ?? "");
}
