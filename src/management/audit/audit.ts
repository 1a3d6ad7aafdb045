import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../platform/ids.ts";
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
import {
  type AuditSubject,
  auditSubjects,
  findSubjectState,
  type SubjectPlace,
  type SubjectState,
} from "./audit-subjects.sql.ts";

export { type AuditFilter, type AuditRow, type AuditSubject, auditSubjects };

/** A write that is about to happen, as the table of operations knows it. */
export type Write = {
  readonly caller: Pick<Caller, "userId" | "tokenId"> | undefined;
  readonly address: string | undefined;
  readonly requestId: string;
  /** Its method and path, such as `PATCH /api/v1/bots/{botId}`. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** The entry of a write that has begun. One of both is called when it is over. */
export type OpenEntry = {
  /** Records success, with the response. Never throws, because the write is done. */
  done(answer: unknown): Promise<void>;
  /** It threw this. A refusal wrote nothing, and has no entry. */
  failed(error: unknown): Promise<void>;
};

/**
 * Notes a write before it begins, so that none is without its entry, whatever happens to this process; what it came to is added when it is
 * over:
 *
 *     (none) ─ the write is about to begin ─→ begun
 *     begun ── it answered ─────────────────→ done, with what it changed
 *     begun ── it was refused (4xx) ────────→ (none): nothing was written
 *     begun ── it failed (5xx) ─────────────→ failed: it may have written something
 *     begun ── the process or the database went away ─→ stays begun
 *
 * Of what is written the log has hashes and the names of what changed, never content.
 */
export async function openAuditEntry(deps: ManagementDependencies, write: Write): Promise<OpenEntry> {
  const { sql } = deps;
  const place = placeOf(write);
  const before = place ? await findSubjectState(sql, place) : nothing;
  const id = newId();
  const workspaceId =
    before.workspaceId ?? idIn(write.params, "workspaceId") ?? idIn(write.body, "workspaceId") ?? null;
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
  const complete = async (outcome: "done" | "failed", answer: unknown) => {
    try {
      const made = madeBy(answer, place, workspaceId);
      const after = made ?? place;
      const state = after ? await findSubjectState(sql, after) : nothing;
      const changed = made ? [] : changedPaths(before, state);
      const isElsewhere = workspaceId !== null && state.workspaceId !== null && state.workspaceId !== workspaceId;
      await completeAuditEntry(sql, {
        ...known,
        outcome,
        userId: known.userId ?? userIn(answer),
        workspaceId: state.workspaceId ?? after?.ownerId ?? null,
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
      if (!isRefusal(error)) return await complete("failed", undefined);
      await deleteAuditEntry(sql, id).catch((cause: unknown) => {
        deps.log.error("The entry of a refused write stays in the audit log", { entry: id, error: cause });
      });
    },
  };
}

/** A page of a workspace's log, newest first. For ADMINs. */
export async function listWorkspaceAudit(
  deps: ManagementDependencies,
  caller: Caller,
  { workspaceId, ...list }: AuditFilter & PageRequest & { workspaceId: string },
) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  return await listAudit(deps, { workspaceId, ...list });
}

/** A page of the log of the instance, newest first. The route asks for scope `admin`. */
export async function listAudit(deps: ManagementDependencies, { limit, cursor, ...filter }: AuditFilter & PageRequest) {
  const page = readPage("audit", { limit, cursor }, [filter]);
  const found = isNowhere(filter) ? [] : await listAuditEntries(deps.sql, { filter, ...page.part });
  const { rows: entries, ...rest } = cutPage({ rows: found, page });
  return { entries, ...rest };
}

/** A workspace's log as lines of JSON, newest first, read page by page while it is sent. For ADMINs. */
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

/** Whether a filter names an id that cannot exist. */
function isNowhere({ workspaceId, userId, tokenId }: AuditFilter): boolean {
  return [workspaceId, userId, tokenId].some((id) => id !== undefined && !isId(id));
}

const nothing: SubjectState = { workspaceId: null, hash: null, parts: [] };

/** The objects that paths name, the most specific first. */
const namedByPath = [
  ["tokenId", "apiToken"],
  ["endpointId", "eventEndpoint"],
  ["credentialsId", "credentials"],
  ["customDomainId", "customDomain"],
  ["themeTemplateId", "themeTemplate"],
  ["fileId", "workspaceFile"],
  ["invitationId", "invitation"],
  ["userId", "user"],
  ["folderId", "folder"],
  ["botId", "bot"],
  ["workspaceId", "workspace"],
] as const satisfies readonly (readonly [string, AuditSubject])[];

/** The object of the write, as its path or body names it. */
function placeOf({ params, body, operation, caller }: Write): SubjectPlace | undefined {
  if (operation.endsWith(" /api/v1/users/me") && caller) {
    return { subject: "user", ids: [caller.userId], ownerId: undefined };
  }
  const ids = idsIn(body, "botIds");
  if (ids.length > 0) return { subject: "bot", ids, ownerId: undefined };
  const workspaceId = idIn(params, "workspaceId");
  const botId = idIn(params, "botId");
  const { name } = params;
  if (typeof name === "string") return { subject: "secret", ids: [name], ownerId: workspaceId };
  for (const [parameter, named] of namedByPath) {
    const id = idIn(params, parameter);
    if (id === undefined) continue;
    if (named !== "user") return { subject: named, ids: [id], ownerId: undefined };
    if (botId !== undefined) return { subject: "collaborator", ids: [id], ownerId: botId };
    if (workspaceId !== undefined) return { subject: "member", ids: [id], ownerId: workspaceId };
    return { subject: "user", ids: [id], ownerId: undefined };
  }
  return undefined;
}

/** Objects that the response shows and the path does not name: they were created. */
function madeBy(
  answer: unknown,
  place: SubjectPlace | undefined,
  workspaceId: string | null,
): SubjectPlace | undefined {
  for (const subject of auditSubjects) {
    const shown = memberOf(answer, subject);
    const id = idIn(shown, "id") ?? idIn(shown, "userId");
    if (id === undefined) continue;
    if (place?.subject === subject) return place.ids.includes(id) ? undefined : { ...place, ids: [id] };
    const botId = place?.subject === "bot" ? place.ids[0] : undefined;
    if (subject === "collaborator") return { subject, ids: [id], ownerId: botId };
    return { subject, ids: [id], ownerId: idIn(shown, "workspaceId") ?? workspaceId ?? undefined };
  }
  return undefined;
}

function userIn(answer: unknown): string | null {
  return idIn(memberOf(answer, "user"), "id") ?? null;
}

/** The changed parts: members of fields where these are hashed, else the whole field. */
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function idIn(value: unknown, name: string): string | undefined {
  const id = memberOf(value, name);
  return typeof id === "string" && isId(id) ? id : undefined;
}

function idsIn(value: unknown, name: string): string[] {
  const ids = memberOf(value, name);
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string" && isId(id)) : [];
}
