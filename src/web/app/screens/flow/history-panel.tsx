import { useState } from "preact/hooks";
import { type Answer, call, useQuery } from "../../api/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { QueryState } from "../../page-parts/states.tsx";
import { Button, EmptyState } from "../../ui/index.ts";
import historyWords from "../../words/en/history.json";
import panelWords from "../../words/en/panel.json";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { type Moment, MomentDialog } from "./moment-dialog.tsx";
import "./history.css";
import type { WordsOf } from "../../words/language.ts";

type History = Answer<"GET /api/v1/bots/:botId/history">;
type Sitting = History["sittings"][number];
type ChangeSet = Answer<"GET /api/v1/bots/:botId/changes">["changeSets"][number];

/**
 * Lists the authors and changes of each editing session, newest first, with an action that restores an earlier state.
 */
export function HistoryPanel({ bot }: { readonly bot: OpenBot; readonly onRestored: () => void }) {
  const { history: words } = useWords(panelWords);
  const revision = bot.editor.saved.value;
  const key = `flow/${bot.id}/history/${revision ?? ""}`;
  const query = useQuery(key, () => call("GET /api/v1/bots/:botId/history", { path: { botId: bot.id } }));
  const [moment, setMoment] = useState<Moment>();
  return (
    <>
      <QueryState query={query}>
        {(first) =>
          first.sittings.length === 0 ? (
            <EmptyState icon="history" title={words.none} />
          ) : (
            <Sittings key={key} bot={bot} first={first} onLook={setMoment} />
          )
        }
      </QueryState>
      {moment && <MomentDialog bot={bot} moment={moment} onClose={() => setMoment(undefined)} />}
    </>
  );
}

type Looking = { readonly onLook: (moment: Moment) => void };

function Sittings({ bot, first, onLook }: { readonly bot: OpenBot; readonly first: History } & Looking) {
  const words = useWords(historyWords);
  const [older, setOlder] = useState<History>();
  const [isBusy, setBusy] = useState(false);
  const { nextCursor: cursor } = older ?? first;
  const readOlder = async (): Promise<void> => {
    setBusy(true);
    try {
      const next = await call("GET /api/v1/bots/:botId/history", { path: { botId: bot.id }, query: { cursor } });
      setOlder({ ...next, sittings: [...(older?.sittings ?? []), ...next.sittings] });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <ol class="sittings">
        {[...first.sittings, ...(older?.sittings ?? [])].map((sitting) => (
          <SittingEntry key={sitting.revision} bot={bot} sitting={sitting} onLook={onLook} />
        ))}
      </ol>
      {cursor !== undefined && <Button label={words.older} size="s" busy={isBusy} onPress={() => void readOlder()} />}
    </>
  );
}

function SittingEntry({ bot, sitting, onLook }: { readonly bot: OpenBot; readonly sitting: Sitting } & Looking) {
  const { history: panel } = useWords(panelWords);
  const words = useWords(historyWords);
  const [isWhole, setWhole] = useState(false);
  const { revision, by, to, changeSets, titles } = sitting;
  return (
    <li class="sitting">
      <div class="sitting-head">
        <strong>{by?.name ?? panel.unknown}</strong>
        <time dateTime={to} title={timeText(to)}>
          {whenText(to)}
        </time>
      </div>
      <p class="sitting-count">{panel.changes({ count: changeSets })}</p>
      {isWhole ? (
        <EachSet bot={bot} sitting={sitting} onLook={onLook} />
      ) : (
        <ul class="sitting-titles">
          {[...new Set(titles)].map((title) => (
            <li key={title}>{titleText(title, words)}</li>
          ))}
        </ul>
      )}
      <div class="sitting-acts">
        <Button label={panel.look} size="s" kind="quiet" icon="eye" onPress={() => onLook({ revision, at: to })} />
        {changeSets > 1 && !isWhole && (
          <Button
            label={words.each({ count: changeSets })}
            size="s"
            kind="quiet"
            icon="chevron-down"
            onPress={() => setWhole(true)}
          />
        )}
      </div>
    </li>
  );
}

/** Lists every change set of an editing session, newest first. The draft can be restored to any of them. */
function EachSet({ bot, sitting, onLook }: { readonly bot: OpenBot; readonly sitting: Sitting } & Looking) {
  const words = useWords(historyWords);
  const { revision, revisionBefore } = sitting;
  const key = `flow/${bot.id}/sitting/${revisionBefore}-${revision}`;
  const query = useQuery(key, () => readSets(bot.id, sitting));
  return (
    <QueryState query={query} rows={3}>
      {(sets) => (
        <ol class="sitting-sets">
          {sets.map(({ revision: at, title, at: time }) => (
            <li key={at}>
              <button
                type="button"
                class="sitting-set"
                aria-label={words.lookAt({ title: titleText(title, words), when: timeText(time) })}
                onClick={() => onLook({ revision: at, at: time })}
              >
                <span>{titleText(title, words)}</span>
                <time dateTime={time}>{timeText(time)}</time>
              </button>
            </li>
          ))}
        </ol>
      )}
    </QueryState>
  );
}

async function readSets(botId: string, { revision, revisionBefore }: Sitting): Promise<readonly ChangeSet[]> {
  const sets: ChangeSet[] = [];
  for (let after = revisionBefore; after < revision; ) {
    const page = await call("GET /api/v1/bots/:botId/changes", { path: { botId }, query: { after } });
    sets.push(...page.changeSets.filter((set) => set.revision <= revision));
    const last = page.changeSets.at(-1)?.revision;
    if (last === undefined) break;
    after = last;
  }
  return sets.reverse();
}

/** Returns the title of a change set. The service's own titles are translated to the language of the page. */
function titleText(title: string, { titles }: WordsOf<"history">): string {
  if (title === "Changed by a program") return titles.program;
  if (title === "Import") return titles.import;
  const [, what, number = ""] = /^Restored (version|revision) (\d+)$/.exec(title) ?? [];
  if (what === "version") return titles.version({ number });
  return what === "revision" ? titles.revision : title;
}
