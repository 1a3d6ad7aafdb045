import type { Dialect } from "../compatibility/dialect.ts";
import type { Dependencies } from "../dependencies.ts";
import { AppError } from "../errors.ts";
import { readFlowParts } from "../flow/check.ts";
import { completeFlow } from "../flow/complete.ts";
import { convertToLatest, startKindOf } from "../flow/convert.ts";
import type { FlowParts, StoredFlow } from "../flow/document.ts";
import { markUnsafe } from "../flow/safety.ts";
import { isId, newId } from "../ids.ts";
import { hasFolder, insertBot } from "../store/bots.ts";
import { type Caller, requireWorkspace } from "./access.ts";
import { type BotView, viewBot } from "./bot-view.ts";
import { type BotBody, defaultBotName, readPreferences, requireFolderIn, withStart } from "./bots.ts";

export type ImportRequest = {
  readonly workspaceId: string;
  /** Where to put it; absent: the file's own folder, if that is one of this workspace. */
  readonly folderId?: string | null;
  /** An exported bot of any version. */
  readonly bot: BotBody;
  /** The file comes from somebody else: its client-side code is marked. */
  readonly hasSafetyFlags: boolean;
  readonly dialect: Dialect;
};

/**
 * Makes a new bot of an exported one, in the latest version of the flow. Ids inside the flow stay; what belonged to the
 * exported bot alone does not (public id, custom domain, closing, risk, messenger credentials).
 */
export async function importBot(deps: Dependencies, caller: Caller, request: ImportRequest): Promise<BotView> {
  const { workspaceId, bot, dialect } = request;
  await requireWorkspace(deps, caller, workspaceId, "work");
  const flow = latestFlow(readFlowParts(bot, dialect));
  const row = await insertBot(deps.sql, {
    ...(request.hasSafetyFlags ? markUnsafe(flow) : flow),
    id: newId(),
    workspaceId,
    name: bot.name ?? defaultBotName,
    icon: bot.icon ?? null,
    folderId: await folderOf(deps, request),
    selectedThemeTemplateId: bot.selectedThemeTemplateId ?? null,
    resultsTablePreferences: readPreferences(bot.resultsTablePreferences) ?? null,
    publicId: null,
    customDomain: null,
  });
  if (!row) throw new AppError("folder.not_found");
  return viewBot(row, { dialect, mode: "write" });
}

/** A file of an older version that has no start cannot be converted; a newer one gets a start event, as a new bot does. */
function latestFlow(parts: FlowParts): StoredFlow {
  const isOld = Number(parts.version ?? "3") < 6;
  if (isOld && startKindOf(parts) === "none") throw new AppError("flow.no_start");
  const flow = convertToLatest(completeFlow(withStart(parts)));
  if (!flow) throw new AppError("flow.no_start");
  return flow;
}

async function folderOf(deps: Dependencies, { workspaceId, folderId, bot }: ImportRequest): Promise<string | null> {
  if (folderId !== undefined) {
    await requireFolderIn(deps, workspaceId, folderId);
    return folderId;
  }
  const own = bot.folderId;
  const isHere = typeof own === "string" && isId(own) && (await hasFolder(deps.sql, { workspaceId, folderId: own }));
  return isHere ? own : null;
}
