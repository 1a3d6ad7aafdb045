import { withNames } from "../files/references.ts";
import { RefusedCall } from "../service.ts";
import { type BotFiles, botFile, contentOf, markOf, nameOf, testNameOf } from "./bot-files.ts";
import { differencesOf } from "./differences.ts";
import { readFolders } from "./folders.ts";
import { type LiveOptions, type LivePlan, planLive } from "./live.ts";
import type { LockedBot } from "./project.ts";
import type { RemoteBot } from "./remote.ts";
import { credentialsOf, folderOfLink, type Ids, render } from "./rendering.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The planned action for one bot. `extra` marks a bot that has no folder but stays, because `--prune` was not given.
 */
export type Step = {
  readonly folder: string;
  readonly action: "create" | "update" | "unchanged" | "remove" | "extra";
  /** Null for a bot that has yet to be created. */
  readonly botId: string | null;
  readonly changes: readonly string[];
  /** Changes that others made in the environment since the last pull or deploy, if the deploy would overwrite them. */
  readonly moved?: readonly string[];
  /** Whether the draft is published after it is written. */
  readonly publishes: boolean;
  /** Describes the live version if it is left in place and differs from the lock or the files. */
  readonly left?: string;
  /** Describes the live version if publishing would undo another person's change. */
  readonly conflict?: string;
  /** The decision about the live version of a bot that exists and has a folder. */
  readonly livePlan?: LivePlan;
};

export type Plan = {
  readonly steps: readonly Step[];
  /** Errors that must be fixed before any change is sent. */
  readonly problems: readonly string[];
  readonly local: ReadonlyMap<string, BotFiles>;
  /** The ids of the environment's bots by folder. */
  readonly ids: Ids;
};

export type PlanOptions = LiveOptions & {
  readonly adopt?: true;
  readonly prune?: true;
};

/** Compares a folder with an environment. Sends only read requests. */
export async function makePlan(workspace: Workspace, options: PlanOptions): Promise<Plan> {
  const { remote, lock, root } = workspace;
  const local = new Map([...(await readFolders(root))].map(([folder, { files }]) => [folder, files]));
  const problems: string[] = [];
  const ids = idsOf(workspace, local, { isAdopting: options.adopt ?? false, problems });
  for (const folder of options.forceLive ?? []) {
    if (!local.has(folder)) problems.push(`--force-live: there is no folder "${folder}" with a bot.`);
  }
  const steps: Step[] = [];
  for (const [folder, files] of local) {
    problems.push(...problemsOf(workspace, folder, { files, local }));
    const one = remote.bots.get(ids.get(folder) ?? "");
    steps.push(one ? await compared(workspace, { folder, files, one, ids, options }) : created(folder, files, options));
  }
  for (const [folder, { id }] of lock.bots) {
    if (local.has(folder) || !remote.bots.has(id)) continue;
    const action = options.prune ? "remove" : "extra";
    steps.push({ folder, action, botId: id, changes: [], publishes: false });
  }
  return { steps, problems, local, ids };
}

type Planned = {
  readonly folder: string;
  readonly files: BotFiles;
  readonly one: RemoteBot;
  readonly ids: Ids;
  readonly options: PlanOptions;
};

async function compared(workspace: Workspace, { folder, files, one, ids, options }: Planned): Promise<Step> {
  const theirs = render(workspace.remote, one, { folder, ids });
  const known = workspace.lock.bots.get(folder);
  const wanted = options.prune ? files : withTheirTests(files, theirs);
  const changes = [...differencesOf(theirs, wanted), ...publicIdChanges(workspace, folder, one)];
  const leftover = differencesOf(wanted, files).map(
    (line) => `${line.replace(/: removed$/, "")}: only in the environment, --prune removes it`,
  );
  const isSame = changes.length === 0 && markOf(theirs) === markOf(wanted);
  const hasMoved = !isSame && known !== undefined && known.base !== markOf(theirs);
  // The lock's hash may include tests that exist only in the environment.
  const isChanged = known === undefined || ![markOf(files), markOf(wanted)].includes(known.base);
  const compared = { folder, one, ids, known, theirs, wanted, isChanged };
  const livePlan = await planLive(workspace, compared, options);
  const { publishes, left, conflict } = livePlan;
  return {
    ...{ folder, botId: one.bot.id, publishes, livePlan },
    ...(left !== undefined && { left }),
    ...(conflict !== undefined && { conflict }),
    action: isSame ? "unchanged" : "update",
    changes: [...changes, ...leftover],
    ...(hasMoved && { moved: await movesSince(workspace, { known, theirs, one, folder, ids }) }),
  };
}

function publicIdChanges({ place }: Workspace, folder: string, { bot }: RemoteBot): string[] {
  const wanted = place.publicIds[folder];
  return wanted === undefined || wanted === bot.publicId
    ? []
    : [`public id: ${bot.publicId ?? "none"} becomes ${wanted}`];
}

/** Adds the tests that exist only in the environment, which remain there unless `--prune` is given. */
function withTheirTests(files: BotFiles, theirs: BotFiles): BotFiles {
  const others = [...theirs].filter(([path]) => testNameOf(path) !== undefined && !files.has(path));
  return new Map([...files, ...others]);
}

function created(folder: string, files: BotFiles, { publish = false }: { publish?: boolean }): Step {
  return { folder, action: "create", botId: null, changes: [`name: ${nameOf({ files })}`], publishes: publish };
}

/**
 * Describes the changes that others made since the last pull or deploy, with the authors that the draft's history
 * records.
 */
async function movesSince(
  { call, remote }: Workspace,
  { known, theirs, one, folder, ids }: Omit<Planned, "files" | "options"> & { known: LockedBot; theirs: BotFiles },
): Promise<string[]> {
  const botId = one.bot.id;
  const path = { botId, revision: String(known.revision) };
  try {
    if (known.revision === one.bot.revision) return [besideFlow];
    const { draft } = await call("GET /api/v1/bots/:botId/history/:revision", { path });
    const { sittings } = await call("GET /api/v1/bots/:botId/history", { path: { botId }, query: { limit: 100 } });
    const { groups, events, edges, variables, theme, settings, editor, version } = draft;
    const before = { ...one, bot: { ...one.bot, groups, events, edges, variables, theme, settings, editor, version } };
    const lines = differencesOf(render(remote, before, { folder, ids }), theirs);
    const by = sittings
      .filter(({ revision }) => revision > known.revision)
      .map((sitting) => `by ${sitting.by?.name ?? "somebody"} at ${sitting.to}: ${sitting.titles.join(", ")}`);
    return lines.length === 0 ? [besideFlow] : [...lines, ...by];
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.status !== 404) throw error;
    return ["more changes than the draft's history contains: it covers 90 days"];
  }
}

const besideFlow = "data other than the flow: name, icon, folder, tests or retention";

type Adoption = { readonly isAdopting: boolean; readonly problems: string[] };

/** Returns the bot's id for each folder in the lock. With `--adopt`, also matches other bots to folders by name. */
function idsOf({ lock, remote, place }: Workspace, local: Plan["local"], { isAdopting, problems }: Adoption): Ids {
  const ids = new Map<string, string>();
  for (const [folder, { id }] of lock.bots) {
    if (remote.bots.has(id)) ids.set(folder, id);
    else if (local.has(folder)) {
      problems.push(
        `${folder}: "${place.name}" no longer has the bot ${id}, or it is archived. Restore it ("parley bots restore ${id}"), or pull.`,
      );
    }
  }
  const locked = new Set(ids.values());
  for (const [folder, files] of local) {
    if (lock.bots.has(folder)) continue;
    const name = nameOf({ files });
    const same = [...remote.bots.values()].filter(({ bot }) => bot.name === name && !locked.has(bot.id));
    const [first, ...others] = same;
    if (!first) continue;
    if (!isAdopting) {
      problems.push(
        `${folder}: "${place.name}" has a bot "${name}" that does not belong to this folder yet. Use --adopt, pull the bot, or rename one of the two.`,
      );
    } else if (others.length > 0) {
      problems.push(`${folder}: "${place.name}" has several bots with the name "${name}". Rename the others, or pull.`);
    } else {
      ids.set(folder, first.bot.id);
      locked.add(first.bot.id);
    }
  }
  return ids;
}

/**
 * Returns the problems of a bot's files: links to folders that do not exist, credentials that the environment does not
 * have exactly once, and required tests without a file.
 */
function problemsOf(
  { remote, place }: Workspace,
  folder: string,
  { files, local }: { files: BotFiles; local: Plan["local"] },
): string[] {
  const problems = new Set<string>();
  withNames(contentOf(files)["groups"], {
    bot(link) {
      const target = folderOfLink(link, folder);
      if (target !== undefined && !local.has(target))
        problems.add(`${folder}/${botFile} links to ${link}, which does not exist.`);
      return undefined;
    },
    credentials(name) {
      if (credentialsOf(remote, name) === null)
        problems.add(
          `${folder}/${botFile} needs ${name}, which "${place.name}" does not have, or has twice. Create it there first.`,
        );
      return undefined;
    },
  });
  const tests = contentOf(files)["requiredTests"];
  for (const name of Array.isArray(tests) ? tests : []) {
    if (!files.has(`tests/${name}.json`))
      problems.add(`${folder}/${botFile} requires the test "${name}", which is not in tests/.`);
  }
  return [...problems];
}
