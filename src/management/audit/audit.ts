import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../platform/ids.ts";
import { currentRequest } from "../../platform/observing/current-request.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  type AuditFilter,
  type AuditRow,
  completeAuditEntry,
  deleteAuditEntry,
  insertAuditEntry,
  listAuditEntries,
} from "./audit.sql.ts";
import { idIn, madeBy, memberOf, placesOf, type Write, workspaceOf } from "./audit-places.ts";
import {
  type AuditSubject,
  auditSubjects,
  findSubjectState,
  type SubjectPlace,
  type SubjectState,
} from "./audit-subjects.sql.ts";

export { type AuditFilter, type AuditRow, type AuditSubject, auditSubjects, type Write };

/** The entry of a write that has begun. One of its two methods is called at the end of the write. */
export type OpenEntry = {
  /**
   * Records success. The response may name an object that the write created. Never throws, because the write is done.
   */
  done(answer: unknown): Promise<void>;
  /**
   * Records that the write failed. If this error is a rejection (4xx), deletes the entry instead, because a rejected
   * write wrote nothing.
   */
  failed(error: unknown): Promise<void>;
};

/**
 * Records a write before it starts, so that every write has an entry even if this process dies. The outcome is recorded
 * at the end. The states of an entry are:
 *
 *     (none) ─ the write is about to start ────────→ begun
 *     begun ─ the write succeeded ─────────────────→ done, with the changes
 *     begun ─ the write was rejected (4xx) ────────→ (none): nothing was written
 *     begun ─ the write failed (5xx) ──────────────→ failed: something may have been written
 *     begun ─ the process or the database stopped ─→ begun, permanently
 *
 * The log contains hashes and the names of changed parts, but never content.
 */
export async function openAuditEntry(deps: ManagementDependencies, write: Write): Promise<OpenEntry> {
  const entries: OpenEntry[] = [];
  for (const [index, place] of (await placesOf(deps.sql, write)).entries()) {
    entries.push(await openEntryOf(deps, write, { place, isFirst: index === 0 }));
  }
  return {
    async done(answer) {
      for (const entry of entries) await entry.done(answer);
    },
    async failed(error) {
      for (const entry of entries) await entry.failed(error);
    },
  };
}

/**
 * Opens the entry of one object, or of several objects of one kind in one workspace. Only the first entry of a write
 * may record the object that the write created.
 */
async function openEntryOf(
  deps: ManagementDependencies,
  write: Write,
  { place, isFirst }: { place: SubjectPlace | undefined; isFirst: boolean },
): Promise<OpenEntry> {
  const { sql } = deps;
  const before = place ? await findSubjectState(sql, place) : nothing;
  const id = newId();
  const workspaceId = before.workspaceId ?? (await workspaceOf(sql, write)) ?? null;
  const { caller, address = null, requestId, operation } = write;
  const known = {
    id,
    workspaceId,
    userId: caller?.userId ?? null,
    subject: place?.subject ?? null,
    subjectIds: place?.ids ?? [],
    beforeHash: before.hash,
  };
  await insertAuditEntry(sql, { ...known, tokenId: caller?.tokenId ?? null, address, requestId, operation });
  const remove = async () => {
    await deleteAuditEntry(sql, id).catch((cause: unknown) => {
      deps.log.error("The audit entry of a write without changes could not be removed", { entry: id, error: cause });
    });
  };
  const complete = async (outcome: "done" | "failed", answer: unknown) => {
    try {
      const made = isFirst ? madeBy(answer, place, workspaceId) : undefined;
      const after = made ?? place;
      const state = after ? await findSubjectState(sql, after) : nothing;
      const changed = made ? [] : changedPaths(before, state);
      if (place?.isCompanion && outcome === "done" && changed.length === 0) return await remove();
      const isElsewhere = workspaceId !== null && state.workspaceId !== null && state.workspaceId !== workspaceId;
      await completeAuditEntry(sql, {
        ...known,
        outcome,
        userId: known.userId ?? userIn(answer),
        workspaceId: state.workspaceId ?? workspaceId ?? after?.ownerId ?? null,
        subject: after?.subject ?? null,
        subjectIds: after?.ids ?? [],
        beforeHash: made ? null : before.hash,
        afterHash: state.hash,
        changedPaths: changed.slice(0, limits.audit.paths).map((path) => path.slice(0, limits.audit.pathCharacters)),
        changedCount: changed.length,
        arrival: isElsewhere && state.workspaceId ? { id: newId(), workspaceId: state.workspaceId } : null,
      });
    } catch (error) {
      deps.log.error("An entry of the audit log could not be completed", { entry: id, error });
    }
  };
  return {
    done: (answer) => complete("done", answer),
    async failed(error) {
      if (isRefusal(error)) return await remove();
      await complete("failed", undefined);
    },
  };
}

/** Returns a page of a workspace's log, newest first. Requires ADMIN. */
export async function listWorkspaceAudit(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, ...list }: AuditFilter & PageRequest & { workspaceId: string },
) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await listAudit(deps, { workspaceId, ...list });
}

/**
 * Returns a page of the log of the whole instance, newest first, or of one workspace if the filter names one. The
 * callers check the rights.
 */
export async function listAudit(deps: ManagementDependencies, { limit, cursor, ...filter }: AuditFilter & PageRequest) {
  const page = readPage("audit", { limit, cursor }, [filter]);
  const found = isNowhere(filter) ? [] : await listAuditEntries(deps.sql, { filter, ...page.part });
  const { rows: entries, ...rest } = cutPage({ rows: found, page });
  return { entries, ...rest };
}

/**
 * Returns a workspace's log as lines of JSON, newest first. Reads the log page by page while it is sent. Requires
 * ADMIN.
 */
export async function exportWorkspaceAudit(
  deps: ManagementDependencies,
  caller: Caller,
  filter: AuditFilter & { workspaceId: string },
): Promise<ReadableStream<Uint8Array>> {
  await requireWorkspace(deps, caller, filter.workspaceId, "administer");
  const encoder = new TextEncoder();
  let after: AuditRow | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const limit = limits.audit.exportPage;
      const rows = isNowhere(filter) ? [] : await listAuditEntries(deps.sql, { filter, after, limit });
      after = rows.at(-1);
      if (rows.length > 0) controller.enqueue(encoder.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join("")));
      if (rows.length < limit) controller.close();
    },
  });
}

/** Whether a filter contains an id that cannot exist. */
function isNowhere({ workspaceId, userId, tokenId }: AuditFilter): boolean {
  return [workspaceId, userId, tokenId].some((id) => id !== undefined && !isId(id));
}

const nothing: SubjectState = { workspaceId: null, hash: null, parts: [] };

function userIn(answer: unknown): string | null {
  return idIn(memberOf(answer, "user"), "id") ?? null;
}

/**
 * Returns the paths of the changed parts. If members of a field changed, returns the paths of the members and not of
 * the field.
 */
function changedPaths(before: SubjectState, after: SubjectState): string[] {
  const hashesOf = ({ parts }: SubjectState) =>
    new Map(parts.map(({ field, part, hash }) => [part === null ? field : `${field}.${part}`, { field, part, hash }]));
  const was = hashesOf(before);
  const is = hashesOf(after);
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path)?.hash !== is.get(path)?.hash,
  );
  const fields = new Set(
    changed.flatMap((path) => {
      const { field, part } = was.get(path) ?? is.get(path) ?? { field: path, part: null };
      return part === null ? [] : [field];
    }),
  );
  return changed.filter((path) => !fields.has(path)).toSorted();
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && errorCatalogue[error.code].status < 500;
}

/**
 * Whether an operation writes data that people manage. Every call of such an operation has an entry in the audit log,
 * or only the calls that its `isAudited` function selects.
 */
export function isAuditedWrite({
  method,
  host = "management",
  isAudited,
}: {
  readonly method: string;
  readonly host?: "management" | "chat" | "both";
  readonly isAudited?: boolean | ((body: never) => boolean);
}): boolean {
  if (typeof isAudited === "function") return true;
  return isAudited ?? (method !== "GET" && host === "management");
}

/** Handles a write. Opens its entry in the audit log first, and records the outcome at the end. */
export async function audited<Answer>(
  deps: ManagementDependencies,
  write: Omit<Write, "requestId">,
  handle: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const entry = await openAuditEntry(deps, { ...write, requestId: currentRequest()?.requestId ?? "" });
  let answer: Answer;
  try {
    answer = await handle();
  } catch (error) {
    await entry.failed(error);
    throw error;
  }
  await entry.done(answer);
  return answer;
}
