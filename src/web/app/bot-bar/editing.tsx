import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api/index.ts";
import type { OpenBot } from "../editor/index.ts";
import { guardLeaving } from "../routing/router.ts";
import { lookAtVersion } from "../session/service-state.ts";
import { hasEnded } from "../session/session.ts";
import { holdUnsaved } from "../session/unsaved.ts";
import { announce, Banner, Button } from "../ui/index.ts";
import commandWords from "../words/en/command.json";
import flowWords from "../words/en/flow.json";
import { useWords } from "../words/index.ts";
import { downloadUnsaved } from "./saving-state.tsx";

/**
 * Adds the behaviour of every screen that edits a bot: announcements for screen readers, a warning before unsaved work
 * is lost, and a pause in saving while nobody is signed in.
 */
export function useEditing(bot: OpenBot): void {
  useAnnouncements(bot);
  useUnsavedGuard(bot);
  useSignInEnd(bot);
}

type NoticesProps = { readonly bot: OpenBot; readonly onReopen: () => void };

/**
 * Notices about the whole bot, for example that live updates moved to another tab, that the bot cannot be edited, or
 * that this browser stores no changes.
 */
export function EditingNotices({ bot, onReopen }: NoticesProps) {
  const { live: words } = useWords(flowWords);
  return (
    <>
      {bot.live.isElsewhere.value && (
        <Banner
          text={words.elsewhere}
          isAlert
          action={<Button label={words.followHere} onPress={() => bot.live.wake()} />}
        />
      )}
      <WorkNotices bot={bot} onReopen={onReopen} />
    </>
  );
}

function WorkNotices({ bot, onReopen }: NoticesProps) {
  const words = useWords(flowWords);
  const shellWords = useWords();
  const readOnly = bot.editor.readOnly.value;
  const upgrade = async (): Promise<void> => {
    const path = { botId: bot.id };
    const { bot: converted } = await call("GET /api/v1/bots/:botId", { path, query: { migrateToLatestVersion: true } });
    const { version, groups, events, edges, variables, updatedAt } = converted;
    await call("PATCH /api/v1/bots/:botId", {
      path,
      body: { bot: { version, groups, events, edges, variables, updatedAt } },
    });
    onReopen();
  };
  if (readOnly === "older" && bot.mode === "write") {
    return (
      <Banner
        text={words.readOnly.older}
        action={<Button label={words.readOnly.upgrade} onPress={() => void upgrade()} />}
      />
    );
  }
  const isUnsaved = bot.editor.saved.value === undefined || bot.editor.held.value.length > 0;
  const download = isUnsaved && <Button label={words.saving.download} onPress={() => downloadUnsaved(bot)} />;
  if (readOnly === "right" || readOnly === "older") return <Banner text={words.readOnly.right} action={download} />;
  if (readOnly) {
    return (
      <Banner
        text={words.saving[readOnly]}
        tone="warning"
        isAlert
        action={
          <>
            {download}
            {readOnly === "outdated" && <Button label={shellWords.reload} onPress={() => location.reload()} />}
          </>
        }
      />
    );
  }
  return (
    <>
      {bot.isNotKept.value && <Banner text={words.saving.notKept} tone="warning" />}
      {bot.editor.isMuchWaiting.value && (
        <Banner text={words.saving.muchWaiting} tone="warning" isAlert action={download} />
      )}
    </>
  );
}

/**
 * Announces changes of the saving state and the work of other people to screen readers. Only a lost connection and new
 * conflicts are announced assertively.
 */
function useAnnouncements({ editor, live, isNotKept }: OpenBot): void {
  const { announce: words } = useWords(commandWords);
  const { saving: states } = useWords(flowWords);
  const before = useRef({ saving: "saved", toDecide: 0, here: new Set<string>() });
  useSignalEffect(() => {
    const { kind } = editor.saving.value;
    const was = before.current.saving;
    before.current.saving = kind;
    if (kind === was) return;
    if (kind === "offline") announce(isNotKept.value ? states.offlineNotKept : words.offline, "assertive");
    else if (kind === "saved") announce(was === "offline" ? words.back : words.saved);
    // While the connection was lost, the service may have been updated to a newer version than this page.
    if (was === "offline" && (kind === "saved" || kind === "saving")) void lookAtVersion({ isAgain: true });
  });
  useSignalEffect(() => {
    const count = editor.decisions.value.length;
    if (count > before.current.toDecide) announce(words.conflict, "assertive");
    before.current.toDecide = count;
  });
  useSignalEffect(() => {
    const ended = editor.lastEnded.value;
    if (ended) announce(words.ended[ended.how]);
  });
  useSignalEffect(() => {
    const here = live.present.value;
    for (const { id, name } of here) if (!before.current.here.has(id)) announce(words.joined({ name: name ?? "?" }));
    before.current.here = new Set(here.map(({ id }) => id));
  });
  useSignalEffect(() => {
    const last = editor.lastOthers.value.at(-1);
    if (last) announce(words.others({ name: last.by?.name ?? "?" }));
  });
}

/** Warns before the author leaves the page with unsaved work that is not stored in the browser. */
function useUnsavedGuard({ editor, isNotKept }: OpenBot): void {
  useEffect(() => {
    const isLost = (): boolean => isNotKept.value && (editor.copy.pending().length > 0 || editor.held.value.length > 0);
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (isLost()) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    const stop = guardLeaving(() => !isLost() || editor.saving.value.kind === "saving");
    return () => {
      removeEventListener("beforeunload", onUnload);
      stop();
    };
  }, []);
}

/**
 * Stops sending changes when the sign-in ends. Sending resumes only when the same person has signed in again, so that
 * nobody sends another person's work.
 */
function useSignInEnd(bot: OpenBot): void {
  const { copy } = bot.editor;
  const hasStopped = useRef(false);
  useSignalEffect(() => {
    if (hasEnded.value) {
      hasStopped.current = true;
      copy.stop("signed-out");
    } else if (hasStopped.current) {
      hasStopped.current = false;
      copy.retry();
      bot.live.wake();
    }
  });
  useEffect(
    () =>
      holdUnsaved(() => {
        const isUnsaved = copy.pending().length + bot.editor.held.value.length > 0;
        copy.close();
        return isUnsaved ? { name: bot.bot.value.name, download: () => downloadUnsaved(bot) } : undefined;
      }),
    [bot],
  );
}
