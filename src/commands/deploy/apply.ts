import { StartError } from "../../config.ts";
import { type Json, numberAt } from "../../web/conversation/read.ts";
import { withNames } from "../files/references.ts";
import { RefusedCall } from "../service.ts";
import { type BotFiles, contentOf, markOf, nameOf, testNameOf } from "./bot-files.ts";
import type { Live } from "./live.ts";
import type { Plan, Step } from "./plan.ts";
import { type LockedBot, writeLock } from "./project.ts";
import { makeFolders, readRemoteBot } from "./remote.ts";
import { credentialsOf, folderOfLink, render, withLinkedFlows } from "./rendering.ts";
import type { Workspace } from "./workspace.ts";

export type ApplyOptions = {
  readonly prune?: true;
  readonly note?: string;
  readonly percent?: number;
};

/**
 * The outcome of one step of the plan: the number of the new version (null if no version was published), or an error.
 */
export type Outcome = { readonly version: number | null } | { readonly code: string; readonly message: string };

/**
 * Executes a plan: creates, updates, publishes and removes bots, with their tests and retention. A failure does not
 * stop the remaining bots. The lock is written after each change, so that the same command continues an interrupted
 * deploy.
 */
export async function applyPlan(
  workspace: Workspace,
  plan: Plan,
  options: ApplyOptions,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const ids = new Map(plan.ids);
  const run: Run = {
    ...workspace,
    ids,
    options,
    lock: { ...workspace.lock, workspaceId: workspace.remote.workspaceId },
  };
  const attempt = async (step: Step, act: (files: BotFiles) => Promise<void>) => {
    if ("message" in (outcomes.get(step.folder) ?? {})) return;
    try {
      await act(plan.local.get(step.folder) ?? new Map());
      if (!outcomes.has(step.folder)) outcomes.set(step.folder, { version: null });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      const code = error instanceof RefusedCall || error instanceof LiveConflict ? error.code : "service.unreachable";
      outcomes.set(step.folder, { code, message: error.message });
    }
  };
  // All bots are created before links to them are written. All drafts are written before the first bot is published.
  for (const step of plan.steps) if (step.action === "create") await attempt(step, (files) => create(run, step, files));
  for (const step of plan.steps) {
    if (["create", "update"].includes(step.action)) await attempt(step, (files) => write(run, step, files));
    if (step.action === "unchanged") await attempt(step, async () => note(run, step.folder, notedOf(step)));
  }
  for (const step of plan.steps) {
    if (!step.publishes) continue;
    await attempt(step, async () => {
      outcomes.set(step.folder, { version: await publish(run, step) });
    });
  }
  for (const step of plan.steps) if (step.action === "remove") await attempt(step, () => remove(run, step));
  await writeLock(run.root, run.place.name, run.lock);
  return outcomes;
}

type Run = Workspace & { readonly ids: Map<string, string>; readonly options: ApplyOptions };

/** Creates an empty bot. Its draft is written once all bots exist. */
async function create(run: Run, { folder }: Step, files: BotFiles): Promise<void> {
  const { workspaceId } = run.remote;
  const made = await run.call("POST /api/v1/bots", { body: { workspaceId, bot: { name: nameOf({ files }) } } });
  run.ids.set(folder, made.bot.id);
  await readAgain(run, folder, { published: null });
}

/** Writes the draft, and then the tests and the retention. Fails if the draft was changed since the plan was made. */
async function write(run: Run, step: Step, files: BotFiles): Promise<void> {
  const { folder } = step;
  const { ask, call, remote, ids } = run;
  const botId = ids.get(folder) ?? "";
  const before = remote.bots.get(botId);
  const content = contentOf(files);
  const folderId = await makeFolders(call, remote, listOf(content["folder"]));
  const { name, icon = null, editor = null, version, events, groups, edges, variables, theme, settings } = content;
  const flow = {
    version,
    events,
    edges,
    variables,
    theme,
    settings,
    editor,
    groups: withNames(groups, namesFor(run, folder)),
  };
  const publicId = run.place.publicIds[folder];
  const fields = {
    name,
    icon,
    folderId,
    ...(publicId !== undefined && { publicId }),
    updatedAt: before?.bot.updatedAt,
  };
  await ask("PATCH", `/api/v1/bots/${botId}`, { bot: { ...fields, ...flow } });
  await writeTests(run, { botId, folder, files });
  const days = numberAt(content, "retentionDays") ?? null;
  if (days !== (before?.retentionDays ?? null))
    await call("PUT /api/v1/bots/:botId/results/retention", { path: { botId }, body: { days } });
  await readAgain(run, folder, notedOf(step));
}

type Written = { readonly botId: string; readonly folder: string; readonly files: BotFiles };

async function writeTests(run: Run, { botId, folder, files }: Written): Promise<void> {
  const { ask, remote, ids, options } = run;
  const before = remote.bots.get(botId);
  const theirs: BotFiles = before ? render(remote, before, { folder, ids }) : new Map();
  const required = listOf(contentOf(files)["requiredTests"]);
  for (const [file, text] of files) {
    const name = testNameOf(file);
    if (name === undefined) continue;
    const isRequired = required.includes(name);
    const wasRequired = before?.tests.some((test) => test.name === name && test.isRequired) ?? false;
    if (theirs.get(file) === text && isRequired === wasRequired) continue;
    const { flow: _, ...conversation }: Json = JSON.parse(text);
    const named = withLinkedFlows(conversation, namesFor(run, folder).bot, namesFor(run, folder));
    await ask("PUT", `/api/v1/bots/${botId}/testConversations/${name}`, { isRequired, conversation: named });
  }
  if (!options.prune) return;
  for (const { name } of before?.tests ?? []) {
    if (files.has(`tests/${name}.json`)) continue;
    await ask("DELETE", `/api/v1/bots/${botId}/testConversations/${name}`);
  }
}

/** Returns functions that replace names in files with ids of the environment. */
function namesFor({ ids, remote }: Run, folder: string) {
  return {
    bot: (link: string) => ids.get(folderOfLink(link, folder) ?? ""),
    credentials: (name: string) => credentialsOf(remote, name) ?? undefined,
  };
}

async function publish(run: Run, { folder, livePlan }: Step): Promise<number> {
  const botId = run.ids.get(folder) ?? "";
  const { note, percent } = run.options;
  const live = livePlan?.live;
  if (live && !(await isStillLive(run, botId, live))) throw new LiveConflict(run.place.name);
  const revision = run.remote.bots.get(botId)?.bot.revision;
  const { number } = await run.call("POST /api/v1/bots/:botId/publish", {
    path: { botId },
    body: { note, percent, revision },
  });
  await readAgain(run, folder, { published: percent === undefined ? number : (live?.number ?? null) });
  return number;
}

/** Returns whether visitors still get the version that was live when the plan was made. */
async function isStillLive({ call }: Run, botId: string, live: Live): Promise<boolean> {
  const path = { botId };
  const { bot } = await call("GET /api/v1/bots/:botId", { path });
  const { canary } = await call("GET /api/v1/bots/:botId/canary", { path });
  return bot.publicationNumber === live.number && canary?.number === live.canary?.number;
}

/** Thrown when the live version has changed since the plan was made. */
class LiveConflict extends StartError {
  readonly code = "live.conflict";

  constructor(environment: string) {
    super(
      `not published: the live version in "${environment}" has changed since the plan was made. Run the command again to see the change.`,
    );
  }
}

async function remove({ call, lock, root, place }: Run, { folder, botId }: Step): Promise<void> {
  await call("DELETE /api/v1/bots/:botId", { path: { botId: botId ?? "" } });
  lock.bots.delete(folder);
  await writeLock(root, place.name, lock);
}

type Noted = Pick<LockedBot, "published" | "isPublishing">;

/** Returns what the lock records about the live version before the step is published. */
function notedOf({ livePlan, publishes }: Step): Noted {
  return { published: livePlan?.published ?? null, ...(publishes && { isPublishing: true }) };
}

/** Reads a bot again and records its state in the lock under its folder. */
async function readAgain(run: Run, folder: string, noted: Noted): Promise<void> {
  const { call, remote, ids, root, place, lock } = run;
  const id = ids.get(folder) ?? "";
  remote.bots.set(id, await readRemoteBot(call, id, remote.bots.get(id)?.published ?? null));
  note(run, folder, noted);
  await writeLock(root, place.name, lock);
}

function note({ remote, ids, lock }: Run, folder: string, noted: Noted): void {
  const id = ids.get(folder) ?? "";
  const one = remote.bots.get(id);
  if (!one) return;
  const base = markOf(render(remote, one, { folder, ids }));
  lock.bots.set(folder, { id, base, revision: one.bot.revision, ...noted });
}

function listOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((each) => typeof each === "string");
}
