import { useState } from "preact/hooks";
import { useQuery } from "../../api/index.ts";
import { DifferenceSummary } from "../../difference/index.ts";
import { go, Link } from "../../routing/router.ts";
import { Button, EmptyState, Icon, IconButton, Menu, Select, Skeleton } from "../../ui/index.ts";
import differenceWords from "../../words/en/difference.json";
import versionWords from "../../words/en/version.json";
import { useWords, type WordsOf, whenText } from "../../words/index.ts";
import { useIsNarrow } from "../flow/use-narrow.ts";
import { ComparisonView } from "./comparison-view.tsx";
import { type Asked, VersionDialog } from "./dialogs.tsx";
import { isMissing, Missing } from "./missing.tsx";
import { compareTitle, numberOf, read, titleOf } from "./names.ts";
import { keyOf, readVersions, type VersionList } from "./service.ts";
import { useTwo, useVersion } from "./use-two.ts";

type CompareProps = { readonly botId: string; readonly from: string; readonly to: string };

/** Shows the differences between two versions or drafts: in a sentence, on the canvas and as a list. */
export function Compare({ botId, from, to }: CompareProps) {
  const words = useWords(versionWords);
  const difference = useWords(differenceWords);
  const [asked, setAsked] = useState<Asked>();
  const bot = useVersion(botId, "draft").value?.bot;
  const list = useQuery(`${keyOf(botId)}/list`, () => readVersions(botId)).value;
  const { before, after, changed, failures } = useTwo(botId, from, to);
  const at = `/bots/${botId}/versions`;
  const show = (next: { readonly from?: string; readonly to?: string }) =>
    go(`${at}/${next.from ?? from}/compare/${next.to ?? to}`, { isReplacing: true });
  const live = list?.live;
  const options = optionsOf(list, words, [from, to]);
  return (
    <div class="compare">
      <header class="compare-head">
        <Link to={at} class="versions-back" label={words.back} title={words.back}>
          <Icon name="arrow-left" size={16} />
        </Link>
        <h1>{compareTitle(from, to, words)}</h1>
        <div class="compare-choice">
          <Select
            label={words.from}
            isLabelHidden
            size="s"
            value={from}
            options={options}
            onChange={(value) => show({ from: value })}
          />
          <IconButton
            icon="arrow-left-right"
            size="s"
            label={words.swap}
            onPress={() => show({ from: to, to: from })}
          />
          <Select
            label={words.to}
            isLabelHidden
            size="s"
            value={to}
            options={options}
            onChange={(value) => show({ to: value })}
          />
        </div>
        {list?.mayWrite && before && after && <Acts {...{ from, to, live }} onAsk={setAsked} />}
      </header>
      {!before && isMissing({ name: from, failure: failures.from }) ? (
        <Missing botId={botId} name={from} failure={failures.from} />
      ) : !after && isMissing({ name: to, failure: failures.to }) ? (
        <Missing botId={botId} name={to} failure={failures.to} />
      ) : !before || !after || !changed || !bot ? (
        <div class="compare-waiting">
          <Skeleton rows={8} />
        </div>
      ) : changed.length === 0 ? (
        <EmptyState icon="circle-check" title={difference.same} text={from === to ? words.sameChosen : words.sameText}>
          <Button label={words.back} onPress={() => go(at)} />
        </EmptyState>
      ) : (
        <ComparisonView
          key={`${from} ${to}`}
          {...{ bot, changed }}
          before={before.draft}
          after={after.draft}
          summary={<DifferenceSummary changed={changed} />}
          onOpen={{
            label: (name) =>
              to === "draft" ? words.editHere({ name }) : words.openHere({ name, version: titleOf(to, words) }),
            open: (id) => go(to === "draft" ? `/bots/${botId}?at=${id}` : `${at}/${to}?at=${id}`),
          }}
          mayOpen={read(to)?.kind !== "moment"}
        />
      )}
      {asked && <VersionDialog botId={botId} asked={asked} live={live} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

type ActsProps = {
  readonly from: string;
  readonly to: string;
  readonly live: number | undefined;
  readonly onAsk: (asked: Asked) => void;
};

/**
 * The actions on the compared versions. A version that is not live can be published again, and every version can be
 * restored to the draft.
 */
function Acts({ from, to, live, onAsk }: ActsProps) {
  const words = useWords(versionWords);
  const isNarrow = useIsNarrow();
  const numbers = [...new Set([from, to])].flatMap((name) => numberOf(name) ?? []);
  if (numbers.length === 0) return null;
  const again = numbers.filter((number) => number !== live);
  // On a phone, the actions are in a menu, because the canvas needs the room.
  const [first, ...others] = isNarrow ? [] : again;
  const folded = isNarrow ? again : others;
  const publish = (number: number) => () => onAsk({ act: "publish", number });
  const bring = (number: number) => () => onAsk({ act: "bring", number });
  return (
    <div class="compare-acts">
      {first !== undefined && (
        <Button label={words.publishNumberAgain({ number: first })} icon="send" size="s" onPress={publish(first)} />
      )}
      {again.length === 0 && !isNarrow && numbers[0] !== undefined && (
        <Button
          label={words.bringNumber({ number: numbers[0] })}
          icon="rotate-ccw"
          size="s"
          onPress={bring(numbers[0])}
        />
      )}
      {(isNarrow || first !== undefined || numbers.length > 1) && (
        <Menu
          label={words.more}
          icon="ellipsis"
          isIconOnly
          kind="quiet"
          size="s"
          items={() => [
            ...folded.map((number) => ({
              label: words.publishNumberAgain({ number }),
              icon: "send",
              onPress: publish(number),
            })),
            ...numbers.map((number) => ({
              label: words.bringNumber({ number }),
              icon: "rotate-ccw",
              onPress: bring(number),
            })),
          ]}
        />
      )}
    </div>
  );
}

/** Returns the options for the draft, the loaded versions, and the versions in the URL. */
function optionsOf(list: VersionList | undefined, words: WordsOf<"version">, named: readonly string[]) {
  const publications = list?.publications ?? [];
  const known = publications.map((one) => ({
    value: String(one.number),
    label: [
      words.version({ number: one.number }),
      ...(one.isCurrent ? [words.live] : []),
      ...(one.note ? [shortened(one.note)] : []),
      whenText(one.createdAt),
    ].join(" · "),
  }));
  const missing = [...new Set(named)].filter((name) => name !== "draft" && known.every(({ value }) => value !== name));
  return [
    { value: "draft", label: words.draft },
    ...known,
    ...missing.map((name) => ({ value: name, label: titleOf(name, words) })),
  ];
}

function shortened(note: string): string {
  return note.length > 60 ? `${note.slice(0, 59)}…` : note;
}
