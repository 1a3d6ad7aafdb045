import { diff } from "../../core/editing/changes/diff.ts";
import type { Answer } from "../../web/app/api/call.ts";
import { flowIn } from "../files/flow-file.ts";
import { type Call, RefusedCall } from "../service.ts";
import { type BotFiles, botFile, contentOf, markOf } from "./bot-files.ts";
import type { LockedBot } from "./project.ts";
import type { RemoteBot } from "./remote.ts";
import { type Ids, render } from "./rendering.ts";
import type { Workspace } from "./workspace.ts";

/** The versions of a bot that visitors get: the number of the published version, and the canary if one is running. */
export type Live = {
  readonly number: number | null;
  readonly canary: Answer<"GET /api/v1/bots/:botId/canary">["canary"];
};

/**
 * The decision about the live version of a bot: a new version is published, the live version is left in place (`left`
 * describes it), or publishing would conflict with another person's change.
 */
export type LivePlan = {
  readonly publishes: boolean;
  readonly left?: string;
  readonly conflict?: string;
  /** Set if the lock does not record a live version. Only the draft is then written. */
  readonly isUnknown?: true;
  /**
   * The number of the live version that the lock records if the deploy does not publish the bot. Null means that no
   * version is published.
   */
  readonly published: number | null;
  /** The live version when the plan was made; undefined if the plan did not depend on it. */
  readonly live?: Live;
};

export type LiveOptions = {
  readonly publish?: true;
  readonly percent?: number;
  /** Folders whose bots are published even if the environment has another live version. */
  readonly forceLive?: readonly string[];
};

type Compared = {
  readonly folder: string;
  readonly one: RemoteBot;
  readonly ids: Ids;
  readonly known: LockedBot | undefined;
  /** `theirs` contains the draft's files in the environment, and `wanted` contains the new files. */
  readonly theirs: BotFiles;
  readonly wanted: BotFiles;
  /** Whether the files differ from those in the lock. */
  readonly isChanged: boolean;
};

/**
 * Decides whether a bot keeps its live version. If the bot's files match the lock, it keeps any live version, unless an
 * earlier deploy could not publish its draft (`isPublishing`). If the files have changed, the bot is not published over
 * another person's live version or canary, unless `--force-live` names its folder.
 */
export async function planLive(workspace: Workspace, bot: Compared, options: LiveOptions): Promise<LivePlan> {
  const { folder, one, known, isChanged } = bot;
  const number = one.published;
  const locked = known ? known.published : null;
  if (!options.publish) {
    const isMoved = known !== undefined && locked !== undefined && locked !== number;
    // If the live version has changed, the lock keeps the number of the version that was live with these files, so that
    // the next publication detects the conflict.
    if (isChanged) return { publishes: false, published: isMoved ? locked : number };
    const left = isMoved ? { left: wordsOf({ number, canary: null }, locked) } : {};
    return { publishes: false, published: number, ...left };
  }
  const { canary } = await workspace.call("GET /api/v1/bots/:botId/canary", { path: { botId: one.bot.id } });
  const live = { number, canary };
  const versionOf = (version: number) => filesOfVersion(workspace, bot, version);
  const liveFiles = number === null ? undefined : await versionOf(number);
  const isLive = liveFiles !== undefined && hasSameFlow(liveFiles, bot.wanted);
  const same = { published: number, live };
  if (options.forceLive?.includes(folder)) return { ...same, publishes: canary !== null || !isLive };
  if (!isChanged && !known?.isPublishing) {
    const isAsExpected = canary === null && isLive && (locked === undefined || locked === number);
    return { ...same, publishes: false, ...(!isAsExpected && { left: wordsOf(live, locked, isLive) }) };
  }
  const isOurCanary = canary !== null && hasSameFlow(await versionOf(canary.number), bot.wanted);
  if (isOurCanary && options.percent === undefined) return { ...same, publishes: true };
  if (isLive && canary === null) return { ...same, publishes: false };
  if (locked === undefined) return { ...same, publishes: false, isUnknown: true };
  const isOfLock = liveFiles !== undefined && known?.base === markOf(bot.theirs) && hasSameFlow(liveFiles, bot.theirs);
  const isStrange = (canary !== null && !isOurCanary) || (locked !== number && !isOfLock);
  if (isStrange) return { ...same, publishes: false, conflict: wordsOf(live, locked, true) };
  return { ...same, publishes: !isOurCanary };
}

/** Describes the live version and its difference from the lock or the files. */
function wordsOf({ number, canary }: Live, locked: number | null | undefined, isAsFiles = true): string {
  const name = (version: number | null) => (version === null ? "no version" : `version ${version}`);
  const beside = canary ? `, and the canary ${canary.number} for ${canary.percent}% of new chats` : "";
  if (beside || locked === undefined || locked === number) {
    return `live: ${name(number)}${beside}${beside || isAsFiles || number === null ? "" : ", which differs from the files"}`;
  }
  return `live: ${name(number)}, not the lock's ${locked ?? "none"}`;
}

/** Returns whether both bots have the same flow. Ignores notes and frames, because no version contains them. */
function hasSameFlow(one: BotFiles, other: BotFiles): boolean {
  const [before, after] = [one, other].map((files) => ({ ...flowIn(contentOf(files), botFile), editor: null }));
  return before !== undefined && after !== undefined && diff(before, after).length === 0;
}

/** Returns the files that a bot would have with the flow of one of its versions. */
async function filesOfVersion(
  { call, remote }: Workspace,
  { one, folder, ids }: Pick<Compared, "one" | "folder" | "ids">,
  number: number,
): Promise<BotFiles> {
  const { version, events, groups, edges, variables, theme, settings } = await readVersion(call, one.bot.id, number);
  const bot = { ...one.bot, version, events, groups, edges, variables, theme, settings };
  return render(remote, { ...one, bot }, { folder, ids });
}

async function readVersion(call: Call, botId: string, number: number) {
  const path = { botId, number: String(number) };
  const read = (query: { migrateToLatestVersion?: boolean }) =>
    call("GET /api/v1/bots/:botId/publications/:number", { path, query });
  const { publication } = await read({ migrateToLatestVersion: true }).catch((error: unknown) => {
    // A flow of an old version without a start event cannot be converted to the latest version, so it is read
    // unconverted.
    if (error instanceof RefusedCall && error.code === "flow.no_start") return read({});
    throw error;
  });
  return publication;
}
