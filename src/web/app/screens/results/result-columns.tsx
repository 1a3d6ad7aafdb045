import { Link } from "../../routing/router.ts";
import type { Column } from "../../ui/index.ts";
import { exactTimeText, type WordsOf, whenText } from "../../words/index.ts";
import { AnswerFiles } from "./answer-files.tsx";
import { answerParts } from "./answer-parts.ts";
import { type KeptVariable, type Question, type Result, stateOf, valueIn } from "./columns.ts";
import { type ShownBot, type ShownField, shownFields } from "./shown-fields.ts";
import { StateBadge } from "./state-badge.tsx";
import { ordered, type TableSettings } from "./table-settings.ts";

type ColumnsFor = {
  readonly botId: string;
  readonly questions: readonly Question[];
  readonly variables: readonly KeptVariable[];
  readonly bot: ShownBot;
  readonly words: WordsOf<"result">;
  readonly addressOf: (row: Result) => string;
};

/**
 * Returns the columns of the table: the time, the progress, each question, each variable, and further fields of the
 * bot's results.
 */
export function resultColumns({
  botId,
  questions,
  variables,
  bot,
  words,
  addressOf,
}: ColumnsFor): readonly Column<Result>[] {
  return [
    {
      id: "began",
      label: words.began,
      isMain: true,
      cell: (row) => (
        <Link to={addressOf(row)} title={whenText(row.createdAt)}>
          {exactTimeText(row.createdAt)}
        </Link>
      ),
    },
    { id: "state", label: words.state, cell: (row) => <StateBadge state={stateOf(row)} /> },
    ...questions.map(
      (question): Column<Result> => ({
        id: question.blockId,
        label: question.label,
        hint: question.group,
        cell: (row) => <AnswerCell botId={botId} row={row} question={question} />,
      }),
    ),
    ...variables.map(
      ({ id, name }): Column<Result> => ({ id, label: name, cell: (row) => <Cell text={valueIn(row, id)} /> }),
    ),
    ...Object.entries<ShownField>(shownFields)
      .filter(([, { isOf }]) => isOf?.(bot) ?? true)
      .map(([id, { title, cell }]): Column<Result> => ({ id, label: title(words), cell: (row) => cell(row, words) })),
  ];
}

/**
 * Returns the visible columns in their order and with their widths. The start time is the row header and always the
 * first column.
 */
export function shownColumns(columns: readonly Column<Result>[], settings: TableSettings): readonly Column<Result>[] {
  return orderedColumns(columns, settings)
    .filter(({ id, isMain }) => isMain || !settings.hidden.has(id))
    .map((column) => ({ ...column, width: settings.widths.get(column.id) }));
}

export function orderedColumns(columns: readonly Column<Result>[], settings: TableSettings): readonly Column<Result>[] {
  const rest = columns.filter(({ isMain }) => !isMain);
  return [...columns.filter(({ isMain }) => isMain), ...ordered(rest, settings)];
}

function AnswerCell({ botId, row, question }: { botId: string; row: Result; question: Question }) {
  const { files, text } = answerParts(row, question);
  return (
    <>
      {files.length > 0 && <AnswerFiles files={files} botId={botId} resultId={row.id} />}
      {text !== "" && <Cell text={text} />}
    </>
  );
}

function Cell({ text }: { readonly text: string }) {
  return (
    <span class="results-cell" dir="auto" title={text.length > longText ? text : undefined}>
      {text}
    </span>
  );
}

/** A text of at least this length may be shortened, so it gets a tooltip. */
const longText = 48;
