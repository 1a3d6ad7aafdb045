/** @jsxImportSource preact */
import { useState } from "preact/hooks";
import { refresh, useQuery } from "../../api/index.ts";
import { DifferenceList } from "../../difference/index.ts";
import { go, Link } from "../../shell/router.ts";
import { FailureState } from "../../shell/states.tsx";
import { Button, Icon, IconButton, Segments, Select, Skeleton } from "../../ui/index.ts";
import { useWords, whenText } from "../../words/index.ts";
import { type VersionWords, versionWords } from "../../words/versions.ts";
import { type Asked, VersionDialog } from "./dialogs.tsx";
import { useTwo } from "./draft-note.tsx";
import { MarkedCanvas } from "./marked-canvas.tsx";
import { keyOf, readVersion, readVersions, type VersionList } from "./service.ts";

/** What sets two versions apart, or a version and the draft. */
export function Compare({ botId, from, to }: { readonly botId: string; readonly from: string; readonly to: string }) {
  const words = useWords(versionWords);
  const [asked, setAsked] = useState<Asked>();
  const [shape, setShape] = useState<"list" | "canvas">("list");
  const bot = useQuery(`${keyOf(botId)}/one/draft`, () => readVersion(botId, "draft")).value?.bot;
  const list = useQuery(`${keyOf(botId)}/list`, () => readVersions(botId)).value;
  const { before, after, told, failure } = useTwo(botId, from, to);
  const at = `/bots/${botId}/versions`;
  const show = (next: { readonly from?: string; readonly to?: string }) =>
    go(`${at}/${next.from ?? from}/compare/${next.to ?? to}`, { isReplacing: true });
  const live = list?.publications.find(({ isCurrent }) => isCurrent)?.number;
  const options = optionsOf(list, words, [from, to]);
  const number = to === "draft" ? undefined : Number(to);
  return (
    <div class="versions is-compare">
      <header class="versions-head">
        <Link to={at} class="versions-back">
          <Icon name="arrow-left" size={15} />
          {words.back}
        </Link>
        <h1>{words.compareTitle(nameOf(from, words), nameOf(to, words))}</h1>
      </header>
      <div class="versions-choice">
        <Select label={words.from} value={from} options={options} onChange={(value) => show({ from: value })} />
        <IconButton icon="arrow-left-right" label={words.swap} onPress={() => show({ from: to, to: from })} />
        <Select label={words.to} value={to} options={options} onChange={(value) => show({ to: value })} />
        <span class="versions-space" />
        {number !== undefined && list?.mayWrite && (
          <>
            <Button icon="rotate-ccw" onPress={() => setAsked({ act: "bring", number })}>
              {words.bring}
            </Button>
            {number !== live && (
              <Button icon="send" onPress={() => setAsked({ act: "publish", number })}>
                {words.publishAgain}
              </Button>
            )}
          </>
        )}
      </div>
      {failure && (!before || !after) ? (
        <FailureState failure={failure} onRetry={() => refresh(keyOf(botId))} />
      ) : before && after && told ? (
        <>
          <Segments
            label={words.shape}
            value={shape}
            options={[
              { value: "list", label: words.asList },
              { value: "canvas", label: words.onCanvas },
            ]}
            onChange={setShape}
          />
          {shape === "canvas" && bot ? (
            <MarkedCanvas bot={bot} before={before.draft} after={after.draft} told={told} />
          ) : (
            <DifferenceList
              before={before.draft}
              after={after.draft}
              told={told}
              onGo={(id) => go(to === "draft" ? `/bots/${botId}?at=${id}` : `${at}/${to}?at=${id}`)}
            />
          )}
        </>
      ) : (
        <Skeleton rows={8} />
      )}
      {asked && <VersionDialog botId={botId} asked={asked} live={live} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function nameOf(name: string, words: VersionWords): string {
  return name === "draft" ? words.theDraft : words.theVersion(Number(name));
}

/** The draft and all versions that are known; also those that the address names. */
function optionsOf(list: VersionList | undefined, words: VersionWords, named: readonly string[]) {
  const publications = list?.publications ?? [];
  const known = publications.map((one) => ({
    value: String(one.number),
    label: [
      words.version(one.number),
      ...(one.isCurrent ? [words.live] : []),
      ...(one.note ? [one.note] : []),
      whenText(one.createdAt),
    ].join(" · "),
  }));
  const missing = named.filter((name) => name !== "draft" && known.every(({ value }) => value !== name));
  return [
    { value: "draft", label: words.draft },
    ...known,
    ...missing.map((name) => ({ value: name, label: words.version(Number(name)) })),
  ];
}
