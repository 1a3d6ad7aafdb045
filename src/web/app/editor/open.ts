import { type ReadonlySignal, signal } from "@preact/signals";
import { type Answer, call } from "../api/index.ts";
import { type CommentSigns, createCommentSigns } from "./comment-signs.ts";
import { createEditor, type Editor } from "./editor.ts";
import { type Findings, watchFindings } from "./findings/findings.ts";
import { followDraft, type Live } from "./live.ts";
import { blockIdOf } from "./selection.ts";
import { draftAt, draftOf, type StoredBot, transportTo } from "./service.ts";
import { isAbandoned, takeTab } from "./tab.ts";
import type { Remains } from "./working-copy/saving.ts";
import { openShelf } from "./working-copy/shelf.ts";
import { createKeeper, forgetTab, recallTab, type Shelf } from "./working-copy/stored-work.ts";
import type { Clock, DraftAt, Transport } from "./working-copy/transport.ts";

export type OpenBot = {
  readonly id: string;
  readonly bot: ReadonlySignal<StoredBot>;
  readonly mode: Answer<"GET /api/v1/bots/:botId">["currentUserMode"];
  readonly editor: Editor;
  readonly live: Live;
  readonly findings: Findings;
  readonly comments: CommentSigns;
  /** Whether a reload would lose unsaved work, because the last write to this browser's storage failed. */
  readonly isNotKept: ReadonlySignal<boolean>;
  /** Renames the bot. Throws an `ApiFailure` if the service refuses the name or cannot be reached. */
  rename(name: string): Promise<void>;
  /** Loads the bot again, with its publication and name. The draft in the editor stays unchanged. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

const clock: Clock = {
  now: () => Date.now(),
  startTimer(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Opens a bot's draft. Loads the unsent work in this browser, then the draft, and then follows the changes of other
 * people. Throws an `ApiFailure` if the bot cannot be read.
 */
export async function openEditor(botId: string, userId: string): Promise<OpenBot> {
  // The previous screen holds the tab's lock until its work is saved and stored. The opening waits for this, but only
  // for a short time.
  await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, closingWaitMs))]);
  const shelf = openShelf();
  const tab = await takeTab();
  const transport = transportTo(botId);
  const place = `${userId}/${botId}`;
  const prefix = `${place}/${tab.id}`;
  // A browser without storage has no stored work. A later write reports the missing storage to the author.
  const remains = await recallTab(shelf, prefix).catch(() => undefined);
  await sendAbandoned({ shelf, place, prefix, transport }).catch(() => {});
  const answer = await call("GET /api/v1/bots/:botId", { path: { botId } });
  const bot = signal(answer.bot);
  const { opened, kept } = await openedAt(botId, { bot: answer.bot, remains });
  const isNotKept = signal(false);
  const keeper = createKeeper(shelf, prefix, (isBroken) => {
    isNotKept.value = isBroken;
  });
  // Set after the editor was created, because the live connection requires the editor.
  let following: Live | undefined;
  const editor = createEditor({
    opened,
    clock,
    transport,
    userId,
    mode: answer.currentUserMode,
    ...(kept && { remains: kept }),
    onChange: (copy) => keeper.note(copy),
    isShared: () => following !== undefined && isWithOthers(following, editor),
  });
  // Loads the changes since the opened revision.
  if (opened.revision < answer.bot.revision) void editor.copy.catchUp();
  const findings = watchFindings(botId, editor.store.draft);
  const refresh = async (): Promise<void> => {
    bot.value = (await call("GET /api/v1/bots/:botId", { path: { botId } })).bot;
  };
  const comments = createCommentSigns();
  const live = followDraft({
    botId,
    tabId: tab.id,
    copy: editor.copy,
    clock,
    onPublished: () => void refresh().catch(() => {}),
    onComments: (revision) => {
      comments.changed.value = revision;
    },
  });
  following = live;
  const stopFollowing = [
    editor.saved.subscribe((revision) => {
      if (revision !== undefined) findings.note(revision);
    }),
    editor.selection.focus.subscribe((thing) => live.moveTo(blockIdOf(thing))),
  ];
  return {
    id: botId,
    bot,
    mode: answer.currentUserMode,
    editor,
    live,
    findings,
    comments,
    isNotKept,
    async rename(name) {
      bot.value = (await call("PATCH /api/v1/bots/:botId", { path: { botId }, body: { bot: { name } } })).bot;
    },
    refresh,
    close() {
      for (const stop of stopFollowing) stop();
      live.close();
      findings.close();
      closing = (async () => {
        await editor.copy.flush();
        await keeper.settled();
        editor.close();
        tab.release();
      })();
      return closing;
    },
  };
}

/** Whether another person has selected the same object. A selected item counts as its block. */
function isWithOthers({ present }: Live, { selection }: Editor): boolean {
  const at = blockIdOf(selection.focus.value);
  return at !== undefined && present.value.some((other) => other.at === at);
}

let closing: Promise<void> = Promise.resolve();
const closingWaitMs = 3_000;

/**
 * Returns the draft to open and the unsaved work. If possible, the draft is the one on which the work is based, so that
 * the work can be sent unchanged.
 */
async function openedAt(
  botId: string,
  { bot, remains }: { bot: StoredBot; remains: Remains | undefined },
): Promise<{ opened: DraftAt; kept: Remains | undefined }> {
  const now = { revision: bot.revision, draft: draftOf(bot) };
  if (!remains || remains.revision > bot.revision) return { opened: now, kept: undefined };
  const { texts: _, ...known } = remains;
  if (remains.revision === bot.revision) return { opened: now, kept: known };
  const then = await draftAt(botId, remains.revision);
  if (then.kind === "read") return { opened: then.value, kept: known };
  // If the older draft cannot be read, the unsaved work is applied to the current draft as far as possible.
  return { opened: now, kept: { ...remains, undo: [], redo: [] } };
}

type Abandoned = {
  readonly shelf: Shelf;
  readonly place: string;
  readonly prefix: string;
  readonly transport: Transport;
};

/**
 * Sends the unsaved work of this person's closed tabs. Work that cannot be sent is kept for the next opening of the
 * bot.
 */
async function sendAbandoned({ shelf, place, prefix, transport }: Abandoned): Promise<void> {
  const keys = (await shelf.list(`${place}/`)).map(({ key }) => key);
  const prefixes = new Set(keys.map((key) => key.split("/").slice(0, 3).join("/")));
  prefixes.delete(prefix);
  for (const other of prefixes) {
    if (!(await isAbandoned(other.split("/")[2] ?? ""))) continue;
    const left = await recallTab(shelf, other);
    const sent = left && left.pending.length > 0 ? await transport.send(left.revision, left.pending) : undefined;
    const isDone = sent === undefined || sent.kind === "written";
    if (isDone && !left?.held.length) await forgetTab(shelf, other);
  }
}
