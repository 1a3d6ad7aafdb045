import { useEffect, useMemo, useState } from "preact/hooks";
import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { type Answer, ApiFailure, call, refresh } from "../api/index.ts";
import { DifferenceList, isNothing, useDifference } from "../difference/index.ts";
import { type Finding, findingsIn, type OpenBot } from "../editor/index.ts";
import { draftOf } from "../editor/service.ts";
import { FindingList } from "../panels/findings-panel.tsx";
import { go, Link } from "../routing/router.ts";
import { me } from "../session/session.ts";
import { wasTried } from "../session/tried.ts";
import { announce, Banner, Button, Checkbox, Dialog, later, Select, Skeleton, TextField } from "../ui/index.ts";
import differenceWords from "../words/en/difference.json";
import historyWords from "../words/en/history.json";
import liveDetailsWords from "../words/en/live-details.json";
import publishWords from "../words/en/publish.json";
import { useWords } from "../words/index.ts";
import { firstChecks } from "./first-checks.ts";
import { FirstList } from "./first-list.tsx";
import { LiveAddress } from "./live-details.tsx";
import { canaryShares } from "./live-facts.ts";

/** Loaded on demand, because failed tests are rarely shown. */
const FailedTests = later(async () => (await import("./failed-tests.tsx")).FailedTests);

type Shown = {
  readonly revision: number;
  readonly findings: readonly Finding[];
  /** The live flow, or undefined if the bot is not live. */
  readonly live: DraftDocument | undefined;
  /** The draft at the revision that would be published. */
  readonly draft: DraftDocument;
  /**
   * The other people who changed the draft since the live version was published, with the number of changes of each
   * person.
   */
  readonly others: readonly { readonly name: string; readonly count: number }[];
  /** The version number of the current canary, if any. Publishing again ends the canary. */
  readonly tried: number | undefined;
};

/** Saves the draft, shows the changes for visitors, and publishes exactly the shown revision. */
export function PublishDialog({ bot, onClose }: { readonly bot: OpenBot; readonly onClose: () => void }) {
  const { publish: words } = useWords(publishWords);
  const history = useWords(historyWords);
  const live = useWords(liveDetailsWords);
  const [shown, setShown] = useState<Shown>();
  const [note, setNote] = useState("");
  const [share, setShare] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [stopped, setStopped] = useState<ApiFailure>();
  const [turn, setTurn] = useState(0);
  const [done, setDone] = useState<Done>();
  useEffect(() => {
    let isLeft = false;
    look(bot, me.value?.id).then(
      (next) => {
        if (isLeft) return;
        setShown(next);
        if (!next) setFailure(history.notSaved);
      },
      (error: unknown) => !isLeft && setFailure(sentenceOf(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [turn]);
  // A canary requires a live version, which the remaining chats use.
  const percent = shown?.live ? share : undefined;
  const isBroken = shown?.findings.some(({ severity }) => severity === "error") ?? false;
  const publish = async (isForced = isBroken): Promise<void> => {
    if (!shown || isBusy) return;
    setBusy(true);
    setFailure(undefined);
    setStopped(undefined);
    try {
      const { revision } = shown;
      const told = { ...(note !== "" && { note }), ...(percent !== undefined && { percent }) };
      const body = { revision, ...told, ...(isForced && { force: true }) };
      const { number, publicId } = await call("POST /api/v1/bots/:botId/publish", { path: { botId: bot.id }, body });
      setDone({ number, publicId, percent });
      announce(percent === undefined ? words.done({ number }) : live.canary({ number, percent }));
      await Promise.all([bot.refresh(), refresh(`bots/${bot.id}`)]);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === "flow.tests_failed") return setStopped(error);
      const hasMoved = error instanceof ApiFailure && error.code === "bot.conflict";
      setFailure(hasMoved ? words.moved : sentenceOf(error));
      if (hasMoved) {
        setShown(undefined);
        await bot.editor.copy.catchUp();
        setTurn(turn + 1);
      }
    } finally {
      setBusy(false);
    }
  };
  if (done) {
    const After = done.percent === undefined || bot.bot.value.isClosed ? IsLive : IsTried;
    return <After {...done} bot={bot} onClose={onClose} />;
  }
  return (
    <Dialog
      key="before"
      title={words.title}
      size="l"
      onClose={onClose}
      onSubmit={() => void publish()}
      actions={
        <Button
          label={isBroken ? words.force : percent === undefined ? words.publish : words.publishShare({ percent })}
          kind={isBroken ? "danger" : "primary"}
          type="submit"
          icon="send"
          busy={isBusy}
          isDisabled={!shown}
        />
      }
    >
      <div class="publish">
        {failure !== undefined && <Banner text={failure} tone="danger" isAlert />}
        {stopped && (
          <FailedTests botId={bot.id} failure={stopped} onLeave={onClose} onForce={() => void publish(true)} />
        )}
        {/* Rendered before the versions are loaded, so that the first typed text goes into the note. */}
        <TextField label={words.note} value={note} onInput={setNote} maxLength={500} />
        {!shown && failure === undefined && <Skeleton rows={4} />}
        {shown && (
          <>
            {shown.live && <ShareOfChats share={share} onChange={setShare} />}
            {shown.tried !== undefined && <Banner text={words.endsTrial({ number: shown.tried })} />}
            {isBroken && <Banner text={words.blocked} tone="warning" />}
            {bot.editor.held.value.length > 0 && <Banner text={history.held} tone="warning" />}
            {shown.others.length > 0 && (
              <p class="publish-others">
                {history.alsoBy({
                  names: shown.others.map(({ name, count }) => history.person({ name, count })).join(", "),
                })}
              </p>
            )}
            <Summary bot={bot} shown={shown} />
            {!shown.live && (
              <FirstList
                bot={bot}
                onLeave={onClose}
                checks={firstChecks(shown.draft, {
                  name: bot.bot.value.name,
                  isFaint: shown.findings.some(({ rule }) => rule === "low_contrast"),
                  isTried: wasTried(bot.id),
                })}
              />
            )}
            {shown.findings.length > 0 && <FindingList findings={shown.findings} />}
          </>
        )}
      </div>
    </Dialog>
  );
}

type ShareProps = {
  /** If undefined, the version is published for all visitors. */
  readonly share: number | undefined;
  readonly onChange: (share: number | undefined) => void;
};

/** Lets the author publish the version for only a share of new chats at first. */
function ShareOfChats({ share, onChange }: ShareProps) {
  const { publish: words } = useWords(publishWords);
  return (
    <div class="publish-share">
      <Checkbox
        label={words.toShare}
        help={words.toShareHelp}
        isChecked={share !== undefined}
        onChange={(isChecked) => onChange(isChecked ? 10 : undefined)}
      />
      {share !== undefined && (
        <Select
          label={words.share}
          value={String(share)}
          options={canaryShares.map((one) => ({ value: String(one), label: words.percent({ percent: one }) }))}
          onChange={(next) => onChange(Number(next))}
        />
      )}
    </div>
  );
}

type Done = {
  readonly number: number;
  readonly publicId: string | null;
  readonly percent: number | undefined;
};

/**
 * Shown after a publication for a share of new chats. States the share, and links to the place where the author can
 * make the version live or withdraw it.
 */
function IsTried({
  bot,
  number,
  percent = 0,
  onClose,
}: Done & { readonly bot: OpenBot; readonly onClose: () => void }) {
  const { publish: words } = useWords(publishWords);
  const live = useWords(liveDetailsWords);
  return (
    <Dialog key="after" title={words.isTried} size="m" onClose={onClose}>
      <p class="publish-done">
        {live.canary({ number, percent })}{" "}
        <Link to={`/bots/${bot.id}/versions`} onFollow={onClose}>
          {live.toVersions}
        </Link>
      </p>
    </Dialog>
  );
}

/** Shown after a publication: whether the bot is live or closed, and its public URL. */
function IsLive({ bot, number, publicId, onClose }: Done & { readonly bot: OpenBot; readonly onClose: () => void }) {
  const { publish: words } = useWords(publishWords);
  const live = useWords(liveDetailsWords);
  const { isClosed } = bot.bot.value;
  return (
    <Dialog key="after" title={isClosed ? live.isClosed : live.isLive} size="m" onClose={onClose}>
      {isClosed ? (
        <p class="publish-done">
          {live.closed}{" "}
          <Link to={`/bots/${bot.id}/settings?part=availability`} onFollow={onClose}>
            {live.openAgain}
          </Link>
        </p>
      ) : (
        <p class="publish-done">{words.done({ number })}</p>
      )}
      {publicId !== null && <LiveAddress publicId={publicId} hasSnippet />}
    </Dialog>
  );
}

/**
 * Saves the draft and reads other people's changes, so that the dialog shows exactly the draft that would be published.
 * Returns undefined if some changes could not be saved.
 */
async function look(bot: OpenBot, userId: string | undefined): Promise<Shown | undefined> {
  const { id: botId } = bot;
  const { copy } = bot.editor;
  await copy.flush();
  await copy.catchUp();
  if (copy.pending().length > 0) return undefined;
  const [revision, draft] = [copy.revision(), copy.view()];
  const path = { botId };
  // If the draft is in the current format, the live flow is migrated to this format, so that the list contains only the
  // author's changes.
  const query = { migrateToLatestVersion: (draft.events ?? []).length > 0 };
  const [{ findings }, { publishedBot }, { sittings }, { canary }] = await Promise.all([
    call("POST /api/v1/bots/:botId/lint", { path, body: {} }),
    call("GET /api/v1/bots/:botId/publishedBot", { path, query }),
    call("GET /api/v1/bots/:botId/history", { path, query: { limit: 100 } }),
    call("GET /api/v1/bots/:botId/canary", { path }),
  ]);
  const live = publishedBot ? draftOf({ ...publishedBot, editor: null }) : undefined;
  return {
    revision,
    findings: asDrawn(findingsIn(findings), bot),
    live,
    draft,
    others: othersIn(sittings, { userId, since: publishedBot?.createdAt }),
    tried: canary?.number,
  };
}

/**
 * Replaces the service's contrast findings with those for the rendered colours, if a frame has rendered the bot's
 * theme. The service itself renders nothing.
 */
function asDrawn(findings: readonly Finding[], { findings: own }: OpenBot): readonly Finding[] {
  if (!own.isDrawn()) return findings;
  const isContrast = ({ rule }: Finding) => rule === "low_contrast";
  const others = findings.filter((finding) => !isContrast(finding));
  const isInfo = ({ severity }: Finding) => severity === "info";
  const drawn = own.all.value?.filter(isContrast) ?? [];
  return [...others.filter((finding) => !isInfo(finding)), ...drawn, ...others.filter(isInfo)];
}

type Sitting = Answer<"GET /api/v1/bots/:botId/history">["sittings"][number];

function othersIn(
  sittings: readonly Sitting[],
  { userId, since = "" }: { readonly userId: string | undefined; readonly since: string | undefined },
): Shown["others"] {
  const counts = new Map<string, number>();
  for (const { by, to, changeSets } of sittings) {
    if (!by || by.userId === userId || to <= since) continue;
    const name = by.name ?? "?";
    counts.set(name, (counts.get(name) ?? 0) + changeSets);
  }
  return [...counts].map(([name, count]) => ({ name, count }));
}

function Summary({ bot, shown: { live, draft } }: { readonly bot: OpenBot; readonly shown: Shown }) {
  const { publish: words } = useWords(publishWords);
  const difference = useWords(differenceWords);
  const changed = useDifference(
    live,
    useMemo(() => withoutNotes(draft), [draft]),
  );
  if (!live) return <p>{words.first}</p>;
  if (!changed) return <Skeleton rows={3} />;
  if (isNothing(changed)) return <p>{words.nothing}</p>;
  return (
    <section>
      <div class="publish-changes">
        <h3 class="panel-section">{words.changes}</h3>
        <Button
          label={difference.showOnCanvas}
          kind="quiet"
          size="s"
          icon="workflow"
          onPress={() => void compareAddress(bot.id).then((address) => address !== undefined && go(address))}
        />
      </div>
      <DifferenceList before={live} after={draft} changed={changed} workspaceId={bot.bot.value.workspaceId} />
    </section>
  );
}

/** Returns the URL of the comparison between the live version and the draft, or undefined if no version is live. */
async function compareAddress(botId: string): Promise<string | undefined> {
  const { bot } = await call("GET /api/v1/bots/:botId", { path: { botId } });
  const live = bot.publicationNumber;
  return live === null ? undefined : `/bots/${botId}/versions/${live}/compare/draft`;
}

/** Removes the editor's data, such as notes, which are not part of a version. */
function withoutNotes({ editor: _, ...flow }: DraftDocument): DraftDocument {
  return flow;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
