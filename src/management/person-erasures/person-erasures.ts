import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { eraseContactEverywhere } from "../channels/contact-erasure.ts";
import { findContactsOfResults } from "../channels/contacts.sql.ts";
import { findIndexedUntil } from "../counts/count-state.sql.ts";
import { endExports, listExportsOf } from "../results/exports/result-exports.sql.ts";
import type { WantedValue } from "../results/result-search.sql.ts";
import { eraseNamedResults } from "../row-erasure/bin-erasure.ts";
import {
  countContent,
  countFoundInAnswers,
  foldValue,
  isNameOfIndexedResults,
  isNameOfUnreadResults,
  listAllBots,
  listBotsAfterCopies,
  listSpellings,
  type PersonErasureRow,
  type PersonMatch,
  personErasureRows,
  personMatches,
  savePersonErasure,
} from "./person-erasures.sql.ts";
import { type MeantVariable, type PersonSearch, searchPerson } from "./person-search.ts";
import { createTally, type Spelling, type Tally } from "./person-tally.ts";

export { personMatches };

const saltBytes = 16;

export const erasureOutcomes = ["erased", "counted", "nothing_found", "unfinished"] as const;

/** A receipt in the API's format, with the sum of its results and its outcome. */
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

/** The additional fields of a dry run. */
type Preview = {
  readonly spellings: Spelling[];
  readonly comparedValue: string;
  readonly variables: MeantVariable[];
  readonly onlyInAnswers: number;
  readonly isExact: boolean;
  readonly asOf?: Date;
};

/**
 * Erases all results of a workspace's bots that have this value of this variable, immediately and permanently. This
 * includes answers, chats, files, unsent content, exports that may contain the results, and bots and results in the
 * bin. The receipt is stored after each batch, so that a process that dies leaves a record of its work. `isComplete` is
 * false if one request could not erase everything.
 *
 * A dry run counts the same results and writes nothing. It also returns the spellings of the value, and the variables
 * that the name refers to. Requires ADMIN.
 */
export async function erasePerson(
  deps: BotDependencies,
  caller: Caller,
  { workspaceId, variable, value, match, isDryRun }: PersonToErase,
): Promise<{ personErasure: PersonErasure } & Partial<Preview>> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const { sql } = deps;
  const bots = await listAllBots(sql, workspaceId);
  const { wanted, now, search } = await readPerson(sql, { workspaceId, variable, value, match, bots });
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
  const tally = createTally(bots);
  const deadline = performance.now() + limits.erasure.requestMs;
  if (isDryRun) {
    const asOf = await findIndexedUntil(sql, { workspaceId });
    const isComplete = await countPerson(sql, { search, botIds: idsOf(bots), tally, deadline });
    tally.addExports(await listExportsOf(sql, tally.botIds()));
    const counted = { ...receipt, isComplete, ...tally.found(), createdAt: now };
    const preview = {
      ...tally.preview(),
      ...{ comparedValue: wanted.value, variables: search.variables },
      isExact: isComplete && asOf === null,
      ...(asOf && { asOf }),
    };
    return { personErasure: shown(counted, { isDryRun }), ...preview };
  }
  const save = (isComplete: boolean) => savePersonErasure(sql, { ...receipt, isComplete, ...tally.found() });
  await save(false);
  const isComplete = await eraseEverywhere(sql, { workspaceId, wanted, search, bots, tally, deadline, save });
  // Exports of the affected bots are ended once more, because an export may have started meanwhile.
  tally.addExports(await endExports(sql, { botIds: tally.botIds() }));
  return { personErasure: shown(await save(isComplete)) };
}

type Bot = { readonly id: string; readonly name: string };
type Search = {
  readonly search: PersonSearch;
  readonly botIds: readonly string[];
  readonly tally: Tally;
  readonly deadline: number;
};

/** Counts the matches in these bots. Returns false if one request cannot count everything. */
async function countPerson(sql: Sql, { search, botIds, tally, deadline }: Search): Promise<boolean> {
  const characters = limits.personErasure.spellingCharacters;
  for await (const { botId, resultIds, wanted } of search.find(botIds, { isCounting: true })) {
    if (resultIds.length > 0) {
      tally.addSpellings(await listSpellings(sql, { resultIds, wanted, characters }));
      tally.addFoundInAnswers(await countFoundInAnswers(sql, { resultIds, wanted }));
      tally.add(botId, resultIds, await countContent(sql, resultIds));
    }
    if (performance.now() > deadline) return false;
  }
  return true;
}

type Erasing = Omit<Search, "botIds"> & {
  readonly workspaceId: string;
  readonly wanted: WantedValue;
  readonly bots: readonly Bot[];
  readonly save: (isComplete: boolean) => Promise<unknown>;
};

/**
 * Erases the matches in all bots, and then in bots that were created meanwhile, because the results of a copy are
 * visible only once the copy has ended. Returns false if one request cannot erase everything.
 */
async function eraseEverywhere(
  sql: Sql,
  { workspaceId, wanted, search: first, bots: listed, tally, deadline, save }: Erasing,
): Promise<boolean> {
  const searched = new Set<string>();
  for (let search = first, bots = listed; ; ) {
    const botIds = idsOf(bots).filter((id) => !searched.has(id));
    if (botIds.length === 0) return true;
    for (const id of botIds) searched.add(id);
    if (!(await eraseFound(sql, { workspaceId, search, botIds, tally, deadline, save }))) return false;
    const ms = Math.ceil(deadline - performance.now());
    const found = ms > 0 ? await listBotsAfterCopies(sql, { workspaceId, ms }) : undefined;
    if (!found) return false;
    bots = found;
    tally.addBots(bots);
    search = await searchPerson(sql, { botIds: idsOf(bots), wanted });
  }
}

async function eraseFound(
  sql: Sql,
  { workspaceId, search, botIds, tally, deadline, save }: Search & Pick<Erasing, "workspaceId" | "save">,
): Promise<boolean> {
  for await (const { botId, resultIds } of search.find(botIds, { isCounting: false })) {
    if (resultIds.length > 0) {
      const content = await countContent(sql, resultIds);
      // Exports are ended before the results are erased, because a request that is repeated after a crash would no
      // longer find the bot.
      if (!tally.botIds().includes(botId)) tally.addExports(await endExports(sql, { botIds: [botId] }));
      // Connections to messengers also store contacts. The contacts are erased first, because they are found through
      // their results.
      for (const contact of await findContactsOfResults(sql, { workspaceId, resultIds })) {
        await eraseContactEverywhere({ sql }, contact, { withResults: false, spared: resultIds });
      }
      await eraseNamedResults(sql, { botId, resultIds });
      tally.add(botId, resultIds, content);
      await save(false);
    }
    if (performance.now() > deadline) return false;
  }
  return true;
}

function idsOf(bots: readonly Bot[]): string[] {
  return bots.map(({ id }) => id);
}

/**
 * Returns the value in the form that is compared, the current time, and the search. Throws `request.invalid` for a
 * folded value without a visible character, and for a name that no variable of the workspace's bots has or had.
 */
async function readPerson(
  sql: Sql,
  {
    workspaceId,
    variable,
    value,
    match,
    bots,
  }: Omit<PersonToErase, "isDryRun"> & {
    readonly bots: readonly Bot[];
  },
): Promise<{ wanted: WantedValue; now: Date; search: PersonSearch }> {
  const isFolded = match === "folded";
  const { folded, now } = await foldValue(sql, value);
  if (isFolded && folded === "") throw invalidInput([{ path: "value", message: "must have a visible character" }]);
  const wanted = { name: variable, value: isFolded ? folded : value, isPrefix: false, isFolded };
  const search = await searchPerson(sql, { botIds: idsOf(bots), wanted });
  const named = { workspaceId, name: variable };
  const isName =
    search.variables.length > 0 ||
    (await isNameOfIndexedResults(sql, named)) ||
    (await isNameOfUnreadResults(sql, named));
  if (!isName) {
    throw invalidInput([{ path: "variable", message: "is not the name of a variable of this workspace's bots" }]);
  }
  return { wanted, now, search };
}

/** Returns a workspace's receipts, newest first. Requires ADMIN. */
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
