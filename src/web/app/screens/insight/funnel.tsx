import { useState } from "preact/hooks";
import { Bar } from "../../insight/bars.tsx";
import type { Beside } from "../../insight/beside.ts";
import { type Insight, type Passing, shareOf } from "../../insight/rates.ts";
import { percentText } from "../../insight/texts.ts";
import { Button, type Column, Table } from "../../ui/index.ts";
import insightWords from "../../words/en/insight.json";
import { numberText, useWords } from "../../words/index.ts";
import { type FunnelQuestion, funnelQuestions, type VersionPassing } from "./funnel-rows.ts";
import type { Names } from "./names.ts";

type FunnelProps = { readonly insight: Insight; readonly names: Names; readonly beside: readonly Beside[] };

/** A row of the table: a question, or a compared version of the question above. */
type Row = {
  readonly key: string;
  readonly question: FunnelQuestion;
  readonly version?: VersionPassing;
  readonly passing: Passing | null | undefined;
  /** The highest number of chats at any question of the row's version. */
  readonly most: number;
};

const firstRows = 20;
const furtherRows = 200;

/** A table of the questions in walking order. The first row is the opening, at which chats without an answer ended. */
export function Funnel({ insight, names, beside }: FunnelProps) {
  const words = useWords(insightWords);
  const [count, setCount] = useState(firstRows);
  const questions = funnelQuestions({ insight, beside, names, words });
  const rows = rowsOf(questions, count);
  const cell = (read: (passing: Passing) => string) => (row: Row) =>
    row.passing ? read(row.passing) : row.passing === null || !row.version ? "–" : "…";
  const columns: readonly Column<Row>[] = [
    {
      ...{ id: "name", label: words.question, isMain: true },
      cell: (row) => (
        <span class="insight-question">
          <Name row={row} />
          {row.passing && (
            <Bar
              share={shareOf(row.passing.reached - row.passing.left, row.most)}
              rest={shareOf(row.passing.left, row.most)}
            />
          )}
        </span>
      ),
    },
    { id: "reached", label: words.reached, align: "end", cell: cell(({ reached }) => numberText(reached)) },
    {
      ...{ id: "answered", label: words.answered, align: "end", from: "medium" },
      cell: cell(({ answered }) => numberText(answered)),
    },
    {
      ...{ id: "left", label: words.left, align: "end" },
      cell: cell(({ left, reached }) =>
        left === 0 ? "0" : words.leftShare({ count: left, share: percentText(shareOf(left, reached)) }),
      ),
    },
  ];
  return (
    <section class="insight-card insight-funnel">
      <h2>{words.funnel}</h2>
      <p class="insight-muted">{words.funnelText}</p>
      <div class="insight-table">
        <Table
          label={words.funnel}
          columns={columns}
          rows={rows}
          keyOf={({ key }) => key}
          rowAttributes={({ version }) => (version ? { class: "insight-beside" } : {})}
        />
      </div>
      {questions.length > count && (
        <Button
          label={questions.length > count + furtherRows ? words.showMore : words.showAll({ count: questions.length })}
          onPress={() => setCount(count + furtherRows)}
        />
      )}
    </section>
  );
}

/**
 * Returns the rows of the table. Each bar is relative to the highest number of its own version, because one version may
 * have had many more chats than another.
 */
function rowsOf(questions: readonly FunnelQuestion[], count: number): readonly Row[] {
  const mostOf = (all: readonly (Passing | null | undefined)[]) => Math.max(1, ...all.map((one) => one?.reached ?? 0));
  const most = mostOf(questions.map(({ passing }) => passing));
  const mosts = (questions[0]?.versions ?? []).map((_, at) =>
    mostOf(questions.map(({ versions }) => versions[at]?.passing)),
  );
  return questions.slice(0, count).flatMap((question) => [
    { key: question.key, question, passing: question.passing, most },
    ...question.versions.map((version, at) => ({
      ...{ key: `${question.key}/${version.number}`, question, version },
      ...{ passing: version.passing, most: mosts[at] ?? 1 },
    })),
  ]);
}

function Name({ row: { question, version } }: { readonly row: Row }) {
  const words = useWords(insightWords);
  const { name, note } = question;
  if (version) {
    const { number, passing } = version;
    return (
      <span class="insight-muted">
        <span class="visually-hidden">{name}: </span>
        {passing === null ? words.notInVersion({ number }) : words.versionOf({ number })}
      </span>
    );
  }
  return (
    <>
      <span class="insight-name" dir="auto" title={name}>
        {name}
      </span>
      {note !== undefined && <span class="insight-muted">{note}</span>}
    </>
  );
}
