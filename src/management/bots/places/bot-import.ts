import { extraKeysOf } from "../../../core/documents/extra-keys.ts";
import { type ImportLines, linesOf } from "../../../core/documents/import-lines.ts";
import { type BlockReport, reportBlocks } from "../../../core/documents/import-report.ts";
import { readFlowParts } from "../../../core/flow/check.ts";
import { completeFlow, flowOf } from "../../../core/flow/complete.ts";
import { convertToLatest, startKindOf } from "../../../core/flow/convert.ts";
import { type Dialect, settingsInDialect } from "../../../core/flow/dialect.ts";
import type { FlowParts, StoredFlow } from "../../../core/flow/document.ts";
import { factsOf } from "../../../core/flow/facts.ts";
import { type RepairedFile, readRepairedParts } from "../../../core/flow/repair/read-repaired.ts";
import type { Repair } from "../../../core/flow/repair/repair-flow.ts";
import { markUnsafe } from "../../../core/flow/safety.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";
import { AppError } from "../../../errors.ts";
import { requireSeen, type Seen } from "../../../platform/http/requests/seen.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { type Caller, requireBot, requireWorkspace } from "../../access/access.ts";
import { type BotView, viewBot } from "../bot-view.ts";
import { type BotRow, findBot, findExtra, hasFolder } from "../bots.sql.ts";
import { type BotBody, defaultBotName, insertNewBot, readPreferences, requireFolderIn, withStart } from "../bots.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { editorIn, editTo } from "../drafts/draft-edits.ts";
import { restoreDraft } from "../drafts/restored-drafts.sql.ts";
import { addressOf } from "../flow-address.ts";
import { findMissing, type Missing } from "./linked-bots.ts";

export type ImportRequest = {
  readonly workspaceId: string;
  /**
   * The folder for the bot. If absent, the bot is imported into the folder that the file names, provided that the
   * workspace contains this folder.
   */
  readonly folderId?: string | null;
  /** An exported bot of any version. */
  readonly bot: BotBody;
  /** Whether the file comes from another author. If true, the file's client-side code is marked. */
  readonly hasSafetyFlags: boolean;
  /** Whether repeated ids are repaired instead of rejected. */
  readonly isRepaired: boolean;
  readonly dialect: Dialect;
};

/** The report of an import, such as the support of each block and the objects that the workspace lacks. */
export type ImportReport = BlockReport &
  ImportLines &
  Missing & {
    readonly repairs: Repair[];
    /** Keys at the top of the file that are too large to be stored. */
    readonly lostKeys: string[];
  };

/**
 * Creates a bot from an exported bot, in the latest version of the flow. Ids within the flow remain the same, unless
 * they are repaired. Fields that belong only to the exported bot are dropped (public id, custom domain, closed state,
 * risk, messenger credentials).
 */
export async function importBot(
  deps: BotDependencies,
  caller: Caller,
  request: ImportRequest,
): Promise<{ bot: BotView; report: ImportReport }> {
  const { workspaceId, bot, dialect } = request;
  await requireWorkspace(deps, caller, workspaceId, "work", { isFilled: true });
  const { flow, report, editor, extra } = readFile(request);
  const row = await insertNewBot(deps, {
    ...flow,
    id: newId(),
    workspaceId,
    name: bot.name ?? defaultBotName,
    icon: bot.icon ?? null,
    folderId: await folderOf(deps, request),
    selectedThemeTemplateId: bot.selectedThemeTemplateId ?? null,
    resultsTablePreferences: readPreferences(bot.resultsTablePreferences) ?? null,
    publicId: null,
    customDomain: null,
    editor: editor ?? null,
    extra,
  });
  const whole = await wholeReport(deps, caller, { workspaceId, flow, report });
  return { bot: viewBot(row, { dialect, mode: "write" }), report: whole };
}

/** Returns the report of an import without importing anything. */
export async function checkImport(
  deps: BotDependencies,
  caller: Caller,
  request: Omit<ImportRequest, "folderId">,
): Promise<{ name: string; groupCount: number; report: ImportReport }> {
  const { workspaceId, bot } = request;
  await requireWorkspace(deps, caller, workspaceId, "work");
  const { flow, report } = readFile(request);
  const whole = await wholeReport(deps, caller, { workspaceId, flow, report });
  return { name: bot.name ?? defaultBotName, groupCount: flow.groups.length, report: whole };
}

export type ImportIntoRequest = Omit<ImportRequest, "workspaceId" | "folderId"> & {
  /** The `updatedAt` of the bot that the caller saw. The draft is not replaced if it was written since. */
  readonly seenUpdatedAt: Date | undefined;
  readonly seen: Seen;
};

/** The maximum number of attempts. An attempt fails if the draft is written concurrently. */
const importAttempts = 5;

/**
 * Replaces a bot's draft with an exported bot's flow. The replaced draft becomes a version, unless a version already
 * contains it. The bot's name, addresses and other fields outside the flow do not change. The editor's data changes
 * only if the file contains editor data. Throws `bot.conflict` if the bot was written since `seenUpdatedAt`, or too
 * often during the import.
 */
export async function importIntoBot(
  deps: BotDependencies,
  caller: Caller,
  botId: string,
  { seenUpdatedAt, seen, ...request }: ImportIntoRequest,
): Promise<{ bot: BotView; report: ImportReport; replacedNumber: number }> {
  const { workspaceId, mode } = await requireBot(deps, caller, botId, "write");
  const former = request.isRepaired ? await requireDraft(deps, botId) : undefined;
  const { flow, report, editor, extra } = readFile(request, former);
  const kept = { id: newId(), by: caller.userId, note: "The draft before an import." };
  const hash = await addressOf(deps, { flow, caller: caller.userId });
  for (let attempt = 1; ; attempt++) {
    const bot = await requireDraft(deps, botId);
    requireSeen(seen, bot.updatedAt);
    const isTooLate = seenUpdatedAt !== undefined && seenUpdatedAt.getTime() !== bot.updatedAt.getTime();
    if (isTooLate || attempt > importAttempts) {
      throw new AppError("bot.conflict", { data: { updatedAt: bot.updatedAt.toISOString() } });
    }
    const draft = flowOf(bot);
    const replacedHash = await addressOf(deps, { flow: draft, caller: caller.userId });
    const replaced = { hash: replacedHash, flow: draft, facts: factsOf(draft) };
    const next = { ...flow, editor: editor === undefined ? bot.editor : editor };
    const edit = editTo(bot, next, { caller, title: "Import" });
    const replacedNumber = await restoreDraft(deps.sql, {
      ...{ botId, seenUpdatedAt: bot.updatedAt, replaced, edit, extra, kept },
      hash,
    });
    if (replacedNumber === undefined) continue;
    deps.draftWatch.wake();
    const whole = await wholeReport(deps, caller, { workspaceId, flow, report, botId });
    const written = viewBot(await requireDraft(deps, botId), { dialect: request.dialect, mode });
    return { bot: written, report: whole, replacedNumber };
  }
}

async function requireDraft(deps: BotDependencies, botId: string): Promise<BotRow> {
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  if (bot.isArchived) throw new AppError("bot.archived");
  return bot;
}

/**
 * Returns a bot as a file: its draft in the latest version, and the other parts that an import reads. A flow of an
 * older version without a start cannot be converted and is returned unchanged. The file includes keys of an imported
 * file that no code reads, and omits the bot's addresses and closed state.
 */
export async function exportBot(deps: BotDependencies, caller: Caller, botId: string, dialect: Dialect) {
  await requireBot(deps, caller, botId, "read");
  const stored = await findBot(deps.sql, botId);
  if (!stored) throw new AppError("bot.not_found");
  const { version, id, name, icon, events, groups, edges, variables, theme, settings, ...row } =
    convertToLatest(stored) ?? stored;
  const { selectedThemeTemplateId, resultsTablePreferences, createdAt, updatedAt, editor } = row;
  return {
    ...{ folderId: null, ...(await findExtra(deps.sql, botId)) },
    ...{ version, id, name, icon, events, groups, edges, variables, theme },
    settings: settingsInDialect(dialect, settings),
    ...{ selectedThemeTemplateId, resultsTablePreferences, createdAt, updatedAt, editor },
  };
}

type ReadFile = {
  readonly flow: StoredFlow;
  readonly editor: JsonObject | null | undefined;
  readonly extra: JsonObject | null;
  readonly report: OwnReport;
};

/** The part of a report that depends only on the file. */
type OwnReport = Omit<ImportReport, keyof Missing | keyof ImportLines>;

/** Completes a report with the objects that the workspace lacks. */
async function wholeReport(
  deps: BotDependencies,
  caller: Caller,
  { report, ...place }: Parameters<typeof findMissing>[2] & { readonly report: OwnReport },
): Promise<ImportReport> {
  const missing = await findMissing(deps, caller, place);
  return { ...report, ...linesOf(place.flow, { ...missing, ...report }), ...missing };
}

/** Reads a file for a new bot, or for the bot whose draft is `former`. */
function readFile(request: Omit<ImportRequest, "workspaceId" | "folderId">, former?: StoredFlow): ReadFile {
  const { parts, editor, repairs } = readParts(request, former);
  const flow = latestFlow(parts);
  const { extra, lost } = extraKeysOf(request.bot, request.dialect);
  return {
    flow: request.hasSafetyFlags ? markUnsafe(flow) : flow,
    editor: editorIn({ editor }, request.dialect),
    extra,
    report: { ...reportBlocks(parts), repairs, lostKeys: lost },
  };
}

function readParts(
  { bot, dialect, isRepaired }: Pick<ImportRequest, "bot" | "dialect" | "isRepaired">,
  former: StoredFlow | undefined,
): RepairedFile {
  const { editor } = bot;
  if (isRepaired) return readRepairedParts(bot, dialect, { editor, ...(former && { former }) });
  return { parts: readFlowParts(bot, dialect), editor, repairs: [] };
}

/**
 * Returns the flow in the latest version. Throws `flow.no_start` for a file of an older version without a start, which
 * cannot be converted. A newer file without a start gets a start event, like a new bot.
 */
function latestFlow(parts: FlowParts): StoredFlow {
  const isOld = Number(parts.version ?? "3") < 6;
  if (isOld && startKindOf(parts) === "none") throw new AppError("flow.no_start");
  const flow = convertToLatest(completeFlow(withStart(parts)));
  if (!flow) throw new AppError("flow.no_start");
  return flow;
}

async function folderOf(deps: BotDependencies, { workspaceId, folderId, bot }: ImportRequest): Promise<string | null> {
  if (folderId !== undefined) {
    await requireFolderIn(deps, workspaceId, folderId);
    return folderId;
  }
  const own = bot.folderId;
  const isHere = typeof own === "string" && isId(own) && (await hasFolder(deps.sql, { workspaceId, folderId: own }));
  return isHere ? own : null;
}
