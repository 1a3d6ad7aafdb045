import { readFlowParts } from "../../core/flow/check.ts";
import { completeFlow } from "../../core/flow/complete.ts";
import { convertToLatest, startKindOf } from "../../core/flow/convert.ts";
import type { Dialect } from "../../core/flow/dialect.ts";
import type { FlowParts, StoredEvent } from "../../core/flow/document.ts";
import type { JsonObject } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { violatedConstraint } from "../../platform/database/violations.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isSeen, requireSeen, type Seen } from "../../platform/http/requests/seen.ts";
import { isId, newId } from "../../platform/ids.ts";
import { type Caller, isOfTeam, requireBot, requireWorkspace, type UserMode } from "../access/access.ts";
import { customDomainIssues, hostOfDomain, publicIdIssues } from "../access/public-addresses.ts";
import { claimDomain } from "../domains/custom-domains.ts";
import { type BotView, viewBot } from "./bot-view.ts";
import {
  type BotFieldChanges,
  type BotRow,
  type BotUpdate,
  findBot,
  hasFolder,
  insertBot,
  type ResultsTablePreferences,
  updateBot,
} from "./bots.sql.ts";
import type { StoredDraft } from "./draft-edits.sql.ts";
import type { BotDependencies } from "./drafts/dependencies.ts";
import { draftOf, editorIn, editTo } from "./drafts/draft-edits.ts";

/** The name of a bot that is created without a name. */
export const defaultBotName = "My bot";

/**
 * The fields of a bot that a caller may write. In a change, an absent field retains the stored value, and a value
 * replaces the stored value as a whole.
 */
export type BotBody = FlowParts & {
  readonly name?: string;
  readonly icon?: string | null;
  readonly folderId?: string | null;
  readonly selectedThemeTemplateId?: string | null;
  readonly resultsTablePreferences?: ResultsTablePreferences | null;
  readonly publicId?: string | null;
  readonly customDomain?: string | null;
  /** The editor's data, stored in addition to the flow. */
  readonly editor?: JsonObject | null;
};

export type BotChanges = BotBody & {
  readonly messengerCredentialsId?: string | null;
  readonly riskLevel?: number | null;
  readonly isClosed?: boolean;
  /** The version that the caller read. A newer version is overwritten only if `isOverwriting` is set. */
  readonly updatedAt?: string | null;
};

/**
 * Creates a bot in a workspace of which the caller is ADMIN or MEMBER. A flow with neither events nor a start block
 * gets a start event.
 */
export async function createBot(
  deps: BotDependencies,
  caller: Caller,
  { workspaceId, bot, dialect }: { workspaceId: string; bot: BotBody; dialect: Dialect },
): Promise<BotView> {
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const parts = readFlowParts(bot, dialect);
  checkName(bot, dialect);
  checkAddresses(bot, dialect);
  await requireFolderIn(deps, workspaceId, bot.folderId);
  await claimDomainOf(deps, workspaceId, bot);
  const row = await insertNewBot(deps, {
    ...completeFlow(withStart(parts)),
    id: newId(),
    workspaceId,
    name: bot.name ?? defaultBotName,
    icon: bot.icon ?? null,
    folderId: bot.folderId ?? null,
    selectedThemeTemplateId: bot.selectedThemeTemplateId ?? null,
    resultsTablePreferences: readPreferences(bot.resultsTablePreferences) ?? null,
    publicId: bot.publicId ?? null,
    customDomain: bot.customDomain ?? null,
    editor: editorIn(bot, dialect) ?? null,
    extra: null,
  });
  return viewBot(row, { dialect, mode: "write" });
}

/**
 * Inserts a bot. Throws `folder.not_found` or `workspace.not_found` if the folder or workspace was deleted meanwhile,
 * and the corresponding error if an address is already used.
 */
export async function insertNewBot(deps: BotDependencies, bot: Parameters<typeof insertBot>[1]): Promise<BotRow> {
  const row = await insertBot(deps.sql, bot).catch(explainViolation);
  if (!row) throw new AppError(bot.folderId === null ? "workspace.not_found" : "folder.not_found");
  return row;
}

/**
 * Returns a bot with the fields that the caller may see. `isConverted` converts the flow of the response to the latest
 * version. Throws `flow.no_start` for a flow that cannot be converted. Nothing is written.
 */
export async function getBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { isConverted, dialect }: { isConverted: boolean; dialect: Dialect },
): Promise<{ bot: BotView; currentUserMode: UserMode }> {
  const { mode } = await requireBot(deps, caller, botId, "glance");
  const stored = await findBot(deps.sql, botId);
  if (!stored) throw new AppError("bot.not_found");
  const row = isConverted ? convertToLatest(stored) : stored;
  if (!row) throw new AppError("flow.no_start");
  return { bot: viewBot(row, { dialect, mode }), currentUserMode: mode };
}

/**
 * Changes a bot. Each field can be sent separately. Changes of the draft are logged as a change set, which open editors
 * receive. Throws `bot.conflict` with the current `updatedAt` if the bot was written since the version that the caller
 * names, unless `isOverwriting`. Throws `precondition.failed` if the stored version is not in `seen`.
 */
export async function changeBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { bot, isOverwriting, seen, dialect }: { bot: BotChanges; isOverwriting: boolean; seen: Seen; dialect: Dialect },
): Promise<BotView> {
  const access = await requireBot(deps, caller, botId, "write");
  if (!isOfTeam(access)) await refuseMove(deps, botId, bot.folderId);
  const parts = readFlowParts(bot, dialect);
  checkName(bot, dialect);
  checkAddresses(bot, dialect);
  await requireFolderIn(deps, access.workspaceId, bot.folderId);
  await claimDomainOf(deps, access.workspaceId, bot);
  const seenUpdatedAt = isOverwriting || !bot.updatedAt ? undefined : new Date(bot.updatedAt);
  const changes = changesOf(bot, parts, editorIn(bot, dialect));
  const allowed = seenUpdatedAt ? [seenUpdatedAt].filter((time) => isSeen(seen, time)) : seen;
  const row = await writeBot(deps, caller, { botId, changes, seen: allowed });
  if (!row) throw await refusedUpdate(deps, botId, { seen, seenUpdatedAt, dialect, folderId: bot.folderId });
  return viewBot(row, { dialect, mode: access.mode });
}

/**
 * The maximum number of attempts. An attempt fails only because of another writer, and a bot has fewer concurrent
 * authors than this.
 */
const writeAttempts = 50;

/**
 * Writes the caller's fields. Returns undefined if nothing was written. Fields of the draft become changes of the
 * stored draft.
 */
async function writeBot(
  deps: BotDependencies,
  caller: Caller,
  { botId, changes, seen }: Pick<BotUpdate, "botId" | "changes" | "seen">,
): Promise<BotRow | undefined> {
  const isEdit = draftFields.some((field) => changes[field] !== undefined);
  let read: BotRow | undefined;
  for (let attempt = 1; attempt <= writeAttempts; attempt++) {
    const stored = isEdit ? await findBot(deps.sql, botId) : undefined;
    // Nothing can be written if the bot is missing, or was written since the caller read it. If the draft was not
    // written since the previous attempt, that attempt failed for another reason.
    if (isEdit && (!stored || stored.revision === read?.revision || !isSeen(seen, stored.updatedAt))) return undefined;
    const edit = stored && editTo(stored, withChanges(stored, changes), { caller, title: "Changed by a program" });
    const row = await updateBot(deps.sql, { botId, changes, seen, edit }).catch(explainViolation);
    if (row) deps.draftWatch.wake();
    if (row || !isEdit) return row;
    read = stored;
  }
  throw new AppError("server.overloaded");
}

const draftFields = ["version", "events", "groups", "edges", "variables", "theme", "settings", "editor"] as const;

function withChanges(stored: BotRow, changes: BotFieldChanges): StoredDraft {
  const draft = draftOf(stored);
  return {
    version: changes.version ?? draft.version,
    events: changes.events === undefined ? draft.events : changes.events,
    groups: changes.groups ?? draft.groups,
    edges: changes.edges ?? draft.edges,
    variables: changes.variables ?? draft.variables,
    theme: changes.theme ?? draft.theme,
    settings: changes.settings ?? draft.settings,
    editor: changes.editor === undefined ? draft.editor : changes.editor,
  };
}

/** Rejects a move to another folder by a collaborator, who may send only the bot's current folder. */
async function refuseMove(deps: BotDependencies, botId: string, folderId: string | null | undefined): Promise<void> {
  if (folderId === undefined) return;
  const stored = await findBot(deps.sql, botId);
  if (stored?.folderId !== folderId) throw new AppError("workspace.forbidden");
}

/** Throws `request.invalid` for an empty name or a name of only blanks. Existing clients may send such a name. */
function checkName({ name }: Pick<BotBody, "name">, dialect: Dialect): void {
  if (dialect === "typebot" || name === undefined || name.trim() !== "") return;
  throw invalidInput([{ path: "bot.name", message: "must have at least one character that is not a blank" }]);
}

/** Throws `request.invalid` if the public id or the custom domain is not allowed. */
export function checkAddresses(
  { publicId, customDomain }: Pick<BotBody, "publicId" | "customDomain">,
  path: string,
): void {
  const issues = [
    ...(typeof publicId === "string" ? publicIdIssues(publicId, `${path}.publicId`) : []),
    ...(typeof customDomain === "string" ? customDomainIssues(customDomain, `${path}.customDomain`) : []),
  ];
  if (issues.length > 0) throw invalidInput(issues);
}

/**
 * Claims the host of the bot's custom domain. The bot is served at this domain once the workspace has proved that it
 * owns the domain.
 */
async function claimDomainOf(deps: BotDependencies, workspaceId: string, { customDomain }: BotBody): Promise<void> {
  if (typeof customDomain === "string") await claimDomain(deps, workspaceId, hostOfDomain(customDomain));
}

/**
 * Throws `bot.public_id_taken` or `bot.custom_domain_taken` if the corresponding constraint was violated, and rethrows
 * any other error.
 */
export function explainViolation(error: unknown): never {
  switch (violatedConstraint(error)) {
    case "bots_public_id":
      throw new AppError("bot.public_id_taken", { cause: error });
    case "bots_custom_domain":
      throw new AppError("bot.custom_domain_taken", { cause: error });
    default:
      throw error;
  }
}

/** Throws `folder.not_found` unless the workspace contains the folder. Accepts a request without a folder. */
export async function requireFolderIn(
  deps: BotDependencies,
  workspaceId: string,
  folderId: string | null | undefined,
): Promise<void> {
  if (!(await isFolderThere(deps, workspaceId, folderId))) throw new AppError("folder.not_found");
}

async function isFolderThere(
  deps: BotDependencies,
  workspaceId: string,
  folderId: string | null | undefined,
): Promise<boolean> {
  if (typeof folderId !== "string") return true;
  return isId(folderId) && hasFolder(deps.sql, { workspaceId, folderId });
}

/** Returns the preferences to store. Column widths that were sent as a list become an empty object. */
export function readPreferences(
  given: ResultsTablePreferences | null | undefined,
): ResultsTablePreferences | null | undefined {
  return given && Array.isArray(given["columnsWidth"]) ? { ...given, columnsWidth: {} } : given;
}

/** Adds a start event to the parts of a flow, unless the parts contain events or a start block. */
export function withStart(parts: FlowParts): FlowParts {
  if (parts.events || startKindOf(parts) === "block") return parts;
  const start: StoredEvent = { id: newId(), type: "start", graphCoordinates: { x: 0, y: 0 } };
  return { ...parts, events: [start] };
}

/** `version` cannot be cleared, so null does not change it. */
function changesOf(
  bot: BotChanges,
  { version, ...parts }: FlowParts,
  editor: JsonObject | null | undefined,
): BotFieldChanges {
  const { name, icon, folderId, selectedThemeTemplateId, publicId, customDomain } = bot;
  const { messengerCredentialsId, riskLevel, isClosed } = bot;
  return {
    ...parts,
    ...{ name, icon, folderId, selectedThemeTemplateId, publicId, customDomain },
    ...{ messengerCredentialsId, riskLevel, isClosed },
    editor,
    version: version ?? undefined,
    resultsTablePreferences: readPreferences(bot.resultsTablePreferences),
  };
}

type Refused = {
  readonly seen: Seen;
  readonly seenUpdatedAt: Date | undefined;
  readonly dialect: Dialect;
  readonly folderId: string | null | undefined;
};

async function refusedUpdate(
  deps: BotDependencies,
  botId: string,
  { seen, seenUpdatedAt, dialect, folderId }: Refused,
): Promise<AppError> {
  const current = await findBot(deps.sql, botId);
  if (!current) return new AppError("bot.not_found");
  requireSeen(seen, current.updatedAt);
  if (seenUpdatedAt && seenUpdatedAt.getTime() !== current.updatedAt.getTime()) {
    return new AppError("bot.conflict", { data: { updatedAt: current.updatedAt.toISOString() } });
  }
  if (current.isArchived) return new AppError("bot.archived");
  if (!(await isFolderThere(deps, current.workspaceId, folderId))) return new AppError("folder.not_found");
  return invalidInput([
    { path: dialect, message: "must not be larger than 10 MB, together with the content that is already stored" },
  ]);
}
