import type { Dialect } from "../../core/flow/dialect.ts";
import { textContent } from "../../core/interpreter/evaluation/text-content.ts";
import { isJsonObject, textAt } from "../../core/interpreter/flow.ts";
import { readAnswer } from "../../core/interpreter/gfm/read.ts";
import type { SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import { parseValue } from "../../core/interpreter/rich-text/parse-value.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type AnswerRow, takeOverAnswer, writeAnswers } from "../saves/answers-under-way.sql.ts";

/**
 * The text of an answer that a process published before it died. The retry calls the model again and may receive other
 * text. The text that visitors have already read is kept in a separate bubble that ends with an ellipsis, and the new
 * answer follows.
 */
export type LostWords = {
  /**
   * Called with the text of an answer that is repeated from stored reports. If it starts with the published text,
   * nothing is lost.
   */
  repeated(text: string): Promise<void>;
  /**
   * Returns the bubbles to show before the repeated answer: published messages that `said` (JSON text) lacks, and the
   * lost text. Empty if nothing was lost.
   */
  take(call: { blockId: string; show: string; said: string | undefined }): Promise<readonly SaidBubble[]>;
  /** Called after the step is saved. */
  forget(): Promise<void>;
};

/** Used for a step that no earlier attempt has claimed. */
export const nothingLost: LostWords = { repeated: async () => {}, take: async () => [], forget: async () => {} };

export function createLostWords(
  sql: Sql,
  {
    session: { id: sessionId, dialect },
    ...attempt
  }: {
    session: { readonly id: string; readonly dialect: Dialect };
    lostStepId: string;
    stepId: string;
    contentFormat: ContentFormat;
  },
): LostWords {
  const step = { ...attempt, sessionId };
  const read = dialect === "bot" && step.contentFormat === "richText" ? readAnswer : parseValue;
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
      const content = textContent(read(`${words}…`), step.contentFormat);
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
