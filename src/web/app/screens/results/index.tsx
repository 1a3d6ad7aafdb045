import { useRef, useState } from "preact/hooks";
import { ApiFailure, call, refresh, setKnown, useQuery } from "../../api/index.ts";
import { BotFrame } from "../../bot-bar/index.tsx";
import { answersOnMessengers, readChannelKinds } from "../../page-parts/channels/kinds.ts";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { FailureState } from "../../page-parts/states.tsx";
import { go, Link, route } from "../../routing/router.ts";
import type { ScreenProps } from "../../routing/screen.ts";
import { useChatAddress } from "../../session/service-pages.ts";
import { Button, EmptyState, later, Menu, Segments, Skeleton, Table, toast } from "../../ui/index.ts";
import resultWords from "../../words/en/result.json";
import { exactTimeText, timeText, useWords, type WordsOf } from "../../words/index.ts";
import { ColumnDialog, DeleteAll, DeleteSome } from "./column-dialog.tsx";
import { namedVariables, questionsOf, type Result, takesPayments, takesRatings, variablesOf } from "./columns.ts";
import { ExportMenu } from "./export-menu.tsx";
import { addressPartOf, type Filter, isNarrowed, noFilter, readFilter } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { PaymentSum } from "./payments.tsx";
import { RatingCounts } from "./ratings.tsx";
import { orderedColumns, resultColumns, shownColumns } from "./result-columns.tsx";
import { deleteResults, type ResultsPage, readPage, readVersionNumbers } from "./service.ts";
import { ResultSheet } from "./sheet.tsx";
import { readSettings, storedSettings, type TableSettings } from "./table-settings.ts";
import "./results.css";

/** Shows the results of a bot as a table, and the selected result beside it. */
export default function ResultsScreen({ params }: ScreenProps) {
  const { botId = "", resultId } = params;
  const { query } = route.value;
  const filter = readFilter(query);
  const view = query.get("view") === "summary" ? "summary" : "table";
  return (
    <BotFrame botId={botId} part="results">
      <Results key={botId} {...{ botId, resultId, filter, view }} />
    </BotFrame>
  );
}

/** The charts are loaded with the first summary. */
const ResultsSummary = later(async () => (await import("./summary/summary.tsx")).ResultsSummary, <Skeleton rows={8} />);

type View = "table" | "summary";
type ResultsProps = {
  readonly botId: string;
  readonly resultId: string | undefined;
  readonly filter: Filter;
  readonly view: View;
};

function Results({ botId, resultId, filter, view }: ResultsProps) {
  const words = useWords(resultWords);
  const base = `/bots/${botId}/results`;
  const part = addressPartOf(filter);
  const { value: known } = useQuery(`bots/${botId}/for-results`, () =>
    call("GET /api/v1/bots/:botId", { path: { botId } }),
  );
  const { value: versions = [] } = useQuery(`versions/${botId}/numbers`, () => readVersionNumbers(botId));
  const { page, isStale, failure, further, isFurther, reload } = useResults(botId, filter);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<readonly string[] | "all">();
  const [isArranging, setArranging] = useState(false);
  const questions = known ? questionsOf(known.bot) : [];
  const hasPayments = known !== undefined && takesPayments(known.bot);
  const isOnMessengers = answersOnMessengers(known?.bot);
  const { value: channels = [] } = useQuery(`channel-kinds/${isOnMessengers}`, () => readChannelKinds(isOnMessengers));
  const shownBot = { hasPayments, versions, channels, questions };
  const hasRatings = known !== undefined && takesRatings(known.bot);
  const mayWrite = known?.currentUserMode === "write";
  const { settings, change } = useTableSettings({ botId, mayWrite, kept: known?.bot.resultsTablePreferences });
  const columns = resultColumns({
    ...{ botId, questions, words },
    variables: known ? variablesOf(known.bot) : [],
    bot: shownBot,
    addressOf: (row) => `${base}/${row.id}${part}`,
  });
  const rows = page?.results ?? [];
  // Whether there are no results at all, so that filters and table settings are hidden.
  const isEmpty = page !== undefined && rows.length === 0 && !isNarrowed(filter);
  const at = rows.findIndex(({ id }) => id === resultId);
  const openRow = (row: Result | undefined) => row && (() => go(`${base}/${row.id}${part}`, { isReplacing: true }));
  const show = (next: Filter, nextView: View = view) => {
    setChosen(new Set());
    const query = new URLSearchParams(addressPartOf(next));
    if (nextView === "summary") query.set("view", nextView);
    go(query.size === 0 ? base : `${base}?${query}`, { isReplacing: true });
  };
  const remove = async (ids: readonly string[] | "all") => {
    const count = await deleteResults(botId, ids);
    setChosen(new Set());
    if (resultId !== undefined && (ids === "all" || ids.includes(resultId)))
      go(`${base}${part}`, { isReplacing: true });
    await reload();
    toast(words.deleted({ count }));
  };
  return (
    <div class="results">
      <header class="results-head">
        <h1>{words.title}</h1>
        {page?.totals && !isEmpty && <p class="results-muted">{countText(words, page.totals)}</p>}
        {hasPayments && !isEmpty && <PaymentSum botId={botId} filter={filter} />}
        {hasRatings && !isEmpty && <RatingCounts botId={botId} filter={filter} />}
        <span class="results-space" />
        {!isEmpty && (
          <Segments
            label={words.view}
            value={view}
            options={[
              { value: "table", label: words.table },
              { value: "summary", label: words.summary.title },
            ]}
            onChange={(next) => show(filter, next)}
          />
        )}
        {chosen.size > 0 && (
          <Button
            label={words.delete({ count: chosen.size })}
            kind="danger"
            icon="trash-2"
            onPress={() => setDeleting([...chosen])}
          />
        )}
        {!isEmpty && (
          <>
            <Button label={words.columns} icon="columns-3" onPress={() => setArranging(true)} />
            <ExportMenu botId={botId} filter={filter} />
          </>
        )}
        {mayWrite && rows.length > 0 && (
          <Menu
            isIconOnly
            label={words.more}
            items={() => [
              { label: words.deleteAll, icon: "trash-2", isDanger: true, onPress: () => setDeleting("all") },
            ]}
          />
        )}
      </header>
      {!isEmpty && (
        <Filters filter={filter} variables={known ? namedVariables(known.bot) : []} bot={shownBot} onChange={show} />
      )}
      {failure && <FailureState failure={failure} onRetry={reload} />}
      {!page && !failure && <Skeleton rows={8} />}
      {page && rows.length === 0 && (
        <Nothing
          botId={botId}
          isFiltered={isNarrowed(filter)}
          publicId={known?.bot.publicId ?? null}
          onClear={() => show(noFilter)}
        />
      )}
      {rows.length > 0 && view === "summary" && known && (
        <ResultsSummary
          botId={botId}
          filter={filter}
          columnIds={summedIds(shownColumns(columns, settings), known.bot)}
        />
      )}
      {rows.length > 0 && view === "table" && (
        <div class="results-table" aria-busy={isStale}>
          <Table
            isPressed
            label={words.title}
            columns={shownColumns(columns, settings)}
            rows={rows}
            keyOf={({ id }) => id}
            nameOf={(row) => words.open({ when: exactTimeText(row.createdAt) })}
            rowAttributes={({ id }) => (id === resultId ? { "aria-current": "true" } : {})}
            onResize={(id, width) => void change({ widths: new Map(settings.widths).set(id, width) })}
            {...(mayWrite && { selection: chosen, onSelect: setChosen })}
          />
        </div>
      )}
      {page?.nextCursor !== undefined && view === "table" && (
        <div class="results-further">
          <Button label={words.further} busy={isFurther} onPress={further} />
        </div>
      )}
      {resultId !== undefined && (
        <ResultSheet
          key={resultId}
          {...{ botId, resultId, questions }}
          onNewer={openRow(rows[at - 1])}
          onOlder={at < 0 ? undefined : openRow(rows[at + 1])}
          onDelete={mayWrite ? () => setDeleting([resultId]) : undefined}
          onClose={() => go(`${base}${part}`, { isReplacing: true })}
        />
      )}
      {isArranging && (
        <ColumnDialog
          columns={orderedColumns(columns, settings)}
          settings={settings}
          onChange={(changes) => void change(changes)}
          onClose={() => setArranging(false)}
        />
      )}
      {deleting === "all" && (
        <DeleteAll
          {...{ botId, botName: known?.bot.name ?? "" }}
          onConfirm={() => remove("all")}
          onClose={() => setDeleting(undefined)}
        />
      )}
      {deleting !== undefined && deleting !== "all" && (
        <DeleteSome count={deleting.length} onConfirm={() => remove(deleting)} onClose={() => setDeleting(undefined)} />
      )}
    </div>
  );
}

/** Returns the ids of the questions and variables among the visible columns. */
function summedIds(columns: readonly { readonly id: string }[], bot: Parameters<typeof questionsOf>[0]) {
  const known = new Set([...questionsOf(bot).map(({ blockId }) => blockId), ...variablesOf(bot).map(({ id }) => id)]);
  return columns.map(({ id }) => id).filter((id) => known.has(id));
}

type Totals = NonNullable<ResultsPage["totals"]>;

/** Returns the number of results or a lower bound, and the time up to which the search index is complete. */
function countText(words: WordsOf<"result">, { results, isLowerBound, asOf }: Totals): string {
  const count = isLowerBound ? words.atLeast({ count: results }) : words.count({ count: results });
  return asOf === undefined ? count : `${count} · ${words.asOf({ time: timeText(asOf) })}`;
}

/** Returns the results that match the filter. The first page is cached, and further pages are appended. */
function useResults(botId: string, filter: Filter) {
  const key = `results/${botId}/list/${JSON.stringify(filter)}`;
  const { value, failure } = useQuery<ResultsPage>(key, () => readPage(botId, filter));
  const [isFurther, setFurther] = useState(false);
  // The previous results stay visible until the results of the new filter are loaded.
  const last = useRef<ResultsPage | undefined>(undefined);
  if (value) last.current = value;
  const page = value ?? (failure ? undefined : last.current);
  return {
    ...{ page, failure, isFurther, isStale: value === undefined },
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

type NothingProps = {
  readonly botId: string;
  readonly isFiltered: boolean;
  readonly publicId: string | null;
  readonly onClear: () => void;
};

/** Shown if there are no results: the first steps, or a note that none match the filter. */
function Nothing({ botId, isFiltered, publicId, onClear }: NothingProps) {
  const chatAddress = useChatAddress();
  const address = chatAddress === undefined || publicId === null ? undefined : `${chatAddress}/${publicId}`;
  const words = useWords(resultWords);
  if (isFiltered) {
    return (
      <EmptyState drawing={<EmptyDrawing of="search" />} title={words.noneFound} text={words.noneFoundText}>
        <Button label={words.removeFilters} onPress={onClear} />
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing={<EmptyDrawing of="chats" />}
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

type UseSettings = {
  readonly botId: string;
  /** The settings that the service stores; undefined until they are loaded. */
  readonly kept: unknown;
  /**
   * Whether this person may edit the bot. If so, the settings are stored with the bot. Otherwise, they last only for
   * this visit.
   */
  readonly mayWrite: boolean;
};

/**
 * Returns the settings of the table and a function that changes them. Changes apply immediately and are stored with the
 * bot if this person may edit it.
 */
function useTableSettings({ botId, kept, mayWrite }: UseSettings) {
  const [own, setOwn] = useState<TableSettings>();
  const settings = own ?? readSettings(kept);
  const change = async (changes: Partial<TableSettings>) => {
    const next = { ...settings, ...changes };
    setOwn(next);
    if (!mayWrite) return;
    try {
      await call("PATCH /api/v1/bots/:botId", {
        path: { botId },
        body: { bot: { resultsTablePreferences: storedSettings(next) } },
      });
    } catch (error) {
      // The table already uses the new settings. A failed request only means that the next visit does not have them.
      if (!(error instanceof ApiFailure)) throw error;
    }
  };
  return { settings, change };
}
