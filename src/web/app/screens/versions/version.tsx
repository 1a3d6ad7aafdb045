/** @jsxImportSource preact */
import { useEffect, useMemo, useState } from "preact/hooks";
import { refresh, useQuery } from "../../api/index.ts";
import type { SuppliedFlow } from "../../preview/index.tsx";
import { readOnlyBot } from "../../reading/read-only-bot.ts";
import { go, Link, route } from "../../shell/router.ts";
import { QueryState } from "../../shell/states.tsx";
import { Button, Icon, Menu } from "../../ui/index.ts";
import { timeText, useWords, whenText } from "../../words/index.ts";
import { versionWords } from "../../words/versions.ts";
import { type Asked, VersionDialog } from "./dialogs.tsx";
import { ReadFlow } from "./read-flow.tsx";
import { keyOf, type Publication, type ReadBot, readVersion, readVersions, type Version } from "./service.ts";
import { Marks } from "./table.tsx";

type OneProps = { readonly botId: string; readonly number: string };

/** A version as it was published: the same flow view, without tools. */
export function OneVersion({ botId, number }: OneProps) {
  const key = `${keyOf(botId)}/one/${number}`;
  const query = useQuery(key, async () => readVersion(botId, number));
  const draft = useQuery(`${keyOf(botId)}/one/draft`, () => readVersion(botId, "draft"));
  return (
    <QueryState query={query} onRetry={() => refresh(key)}>
      {(version) => {
        const bot = draft.value?.bot;
        const { publication, flow } = version;
        return publication && flow && bot ? <Shown {...{ botId, version, publication, flow, bot }} /> : null;
      }}
    </QueryState>
  );
}

type ShownProps = {
  readonly botId: string;
  readonly version: Version;
  readonly publication: Publication;
  readonly flow: SuppliedFlow;
  readonly bot: ReadBot;
};

function Shown({ botId, version, publication, flow, bot }: ShownProps) {
  const words = useWords(versionWords);
  const [asked, setAsked] = useState<Asked>();
  const list = useQuery(`${keyOf(botId)}/list`, () => readVersions(botId)).value;
  const open = useMemo(() => readOnlyBot(bot, version.draft), [version.draft, bot.id]);
  const { number, createdAt, publishedByName, note, isCurrent, isDraft } = publication;
  const live = list?.publications.find((one) => one.isCurrent)?.number;
  const at = `/bots/${botId}/versions`;
  const wanted = route.value.query.get("at");
  useEffect(() => {
    if (wanted === null) return;
    const { find } = open.editor.store;
    const kind = find.block(wanted) ? "block" : find.group(wanted) ? "group" : find.event(wanted) ? "event" : undefined;
    if (kind) open.editor.selection.value = { kind, id: wanted };
  }, [open, wanted]);
  useEffect(() => () => void open.close(), [open]);
  const others = (list?.publications ?? []).filter((one) => one.number !== number);
  return (
    <div class="version">
      <header class="version-head">
        <Link to={at} class="versions-back">
          <Icon name="arrow-left" size={15} />
          {words.back}
        </Link>
        <div class="version-title">
          <h1>{words.version(number)}</h1>
          <Marks publication={publication} canaryPercent={list?.canary?.percent} />
          <span class="version-facts">
            <time dateTime={createdAt} title={timeText(createdAt)}>
              {whenText(createdAt)}
            </time>
            {" · "}
            {publishedByName ?? words.somebody}
          </span>
        </div>
        <div class="version-acts">
          <Menu
            label={words.compareWith}
            icon="git-compare"
            items={() => [
              { label: words.draft, onPress: () => go(`${at}/${number}/compare/draft`) },
              ...others.slice(0, 20).map((one) => ({
                label: one.isCurrent ? `${words.version(one.number)} · ${words.live}` : words.version(one.number),
                onPress: () => go(`${at}/${Math.min(number, one.number)}/compare/${Math.max(number, one.number)}`),
              })),
            ]}
          />
          {list?.mayWrite && (
            <Button icon="rotate-ccw" onPress={() => setAsked({ act: "bring", number })}>
              {words.bring}
            </Button>
          )}
          {list?.mayWrite && !isCurrent && (
            <Button kind="primary" icon="send" onPress={() => setAsked({ act: "publish", number })}>
              {words.publishAgain}
            </Button>
          )}
        </div>
        {note !== null && note !== "" && (
          <p class="version-note" dir="auto">
            {note}
          </p>
        )}
        <p class="version-why">{isDraft ? words.readOnlyDraft : words.readOnly}</p>
      </header>
      <ReadFlow bot={open} flow={flow} />
      {asked && <VersionDialog botId={botId} asked={asked} live={live} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
