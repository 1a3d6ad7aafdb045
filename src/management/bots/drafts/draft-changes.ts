import { ChangeMisses } from "../../../core/editing/changes/apply.ts";
import type { Change, ChangeSet, SetOrigin } from "../../../core/editing/changes/change.ts";
import { hasEdit, withEdits, withoutEdits } from "../../../core/editing/changes/older-editors.ts";
import { type Conflict, type Rebased, rebaseRequest } from "../../../core/editing/changes/rebase.ts";
import { wrongWith } from "../../../core/editing/text/edit.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { type Issue, invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import { type BotRow, findBot, updateDraft } from "../bots.sql.ts";
import { type ChangeSetRow, findRevision, listSets, listSetsSince, type UndoableSetRow } from "./bot-changes.sql.ts";
import { readChanged } from "./changed-drafts.ts";
import type { BotDependencies } from "./dependencies.ts";
import { documentOf } from "./draft-edits.ts";

/** The author of a change set; null if the author is no longer known. */
export type Author = { readonly userId: string; readonly name: string | null } | null;

/** A change set of a draft in the form that open editors receive. */
export type ChangeSetView = ChangeSet & {
  readonly revision: number;
  readonly origin?: SetOrigin;
  readonly by: Author;
  readonly at: Date | string;
};

export type Changed = {
  readonly revision: number;
  readonly updatedAt: Date | string;
  /**
   * Other callers' changes after the base, up to this revision. A caller that does not support edits of texts gets
   * whole texts instead, and also its own sets that were stored as edits.
   */
  readonly others: readonly ChangeSetView[];
};

type Sending = {
  readonly base: number;
  readonly changeSets: readonly ChangeSet[];
  /** Whether the caller supports edits of texts. A caller that sends such edits supports them. */
  readonly knowsEdits: boolean;
};

/** The maximum number of attempts. An attempt fails if the draft is written concurrently. */
const attempts = 5;

/**
 * Applies change sets, which are based on the revision `base`, to the current draft: either all sets or none. A set
 * that was already applied gets the same response again. Throws `bot.conflict` if the changes conflict with other
 * changes, or if the caller must read the draft again. Throws `request.invalid` for changes that can never be applied
 * or stored.
 */
export async function changeDraft(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { base, changeSets, knowsEdits: saysSo }: Sending,
): Promise<Changed> {
  await requireBot(deps, caller, botId, "write");
  requireFitting(changeSets);
  const sendsEdits = changeSets.some(hasEdit);
  const knowsEdits = saysSo || sendsEdits;
  const ids = changeSets.map(({ id }) => id);
  let previous: BotRow | undefined;
  for (let attempt = 1; ; attempt++) {
    const bot = await findBot(deps.sql, botId);
    if (!bot) throw new AppError("bot.not_found");
    if (bot.isArchived) throw new AppError("bot.archived");
    // No one has written the draft since the previous attempt, so that attempt failed because the draft is too large.
    if (previous?.revision === bot.revision) throw invalidInput([{ path: "changeSets", message: tooLarge }]);
    if (base > bot.revision) throw invalidInput([{ path: "base", message: `must be at most ${bot.revision}` }]);
    const { own, others, since, isDone } = await readLog(deps, bot, { base, ids });
    const isUnaware = !knowsEdits && since.some(hasEdit);
    const last = own.at(-1);
    if (last && isDone) {
      // The previous texts are no longer known, so the caller must read the draft again.
      if (isUnaware) throw conflictOf(bot, [], []);
      const before = others.filter(({ revision }) => revision < last.revision);
      return { revision: last.revision, updatedAt: last.createdAt, others: before.map(viewChangeSet) };
    }
    if (attempt > attempts) throw conflictOf(bot, others, []);
    const document = documentOf(bot);
    const mayEdit = !(sendsEdits || isUnaware) || !(await deps.olderNodes.areConnected("edits"));
    if (sendsEdits && !mayEdit) throw invalidInput(editsIn(changeSets));
    const request = isUnaware && mayEdit ? withEdits(document, since, changeSets) : changeSets;
    const rebased = rebaseSets(document, since, request);
    if (rebased.conflicts.length > 0)
      throw isUnaware ? conflictOf(bot, [], []) : conflictOf(bot, others, rebased.conflicts);
    const made = rebased.sets.flatMap(({ changes }) => changes);
    const { draft, columns } = readChanged(document, rebased.draft, made);
    const sets = rebased.open.map(({ id, title }, index) => ({ id, title, ...setAt(rebased, index) }));
    const by = { userId: caller.userId, tokenId: caller.tokenId };
    const edit = { revision: bot.revision, sets, draft, by };
    const row = await updateDraft(deps.sql, { botId, changes: columns, seen: undefined, edit });
    if (row) {
      deps.draftWatch.wake();
      const views = others.map(viewChangeSet);
      if (!isUnaware) return { ...row, others: views };
      const author = { userId: caller.userId, name: null };
      const merged = sets.map((set, index) => ({
        ...{ id: set.id, title: set.title, changes: set.changes },
        ...{ revision: bot.revision + 1 + index, by: author, at: row.updatedAt },
      }));
      const news = merged.some(hasEdit) ? [...views, ...merged] : views;
      return { ...row, others: withoutEdits(documentOf(draft), news) };
    }
    previous = bot;
  }
}

/**
 * Returns a page of the draft's change sets after a revision, with the draft's current revision. Throws
 * `revision.not_found` if the log lacks the next set, or if the page contains an edit of a text that the caller does
 * not support.
 */
export async function listDraftChanges(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { after, knowsEdits }: { after: number; knowsEdits: boolean },
): Promise<{ revision: number; changeSets: readonly ChangeSetView[] }> {
  await requireBot(deps, caller, botId, "read");
  const current = await findRevision(deps.sql, botId);
  if (current === undefined) throw new AppError("bot.not_found");
  const rows = await listSets(deps.sql, { botId, after, limit: limits.lists.pageSize });
  const isWhole = after === current || rows[0]?.revision === after + 1;
  if (!isWhole || (!knowsEdits && rows.some(hasEdit)))
    throw new AppError("revision.not_found", { data: { revision: current } });
  return { revision: Math.max(current, rows.at(-1)?.revision ?? 0), changeSets: rows.map(viewChangeSet) };
}

export function viewChangeSet({
  revision,
  id,
  title,
  changes,
  origin,
  createdAt,
  ...who
}: ChangeSetRow): ChangeSetView {
  const made = { revision, id, title, changes, by: viewAuthor(who), at: createdAt };
  return origin === "restore" ? { ...made, origin } : made;
}

export function viewAuthor({ userId, userName }: Pick<ChangeSetRow, "userId" | "userName">): Author {
  return userId === null ? null : { userId, name: userName };
}

const tooLarge = "must not make the flow larger than 10 MB";

/** Throws `request.invalid` for repeated ids, for sets that are too large, and for invalid edits of texts. */
function requireFitting(changeSets: readonly ChangeSet[]): void {
  const issues = changeSets.flatMap((set, index): Issue[] => {
    const path = `changeSets[${index}]`;
    const isTwice = changeSets.findIndex(({ id }) => id === set.id) < index;
    if (isTwice) return [{ path: `${path}.id`, message: "must not occur twice" }];
    const bytes = Buffer.byteLength(JSON.stringify(set));
    return [
      ...(bytes > limits.editing.setBytes ? [{ path, message: "must have at most 1 MB as JSON" }] : []),
      ...set.changes.flatMap((change, place): Issue[] => {
        const message = change.op === "edit" ? wrongWith(change.text, change.ops) : undefined;
        return message === undefined ? [] : [{ path: `${path}.changes[${place}].ops`, message }];
      }),
    ];
  });
  if (issues.length > 0) throw invalidInput(issues);
}

type Logged = {
  /** The sets of the request that are already in the draft. */
  readonly own: readonly UndoableSetRow[];
  readonly others: readonly UndoableSetRow[];
  /** All sets after the base, from this request and from other callers, sorted by revision. */
  readonly since: readonly UndoableSetRow[];
  /** Whether all sets of the request are in the draft. */
  readonly isDone: boolean;
};

/**
 * Reads the log after the base. Throws `bot.conflict` if the log starts later, or if more sets follow the base than one
 * request may read.
 */
async function readLog(
  deps: BotDependencies,
  bot: BotRow,
  { base, ids }: { base: number; ids: readonly string[] },
): Promise<Logged> {
  const limit = limits.editing.setsBehind + 1;
  const rows = await listSetsSince(deps.sql, { botId: bot.id, after: base, ids, limit });
  const own = rows.filter(({ id }) => ids.includes(id));
  const open = ids.filter((id) => !own.some((row) => row.id === id));
  const upTo = open.length > 0 ? bot.revision : (own.at(-1)?.revision ?? base);
  const since = rows.filter(({ revision }) => revision > base && revision <= upTo);
  if (since.length < upTo - base) throw conflictOf(bot, [], []);
  return { own, others: since.filter(({ id }) => !ids.includes(id)), since, isDone: open.length === 0 };
}

function rebaseSets(
  document: ReturnType<typeof documentOf>,
  since: readonly UndoableSetRow[],
  changeSets: readonly ChangeSet[],
): ReturnType<typeof rebaseRequest<UndoableSetRow>> {
  try {
    return rebaseRequest(document, since, changeSets);
  } catch (error) {
    if (!(error instanceof ChangeMisses)) throw error;
    throw invalidInput([{ path: placeOf(error.change, changeSets), message: error.reason }]);
  }
}

/**
 * Returns an issue for each edit of a text, as a node of an earlier release would. Editors then send whole texts
 * instead.
 */
function editsIn(changeSets: readonly ChangeSet[]): Issue[] {
  return changeSets.flatMap(({ changes }, set) =>
    changes.flatMap(({ op }, place): Issue[] =>
      op === "edit"
        ? [
            {
              path: `changeSets[${set}].changes[${place}].op`,
              message: "must not be edit while nodes of an earlier release are running: set the whole text instead",
            },
          ]
        : [],
    ),
  );
}

function placeOf(change: Change, changeSets: readonly ChangeSet[]): string {
  for (const [set, { changes }] of changeSets.entries()) {
    const index = changes.indexOf(change);
    if (index >= 0) return `changeSets[${set}].changes[${index}]`;
  }
  return "changeSets";
}

function setAt({ sets }: Rebased, index: number): Rebased["sets"][number] {
  return sets[index] ?? { changes: [], inverse: [] };
}

function conflictOf(bot: BotRow, others: readonly UndoableSetRow[], conflicts: readonly Conflict[]): AppError {
  return new AppError("bot.conflict", {
    data: {
      revision: bot.revision,
      updatedAt: bot.updatedAt.toISOString(),
      others: others.map(viewChangeSet),
      conflicts: conflicts.slice(0, limits.editing.conflicts).map(({ set, ...conflict }) => {
        const theirs = others[set];
        return { ...conflict, ...(theirs && { by: viewAuthor(theirs), at: theirs.createdAt }) };
      }),
    },
  });
}
