import { textContent } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, textAt } from "../../core/interpreter/flow.ts";
import type { SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import { parseValue } from "../../core/interpreter/rich-text/parse-value.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type AnswerRow, takeOverAnswer, writeAnswers } from "../saves/answers-under-way.sql.ts";

/**
 * The words of an answer that a process told before it died. The call is made again, and may come to other words: those that were read stay, in a bubble of their
 * own that ends with an ellipsis, and the answer comes behind it.
 */
export type LostWords = {
  /** The answer was told again so far: words that are in it are not lost. */
  repeated(text: string): Promise<void>;
  /** The bubbles of lost words in front of this bubble's answer, which is about to be asked for. `said`: the messages before it, as JSON text. */
  take(call: { blockId: string; show: string; said: string | undefined }): Promise<readonly SaidBubble[]>;
  /** To be called once the step is saved. */
  forget(): Promise<void>;
};

/** Of a step that was claimed by nobody before. */
export const nothingLost: LostWords = { repeated: async () => {}, take: async () => [], forget: async () => {} };

export function createLostWords(
  sql: Sql,
  step: { sessionId: string; lostStepId: string; stepId: string; contentFormat: ContentFormat },
): LostWords {
  let found: Promise<AnswerRow | undefined> | undefined;
  let isTaken = false;
  const find = (): Promise<AnswerRow | undefined> => {
    found ??= takeOverAnswer(sql, step);
    return found;
  };
  return {
    async forget() {
      if (await found) await writeAnswers(sql, { answers: [], over: [step] });
    },
    async repeated(text) {
      const row = await find();
      if (row?.content && text.startsWith(row.content)) isTaken = true;
    },
    async take({ blockId, show, said }) {
      const row = await find();
      if (isTaken || row?.blockId !== show) return [];
      isTaken = true;
      const words = row.content?.trim() ?? "";
      const earlier = messagesIn(row.said).slice(messagesIn(said ?? null).length);
      if (words === "") return earlier;
      const content = textContent(parseValue(`${words}…`), step.contentFormat);
      return [...earlier, { id: blockId, type: "text", content }];
    },
  };
}

function messagesIn(said: string | null): SaidBubble[] {
  const messages: unknown = said === null ? [] : JSON.parse(said);
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown) => {
    const [id, type] = [textAt(message, "id"), textAt(message, "type")];
    return isJsonObject(message) && id !== undefined && type !== undefined
      ? [{ ...message, id, type, content: message["content"] }]
      : [];
  });
}
