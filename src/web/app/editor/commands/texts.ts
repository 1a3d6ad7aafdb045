import { type Hit, type Query, replace } from "../../../../editing/search.ts";
import type { IsWord } from "../../../../editing/texts.ts";
import type { Command } from "./command.ts";

/** Puts something else in the place of what was found: everywhere, or at one place. */
export const replaceTexts: Command<{
  readonly query: Query;
  readonly by: string;
  readonly only?: Hit;
  readonly isWord?: IsWord;
}> = {
  id: "texts.replace",
  name: (words, { query, by }) => words.acts.replaceTexts(query.text, by),
  make(draft, { query, ...rest }) {
    const changes = replace(draft, query, rest);
    return changes.length === 0 ? { refused: "nothing" } : { changes };
  },
};
