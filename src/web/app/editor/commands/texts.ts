import { type Hit, type Query, replace } from "../../../../core/editing/references/search.ts";
import type { IsWord } from "../../../../core/editing/references/texts.ts";
import type { Command } from "./command.ts";
import { isGroupLocked } from "./locks.ts";

/** Replaces the found text at one position or everywhere. Texts in locked groups are not changed. */
export const replaceTexts: Command<{
  readonly query: Query;
  readonly by: string;
  readonly only?: Hit;
  readonly isWord?: IsWord;
}> = {
  name: (words, { query, by }) => words.acts.replaceTexts({ text: query.text, by }),
  make(draft, { query, ...rest }) {
    const isKept = (groupId: string): boolean => isGroupLocked(draft, groupId);
    const changes = replace(draft, query, { ...rest, isKept });
    if (changes.length > 0) return { changes };
    const isLocked = replace(draft, query, rest).length > 0;
    return { refused: isLocked ? "locked" : "nothing" };
  },
};
