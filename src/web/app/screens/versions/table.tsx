import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useQuery } from "../../api/index.ts";
import { countChanges, isNothing } from "../../difference/index.ts";
import { EmptyDrawing } from "../../page-parts/empty-drawing/empty-drawing.tsx";
import { QueryState } from "../../page-parts/states.tsx";
import { go, Link } from "../../routing/router.ts";
import { Badge, Banner, Button, type Column, EmptyState, Menu, type MenuItem, Table } from "../../ui/index.ts";
import { resultsText } from "../../words/comparison.ts";
import { countsText } from "../../words/counts-text.ts";
import differenceWords from "../../words/en/difference.json";
import versionWords from "../../words/en/version.json";
import { timeText, useWords, type WordsOf, whenText } from "../../words/index.ts";
import { CanaryPart } from "./canary.tsx";
import { type Asked, VersionDialog } from "./dialogs.tsx";
import { keyOf, type Publication, readOlder, readVersions, type VersionList } from "./service.ts";
import { useTwo } from "./use-two.ts";

/** Lists the publications of a bot, newest first. */
export function VersionTable({ botId }: { readonly botId: string }) {
  const words = useWords(versionWords);
  const key = `${keyOf(botId)}/list`;
  const query = useQuery(key, () => readVersions(botId));
  return (
    <div class="versions">
      <header class="versions-head">
        <h1>{words.title}</h1>
        <p>{words.intro}</p>
      </header>
      <QueryState query={query}>
        {(list) =>
          list.publications.length === 0 ? (
            <EmptyState drawing={<EmptyDrawing of="versions" />} title={words.none} text={words.noneText}>
              <Button label={words.toFlow} kind="primary" onPress={() => go(`/bots/${botId}`)} />
            </EmptyState>
          ) : (
            <Versions botId={botId} list={list} />
          )
        }
      </QueryState>
    </div>
  );
}

function Versions({ botId, list }: { readonly botId: string; readonly list: VersionList }) {
  const words = useWords(versionWords);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked>();
  const older = useOlder(botId, list);
  const rows = [...list.publications, ...older.publications];
  const { live } = list;
  const at = `/bots/${botId}/versions`;
  // The older version comes first, independent of the order in which the versions were selected.
  const two = [...chosen].map(Number).toSorted((a, b) => a - b);
  // Returns the number of the previous version; undefined if no older version is loaded.
  const beforeOf = ({ number }: Publication) => rows.find((one) => one.number < number && !one.isDraft)?.number;
  const compareBefore = (row: Publication) => () => go(`${at}/${beforeOf(row)}/compare/${row.number}`);
  const publish = (number: number) => () => setAsked({ act: "publish", number });
  const actsOf = (row: Publication): readonly MenuItem[] => {
    const { number, isCurrent } = row;
    return [
      { label: words.open, icon: "eye", onPress: () => go(`${at}/${number}`) },
      ...(beforeOf(row) === undefined
        ? []
        : [{ label: words.whatChanged, icon: "git-compare", onPress: compareBefore(row) }]),
      { label: words.compareDraft, icon: "git-compare", onPress: () => go(`${at}/${number}/compare/draft`) },
      ...(live !== undefined && !isCurrent
        ? [
            {
              label: words.compareLive,
              icon: "git-compare",
              onPress: () => go(`${at}/${live}/compare/${number}`),
            },
          ]
        : []),
      ...(list.mayWrite && !isCurrent ? [{ label: words.publishAgain, icon: "send", onPress: publish(number) }] : []),
      ...(list.mayWrite
        ? [{ label: words.bring, icon: "rotate-ccw", onPress: () => setAsked({ act: "bring", number }) }]
        : []),
    ];
  };
  const nearOf = (row: Publication) => (
    <>
      {beforeOf(row) !== undefined && (
        <Button
          label={words.whatChanged}
          size="s"
          kind="quiet"
          attributes={{ "aria-label": words.whatChangedIn({ number: row.number }) }}
          onPress={compareBefore(row)}
        />
      )}
      {list.mayWrite && !row.isCurrent && (
        <Button
          label={words.publishAgain}
          size="s"
          attributes={{ "aria-label": words.publishAgainOf({ number: row.number }) }}
          onPress={publish(row.number)}
        />
      )}
    </>
  );
  return (
    <>
      {list.canary && (
        <CanaryPart key={list.canary.number} botId={botId} canary={list.canary} mayWrite={list.mayWrite} />
      )}
      <DraftNote botId={botId} live={live} />
      <div class="versions-tools">
        {two.length === 2 ? (
          <Button
            label={words.compareTwo}
            kind="primary"
            icon="git-compare"
            onPress={() => go(`${at}/${two[0]}/compare/${two[1]}`)}
          />
        ) : (
          rows.length > 1 && <p class="versions-hint">{words.compareHint}</p>
        )}
      </div>
      <div class="versions-table">
        <Table
          label={words.list}
          columns={columnsOf({
            words,
            at,
            results: `/bots/${botId}/results`,
            canaryPercent: list.canary?.percent,
            actsOf,
            nearOf,
          })}
          rows={rows}
          keyOf={({ number }) => String(number)}
          nameOf={({ number }) => words.version({ number })}
          {...(rows.length > 1 && { selection: chosen, onSelect: setChosen })}
        />
      </div>
      {older.more && (
        <div class="versions-further">
          <Button label={words.further} busy={older.isBusy} onPress={older.more} />
        </div>
      )}
      {asked && <VersionDialog botId={botId} asked={asked} live={live} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function useOlder(botId: string, { publications, nextCursor }: VersionList) {
  const [pages, setPages] = useState<readonly Publication[]>([]);
  const [cursor, setCursor] = useState(nextCursor);
  const [isBusy, setBusy] = useState(false);
  const more = async (from: string) => {
    setBusy(true);
    try {
      const page = await readOlder(botId, from);
      setPages([...pages, ...page.publications]);
      setCursor(page.nextCursor);
    } finally {
      setBusy(false);
    }
  };
  const known = new Set(publications.map(({ number }) => number));
  return {
    publications: pages.filter(({ number }) => !known.has(number)),
    isBusy,
    more: cursor === undefined ? undefined : () => void more(cursor),
  };
}

type ColumnsFor = {
  readonly words: WordsOf<"version">;
  readonly at: string;
  /** The path of the bot's results. */
  readonly results: string;
  readonly canaryPercent: number | undefined;
  readonly actsOf: (row: Publication) => readonly MenuItem[];
  /** Renders the main action, which is outside the menu so that new users find it. */
  readonly nearOf: (row: Publication) => ComponentChildren;
};

function columnsOf({ words, at, results, canaryPercent, actsOf, nearOf }: ColumnsFor): readonly Column<Publication>[] {
  return [
    {
      id: "number",
      label: words.number,
      isMain: true,
      cell: (row) => (
        <span class="versions-name">
          <Link to={`${at}/${row.number}`}>{words.version({ number: row.number })}</Link>
          <Marks publication={row} canaryPercent={canaryPercent} />
          {row.note !== null && row.note !== "" && (
            <span class="versions-note" dir="auto" title={row.note}>
              {row.note}
            </span>
          )}
        </span>
      ),
    },
    {
      id: "published",
      label: words.published,
      cell: ({ createdAt, publishedByName }) => (
        <span class="versions-when">
          <time dateTime={createdAt} title={timeText(createdAt)}>
            {whenText(createdAt)}
          </time>
          <span>{publishedByName ?? words.somebody}</span>
        </span>
      ),
    },
    {
      id: "results",
      label: words.results,
      from: "medium",
      cell: ({ number, isDraft, figures }) =>
        isDraft ? (
          "–"
        ) : (
          <Link
            to={`${results}?version=${number}`}
            label={`${words.results}: ${resultsText(figures)}`}
            title={words.resultsHelp}
          >
            {resultsText(figures)}
          </Link>
        ),
    },
    {
      id: "near",
      label: words.near,
      isHeadHidden: true,
      align: "end",
      from: "medium",
      cell: (row) => <span class="versions-acts">{nearOf(row)}</span>,
    },
    {
      id: "acts",
      label: words.near,
      isHeadHidden: true,
      align: "end",
      cell: (row) => (
        <Menu
          label={words.acts({ number: row.number })}
          icon="ellipsis"
          isIconOnly
          kind="quiet"
          size="s"
          items={() => actsOf(row)}
        />
      ),
    },
  ];
}

type MarksProps = { readonly publication: Publication; readonly canaryPercent: number | undefined };

/** Shows the state of a version: live, canary, or stored draft. */
export function Marks({ publication: { isCurrent, isCanary, isDraft }, canaryPercent }: MarksProps) {
  const words = useWords(versionWords);
  return (
    <>
      {isCurrent && <Badge label={words.live} tone="good" icon="radio" />}
      {isCanary && canaryPercent !== undefined && (
        <Badge label={words.canary({ percent: canaryPercent })} tone="accent" />
      )}
      {isDraft && <Badge label={words.isDraft} />}
    </>
  );
}

/** States whether visitors already get the draft, or what publishing the draft would change. */
function DraftNote({ botId, live }: { readonly botId: string; readonly live: number | undefined }) {
  const words = useWords(versionWords);
  const difference = useWords(differenceWords);
  const { before, after, changed } = useTwo(botId, live === undefined ? undefined : String(live), "draft");
  if (live === undefined) return <Banner text={words.first} />;
  if (!before || !after || !changed) return null;
  if (changed.length === 0) return <Banner text={words.draftSame} tone="good" />;
  return (
    <Banner
      text={isNothing(changed) ? difference.nothing : countsText(countChanges(changed))}
      title={words.draftDiffers}
      action={
        <Button
          label={words.compareTwo}
          icon="git-compare"
          onPress={() => go(`/bots/${botId}/versions/${live}/compare/draft`)}
        />
      }
    />
  );
}
