import { matchingWords, type Run } from "../../../core/editing/text/words.ts";
import type { LineContext } from "./line-context.ts";

type ByWordProps = { readonly runs: readonly Run[]; readonly isCode: boolean; readonly context: LineContext };

/** A text with its removed and added parts. Long unchanged parts are shortened to their ends. */
export function ByWord({ runs, isCode: isOfCode, context }: ByWordProps) {
  const cut = isOfCode ? cutLines : cutText;
  return (
    <span class={isOfCode ? "difference-code" : "difference-text"}>
      {runs.map(({ is, text }, index) =>
        is === "same" ? (
          cut(text, { isFirst: index === 0, isLast: index === runs.length - 1 })
        ) : (
          <Changed key={index} is={is} text={long(text)} context={context} />
        ),
      )}
    </span>
  );
}

type ByEntryProps = {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly context: LineContext;
};

/** A list with its removed and added entries, each on its own line, and the unchanged entries near them. */
export function ByEntry({ before, after, context }: ByEntryProps) {
  const lines = entryRuns(before, after);
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - entriesAround), at + entriesAround + 1).some(({ is }) => is !== "same");
  return (
    <ul class="difference-entries">
      {lines.map(({ is, text }, index) => {
        if (is !== "same")
          return (
            <li key={index}>
              <Changed is={is} text={long(text)} context={context} />
            </li>
          );
        if (isNear(index)) return <li key={index}>{long(text)}</li>;
        return index === 0 || isNear(index - 1) ? <li key={index}>⋯</li> : null;
      })}
    </ul>
  );
}

const entriesAround = 2;

/** Compares two lists by whole entries. A removed entry comes before its replacement. */
export function entryRuns(before: readonly string[], after: readonly string[]): readonly Run[] {
  const runs: Run[] = [];
  let [i, j] = [0, 0];
  for (const [from, to] of [...matchingWords(before, after), [before.length, after.length] as const]) {
    for (const text of before.slice(i, from)) runs.push({ is: "removed", text });
    for (const text of after.slice(j, to)) runs.push({ is: "added", text });
    for (const text of before.slice(from, from + 1)) runs.push({ is: "same", text });
    [i, j] = [from + 1, to + 1];
  }
  return runs;
}

type ChangedProps = { readonly is: "added" | "removed"; readonly text: string; readonly context: LineContext };

function Changed({ is, text, context: { words } }: ChangedProps) {
  const Tag = is === "removed" ? "del" : "ins";
  return (
    <Tag>
      <span class="visually-hidden">{is === "removed" ? words.wordsRemoved : words.wordsAdded} </span>
      {text}
    </Tag>
  );
}

/** Shortens a long text that was added or removed. */
export function long(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}

type Ends = { readonly isFirst: boolean; readonly isLast: boolean };

const around = 60;

function cutText(text: string, { isFirst, isLast }: Ends): string {
  if (text.length <= around * 3) return text;
  const [head, tail] = [text.slice(0, around), text.slice(-around)];
  return isFirst ? `…${tail}` : isLast ? `${head}…` : `${head} … ${tail}`;
}

const linesAround = 3;

/** Shortens code at line breaks, so that it stays readable. */
function cutLines(text: string, { isFirst, isLast }: Ends): string {
  const lines = text.split("\n");
  if (lines.length <= linesAround * 2 + 2) return cutText(text, { isFirst, isLast });
  const [head, tail] = [lines.slice(0, linesAround), lines.slice(-linesAround)];
  return [...(isFirst ? [] : head), "⋯", ...(isLast ? [] : tail)].join("\n");
}
