import { LineChart } from "../../../insight/line-chart.tsx";
import { percentText } from "../../../insight/texts.ts";
import { EmptyDrawing } from "../../../page-parts/empty-drawing/empty-drawing.tsx";
import { FailureState } from "../../../page-parts/states.tsx";
import { Link } from "../../../routing/router.ts";
import { EmptyState } from "../../../ui/index.ts";
import resultWords from "../../../words/en/result.json";
import { numberText, timeText, useWords, type WordsOf } from "../../../words/index.ts";
import { dayText } from "../../../words/language.ts";
import { addressPartOf, type Filter } from "../filter.ts";
import { type ColumnSummary, type Progress, type Summary, useSummary } from "./use-summary.ts";
import { Values } from "./values.tsx";
import "../../../insight/charts.css";
import "../../../insight/figures.css";
import "./summary.css";

type Props = {
  readonly botId: string;
  readonly filter: Filter;
  /** The ids of questions and variables, in the order of the table. */
  readonly columnIds: readonly string[];
};

/** Summarises the matching results column by column. */
export function ResultsSummary({ botId, filter, columnIds }: Props) {
  const { summary: words } = useWords(resultWords);
  const { value, progress, failure, again } = useSummary(botId, filter, columnIds.slice(0, mostColumns));
  if (failure) return <FailureState failure={failure} onRetry={again} />;
  if (!value) return <Reading progress={progress} />;
  const left = leftOutIn(value, words);
  if (value.results === 0)
    return (
      <EmptyState drawing={<EmptyDrawing of="search" />} title={words.none} text={left.join(" ") || words.noneText} />
    );
  return (
    <section class="results-summary" aria-label={words.title}>
      <p class="results-muted">{[words.from({ count: value.results }), ...left].join(" ")}</p>
      <div class="results-summary-columns">
        {value.columns.map((column) => (
          <Column
            key={column.id}
            {...{ column, words }}
            tableAddress={`/bots/${botId}/results${addressPartOf(filter)}`}
          />
        ))}
      </div>
      {columnIds.length > mostColumns && <p class="results-hint">{words.firstColumns({ count: mostColumns })}</p>}
    </section>
  );
}

/** The maximum number of columns per request that the service accepts. */
const mostColumns = 12;

type Words = WordsOf<"result">["summary"];

/** Returns sentences about the results that the summary does not include. */
function leftOutIn({ leftOut: { silent, older, isLowerBound }, asOf }: Summary, words: Words): readonly string[] {
  const { silentAtLeast, silent: silentExactly } = words;
  return [
    ...(silent > 0 ? [(isLowerBound ? silentAtLeast : silentExactly)({ count: silent })] : []),
    ...(older > 0 ? [words.older({ count: older })] : isLowerBound ? [words.olderSome] : []),
    ...(asOf === undefined ? [] : [words.asOf({ time: timeText(asOf) })]),
  ];
}

function Reading({ progress }: { readonly progress: Progress | undefined }) {
  const { summary: words } = useWords(resultWords);
  return (
    <div class="results-reading">
      <progress aria-label={words.reading} {...(progress && { value: progress.read, max: progress.of })} />
      <p class="results-muted">{progress ? words.progress(progress) : words.reading}</p>
    </div>
  );
}

type ColumnProps = { readonly column: ColumnSummary; readonly words: Words };

function Column({ column, words, tableAddress }: ColumnProps & { readonly tableAddress: string }) {
  const { title, groupTitle, kind, answered } = column;
  const name = title.trim() || groupTitle?.trim() || words.untitled;
  if (kind === "dates" && column.days && column.days.length > 0) {
    return (
      <div class="insight-card is-wide">
        <LineChart
          title={name}
          summary={words.answered({ count: answered })}
          lines={[{ id: "opened", name: words.results }]}
          points={everyDay(column.days).map(({ day, results }) => ({
            ...{ key: day, name: dayText(day), values: [results] },
            text: `${dayText(day)}: ${numberText(results)}`,
          }))}
        />
      </div>
    );
  }
  return (
    <div class="insight-card">
      <div>
        <h2 dir="auto">{name}</h2>
        <p class="results-muted">
          {groupTitle !== null && groupTitle.trim() !== name && groupTitle.trim() !== "" && (
            <span dir="auto">{groupTitle} · </span>
          )}
          {words.answered({ count: answered })}
        </p>
      </div>
      <Numbers column={column} words={words} />
      {column.values && column.values.length > 0 && <Values name={name} column={column} />}
      {kind === "texts" && answered > 0 && (
        <p class="results-muted">
          <Link class="results-to-table" to={tableAddress}>
            {words.inTable}
          </Link>
        </p>
      )}
    </div>
  );
}

/** Shows the figures of a column, with the net promoter score for ratings up to 10. */
function Numbers({ column: { kind, numbers, nps }, words }: ColumnProps) {
  if (!numbers) return null;
  const { median, mean, least, most } = numbers;
  const figures: readonly (readonly [string, number])[] = [
    [words.median, median],
    [words.mean, mean],
    [words.least, least],
    [words.most, most],
  ];
  // The bars already show the minimum and maximum of ratings.
  const shown = kind === "ratings" ? figures.slice(0, 2) : figures;
  const total = nps ? nps.promoters + nps.passives + nps.detractors : 0;
  const share = (count: number) => percentText(count / total);
  return (
    <>
      <dl class="results-figures">
        {nps && (
          <div>
            <dt>{words.nps}</dt>
            <dd>{signedText(nps.score)}</dd>
          </div>
        )}
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{numberText(Math.round(value * 100) / 100)}</dd>
          </div>
        ))}
      </dl>
      {nps && (
        <p class="results-muted">
          {words.npsParts({
            promoters: share(nps.promoters),
            passives: share(nps.passives),
            detractors: share(nps.detractors),
          })}
        </p>
      )}
    </>
  );
}

/** Formats a score with its sign, because a score may be negative. */
function signedText(score: number): string {
  return score > 0 ? `+${numberText(score)}` : numberText(score);
}

type Day = { readonly day: string; readonly results: number };

/** Returns the days in order. Days without results are included if the chart has room for all days. */
function everyDay(days: readonly Day[]): readonly Day[] {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return days;
  const begin = Date.parse(first.day);
  const count = Math.round((Date.parse(last.day) - begin) / dayMs) + 1;
  if (count > mostPoints) return days;
  const known = new Map(days.map(({ day, results }) => [day, results]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(begin + index * dayMs).toISOString().slice(0, 10);
    return { day, results: known.get(day) ?? 0 };
  });
}

const dayMs = 86_400_000;
const mostPoints = 400;
