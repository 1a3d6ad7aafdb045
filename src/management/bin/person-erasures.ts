import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { eraseNamedResults } from "../erasure/bin-erasure.ts";
import { endExports, listExportsOf } from "../results/exports/result-exports.sql.ts";
import type { WantedValue } from "../results/result-search.sql.ts";
import {
  countContent,
  foldValue,
  isVariableKnown,
  listAllBots,
  listSpellings,
  type PersonErasureRow,
  type PersonMatch,
  personErasureRows,
  personMatches,
  savePersonErasure,
} from "./person-erasures.sql.ts";
import { findPerson } from "./person-search.ts";
import { createTally, type Spelling } from "./person-tally.ts";

export { personMatches };

const saltBytes = 16;

export const erasureOutcomes = ["erased", "counted", "nothing_found", "unfinished"] as const;

/** A receipt as it is shown: with its sum, and what it came to in one word. */
export type PersonErasure = PersonErasureRow & {
  readonly isDryRun: boolean;
  readonly results: number;
  readonly outcome: (typeof erasureOutcomes)[number];
};

export type PersonToErase = {
  readonly workspaceId: string;
  readonly variable: string;
  readonly value: string;
  readonly match: PersonMatch;
  readonly isDryRun: boolean;
};

/**
 * Erases all results of a workspace's bots whose variable has this value, at once and for good: answers, chats, files, what was to be
 * sent, and exports that may have them; also of bots and results in the bin. The receipt is kept and grows batch by batch, so that a process that dies
 * leaves what it did. `isComplete` is false where there was more than one request may do. A dry run counts the same, and writes nothing; it also says how
 * the value is spelled. For ADMINs.
 */
export async function erasePerson(
  deps: BotDependencies,
  caller: Caller,
  { workspaceId, variable, value, match, isDryRun }: PersonToErase,
): Promise<{ personErasure: PersonErasure; spellings?: Spelling[]; comparedValue?: string }> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const { sql } = deps;
  const { wanted, now } = await readPerson(sql, { workspaceId, variable, value, match });
  const salt = randomBytes(saltBytes);
  const receipt = {
    id: newId(),
    workspaceId,
    userId: caller.userId,
    variable,
    match,
    salt: salt.toString("hex"),
    valueHash: createHash("sha256").update(salt).update(wanted.value).digest("hex"),
  };
  const bots = await listAllBots(sql, workspaceId);
  const tally = createTally(bots);
  const save = (isComplete: boolean) => savePersonErasure(sql, { ...receipt, isComplete, ...tally.found() });
  const deadline = performance.now() + limits.erasure.requestMs;
  let isComplete = true;
  if (!isDryRun) await save(false);
  const search = { botIds: bots.map(({ id }) => id), wanted, isCounting: isDryRun };
  for await (const { botId, resultIds } of findPerson(sql, search)) {
    if (resultIds.length > 0) {
      const content = await countContent(sql, resultIds);
      if (isDryRun) {
        const characters = limits.personErasure.spellingCharacters;
        tally.addSpellings(await listSpellings(sql, { resultIds, wanted, characters }));
      } else {
        // Before the results: who repeats a request that died finds the bot no more.
        if (!tally.botIds().includes(botId)) tally.addExports(await endExports(sql, { botIds: [botId] }));
        await eraseNamedResults(sql, { botId, resultIds });
      }
      tally.add(botId, resultIds, content);
      if (!isDryRun) await save(false);
    }
    isComplete = performance.now() <= deadline;
    if (!isComplete) break;
  }
  const botIds = tally.botIds();
  // Again where results are erased: one may have begun since.
  tally.addExports(isDryRun ? await listExportsOf(sql, botIds) : await endExports(sql, { botIds }));
  if (!isDryRun) return { personErasure: shown(await save(isComplete)) };
  const counted = { ...receipt, isComplete, ...tally.found(), createdAt: now };
  return { personErasure: shown(counted, { isDryRun }), spellings: tally.spellings(), comparedValue: wanted.value };
}

/** The value as it is compared, and the present moment. Refuses what names nobody. */
async function readPerson(
  sql: Sql,
  { workspaceId, variable, value, match }: Omit<PersonToErase, "isDryRun">,
): Promise<{ wanted: WantedValue; now: Date }> {
  const isFolded = match === "folded";
  const { folded, now } = await foldValue(sql, value);
  if (isFolded && folded === "") throw invalidInput([{ path: "value", message: "must have a visible character" }]);
  if (!(await isVariableKnown(sql, { workspaceId, name: variable }))) {
    throw invalidInput([{ path: "variable", message: "is the name of no variable of this workspace's bots" }]);
  }
  return { wanted: { name: variable, value: isFolded ? folded : value, isPrefix: false, isFolded }, now };
}

/** A workspace's receipts, newest first. For ADMINs. */
export async function listReceipts(deps: BotDependencies, caller: Caller, workspaceId: string, request: PageRequest) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const page = readPage("person-erasures", request, [workspaceId]);
  const found = await personErasureRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows, ...rest } = cutPage({ rows: found, page });
  return { personErasures: rows.map((row) => shown(row)), ...rest };
}

function shown(row: PersonErasureRow, { isDryRun = false } = {}): PersonErasure {
  const results = row.bots.reduce((sum, bot) => sum + bot.results, 0);
  return { ...row, isDryRun, results, outcome: outcomeOf(row, { isDryRun, results }) };
}

function outcomeOf(
  { isComplete }: PersonErasureRow,
  { isDryRun, results }: { isDryRun: boolean; results: number },
): PersonErasure["outcome"] {
  if (!isComplete) return "unfinished";
  if (results === 0) return "nothing_found";
  return isDryRun ? "counted" : "erased";
}
