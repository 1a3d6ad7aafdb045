/** @jsxImportSource preact */
import { useEffect, useRef, useState } from "preact/hooks";
import { call, refresh, setKnown, useQuery } from "../../api/index.ts";
import { useChatAddress } from "../../bot-bar/chat-address.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { go, Link, route } from "../../shell/router.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { FailureState } from "../../shell/states.tsx";
import {
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  Menu,
  Select,
  Skeleton,
  Table,
  TextField,
  toast,
} from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { resultWords } from "../../words/results.ts";
import { answerTo, type Question, questionsOf, type Result, stateOf } from "./columns.ts";
import { addressPartOf, type Filter, readFilter, stateFilters, timeFilters } from "./filter.ts";
import {
  deleteResults,
  type ExportFormat,
  exportFormats,
  exportResults,
  type ResultsPage,
  readPage,
} from "./service.ts";
import { ResultSheet } from "./sheet.tsx";
import { StateBadge } from "./state-badge.tsx";
import "./results.css";

/** What visitors said to a bot: a table of results, and one of them beside it. */
export default function ResultsScreen({ params }: ScreenProps) {
  const { botId = "", resultId } = params;
  const filter = readFilter(route.value.query);
  return (
    <BotFrame botId={botId} part="results">
      <Results key={botId} botId={botId} resultId={resultId} filter={filter} />
    </BotFrame>
  );
}

type ResultsProps = { readonly botId: string; readonly resultId: string | undefined; readonly filter: Filter };

function Results({ botId, resultId, filter }: ResultsProps) {
  const words = useWords(resultWords);
  const base = `/bots/${botId}/results`;
  const part = addressPartOf(filter);
  const { value: known } = useQuery(`bots/${botId}/for-results`, () =>
    call("GET /api/v1/bots/:botId", { path: { botId } }),
  );
  const { page, failure, further, isFurther, reload } = useResults(botId, filter);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly string[]>();
  const questions = known ? questionsOf(known.bot) : [];
  const mayDelete = known?.currentUserMode === "write";
  const rows = page?.results ?? [];
  const at = rows.findIndex(({ id }) => id === resultId);
  const openRow = (row: Result | undefined) => row && (() => go(`${base}/${row.id}${part}`, { isReplacing: true }));
  const show = (next: Filter) => {
    setChosen(new Set());
    go(`${base}${addressPartOf(next)}`, { isReplacing: true });
  };
  const remove = async (ids: readonly string[]) => {
    const count = await deleteResults(botId, ids);
    setChosen(new Set());
    if (resultId !== undefined && ids.includes(resultId)) go(`${base}${part}`, { isReplacing: true });
    await reload();
    toast(words.deleted(count));
  };
  return (
    <div class="results">
      <header class="results-head">
        <h1>{words.title}</h1>
        {page?.totals && <p class="results-muted">{words.count(page.totals.results, page.totals.isExact)}</p>}
        <span class="results-space" />
        {chosen.size > 0 && (
          <Button kind="danger" icon="trash-2" onPress={() => setDeleting([...chosen])}>
            {words.delete(chosen.size)}
          </Button>
        )}
        <Menu
          label={words.export}
          icon="download"
          items={() =>
            formats.map((format) => ({
              label: words.exportAs(exportFormats[format]),
              onPress: () => void exportResults(botId, filter, format),
            }))
          }
        />
      </header>
      <Filters filter={filter} onChange={show} />
      {failure && <FailureState failure={failure} onRetry={reload} />}
      {!page && !failure && <Skeleton rows={8} />}
      {page && rows.length === 0 && (
        <Nothing
          botId={botId}
          isFiltered={part !== ""}
          publicId={known?.bot.publicId ?? null}
          onClear={() => show(readFilter(new URLSearchParams()))}
        />
      )}
      {rows.length > 0 && (
        <div class="results-table">
          <Table
            label={words.title}
            columns={columnsOf({ questions, words, addressOf: (row) => `${base}/${row.id}${part}` })}
            rows={rows}
            keyOf={({ id }) => id}
            nameOf={(row) => words.open(timeText(row.createdAt))}
            {...(mayDelete && { selection: chosen, onSelect: setChosen })}
          />
        </div>
      )}
      {page?.nextCursor !== undefined && (
        <div class="results-further">
          <Button busy={isFurther} onPress={further}>
            {words.further}
          </Button>
        </div>
      )}
      {resultId !== undefined && (
        <ResultSheet
          key={resultId}
          {...{ botId, resultId, questions }}
          onNewer={openRow(rows[at - 1])}
          onOlder={at < 0 ? undefined : openRow(rows[at + 1])}
          onDelete={mayDelete ? () => setDeleting([resultId]) : undefined}
          onClose={() => go(`${base}${part}`, { isReplacing: true })}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title={`${words.delete(deleting.length)}?`}
          text={words.deleteText(deleting.length)}
          action={words.delete(deleting.length)}
          isDanger
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </div>
  );
}

const formats: readonly ExportFormat[] = ["csv", "xlsx", "ndjson"];

type ColumnsFor = {
  readonly questions: readonly Question[];
  readonly words: (typeof resultWords)["en"];
  readonly addressOf: (row: Result) => string;
};

/** When, how far, and a column for each question: on a phone the first alone. */
function columnsOf({ questions, words, addressOf }: ColumnsFor): readonly Column<Result>[] {
  return [
    {
      id: "began",
      label: words.began,
      isMain: true,
      cell: (row) => (
        <Link to={addressOf(row)} title={whenText(row.createdAt)}>
          {timeText(row.createdAt)}
        </Link>
      ),
    },
    { id: "state", label: words.state, cell: (row) => <StateBadge state={stateOf(row)} /> },
    ...questions.map(
      ({ blockId, label }, index): Column<Result> => ({
        id: blockId,
        label,
        from: index === 0 ? undefined : index < 3 ? "medium" : "wide",
        cell: (row) => (
          <span class="results-cell" dir="auto">
            {answerTo(row, blockId)}
          </span>
        ),
      }),
    ),
  ];
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (next: Filter) => void }) {
  const words = useWords(resultWords);
  const [text, setText] = useState(filter.text);
  const timer = useRef(0);
  useEffect(() => setText(filter.text), [filter.text]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => onChange({ ...filter, text: next.trim() }), typingPauseMs);
  };
  return (
    <search class="results-filters">
      <TextField
        name={words.search}
        type="search"
        icon="search"
        placeholder={words.search}
        value={text}
        onInput={search}
        maxLength={200}
      />
      <Select
        name={words.state}
        value={filter.state}
        options={stateFilters.map((value) => ({ value, label: words.states[value] }))}
        onChange={(value) => onChange({ ...filter, state: stateFilters.find((one) => one === value) ?? "all" })}
      />
      <Select
        name={words.time}
        value={filter.time}
        options={timeFilters.map((value) => ({ value, label: words.times[value] }))}
        onChange={(value) => onChange({ ...filter, time: timeFilters.find((one) => one === value) ?? "allTime" })}
      />
    </search>
  );
}

const typingPauseMs = 300;

type NothingProps = {
  readonly botId: string;
  readonly isFiltered: boolean;
  readonly publicId: string | null;
  readonly onClear: () => void;
};

function Nothing({ botId, isFiltered, publicId, onClear }: NothingProps) {
  const chatAddress = useChatAddress();
  const address = chatAddress === undefined || publicId === null ? undefined : `${chatAddress}/${publicId}`;
  const words = useWords(resultWords);
  if (isFiltered) {
    return (
      <EmptyState icon="search" title={words.noneFound} text={words.noneFoundText}>
        <Button onPress={onClear}>{words.removeFilters}</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="message-circle"
      title={words.emptyTitle}
      text={publicId === null ? words.emptyUnpublished : words.emptyText}
    >
      <Link class="app-button is-primary is-m" to={`/bots/${botId}/share`}>
        {words.share}
      </Link>
      {address !== undefined && (
        <a class="app-button is-plain is-m" href={address} target="_blank" rel="noopener">
          {words.startIt}
        </a>
      )}
    </EmptyState>
  );
}

/** The results that fit: the first page is known by its key, the further ones are put behind it. */
function useResults(botId: string, filter: Filter) {
  const key = `results/${botId}/list/${JSON.stringify(filter)}`;
  const { value: page, failure } = useQuery<ResultsPage>(key, () => readPage(botId, filter));
  const [isFurther, setFurther] = useState(false);
  return {
    ...{ page, failure, isFurther },
    async further() {
      if (!page?.nextCursor || isFurther) return;
      setFurther(true);
      try {
        const next = await readPage(botId, filter, page.nextCursor);
        const { nextCursor: _, ...known } = page;
        setKnown<ResultsPage>(key, { ...known, ...next, results: [...page.results, ...next.results] });
      } finally {
        setFurther(false);
      }
    },
    reload: () => refresh(`results/${botId}/list`),
  };
}
