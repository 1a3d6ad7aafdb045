import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { Position } from "../../platform/database/owned-rows.sql.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { BotDependencies } from "../bots/drafts/dependencies.ts";
import { eraseNamedResults } from "../erasure/bin-erasure.ts";
import { endExports } from "../results/exports/result-exports.sql.ts";
import type { WantedValue } from "../results/result-search.sql.ts";
import {
  countContent,
  type ErasedOfBot,
  isVariableKnown,
  listAllBots,
  listIndexedResults,
  listUnreadResults,
  type PersonErasureRow,
  personErasureRows,
  savePersonErasure,
} from "./person-erasures.sql.ts";

const saltBytes = 16;

/**
 * Erases all results of a workspace's bots whose variable has exactly this value, at once and for good: answers, chats, files, what was to be
 * sent, and exports that may have them; also of bots and results in the bin. The receipt is kept and grows batch by batch, so that a process that dies
 * leaves what it did. `isComplete` is false where there was more than one request may do. For ADMINs.
 */
export async function erasePerson(
  deps: BotDependencies,
  caller: Caller,
  { workspaceId, variable, value }: { workspaceId: string; variable: string; value: string },
): Promise<PersonErasureRow> {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const { sql } = deps;
  const wanted = { name: variable, value, isPrefix: false };
  if (!(await isVariableKnown(sql, { workspaceId, wanted }))) {
    throw invalidInput([{ path: "variable", message: "is the name of no variable of this workspace's bots" }]);
  }
  const salt = randomBytes(saltBytes);
  const receipt = {
    id: newId(),
    workspaceId,
    userId: caller.userId,
    variable,
    salt: salt.toString("hex"),
    valueHash: createHash("sha256").update(salt).update(value).digest("hex"),
  };
  const bots = await listAllBots(sql, workspaceId);
  const tally = createTally(bots);
  const deadline = performance.now() + limits.erasure.requestMs;
  const erase = async (botId: string, resultIds: readonly string[]): Promise<void> => {
    const content = await countContent(sql, resultIds);
    await eraseNamedResults(sql, { botId, resultIds });
    tally.add(botId, resultIds, content);
    await savePersonErasure(sql, { ...receipt, isComplete: false, bots: tally.list() });
  };
  await savePersonErasure(sql, { ...receipt, isComplete: false, bots: [] });
  let isComplete = true;
  for (const { id: botId } of bots) {
    isComplete &&= await eraseIndexed({ deps, botId, wanted, erase, deadline });
  }
  isComplete &&= await eraseUnread({ deps, botIds: bots.map(({ id }) => id), wanted, erase, deadline });
  const erased = tally.list();
  await endExports(sql, { botIds: erased.map(({ botId }) => botId) });
  return await savePersonErasure(sql, { ...receipt, isComplete, bots: erased });
}

/** A workspace's receipts, newest first. For ADMINs. */
export async function listReceipts(deps: BotDependencies, caller: Caller, workspaceId: string, request: PageRequest) {
  await requireWorkspace(deps, caller, workspaceId, "administer");
  const page = readPage("person-erasures", request, [workspaceId]);
  const found = await personErasureRows.list(deps.sql, {
    ownerId: workspaceId,
    after: page.after,
    limit: page.size + 1,
  });
  const { rows: personErasures, ...rest } = cutPage({ rows: found, page });
  return { personErasures, ...rest };
}

type Search = {
  readonly deps: BotDependencies;
  readonly wanted: WantedValue;
  readonly erase: (botId: string, resultIds: readonly string[]) => Promise<void>;
  readonly deadline: number;
};

/** False when the time was over before the end. */
async function eraseIndexed({ deps, botId, wanted, erase, deadline }: Search & { botId: string }): Promise<boolean> {
  const limit = limits.erasure.batch;
  for (let after: Position | undefined; ; ) {
    if (performance.now() > deadline) return false;
    const found = await listIndexedResults(deps.sql, { botId, wanted, after, limit });
    const meant = found.filter(({ isMeant }) => isMeant).map(({ id }) => id);
    if (meant.length > 0) await erase(botId, meant);
    after = found.at(-1);
    if (found.length < limit) return true;
  }
}

async function eraseUnread({
  deps,
  botIds,
  wanted,
  erase,
  deadline,
}: Search & { botIds: readonly string[] }): Promise<boolean> {
  const limit = limits.erasure.batch;
  for (;;) {
    if (performance.now() > deadline) return false;
    const found = await listUnreadResults(deps.sql, { botIds, wanted, limit });
    for (const [botId, results] of Map.groupBy(found, (result) => result.botId)) {
      await erase(
        botId,
        results.map(({ id }) => id),
      );
    }
    if (found.length < limit) return true;
  }
}

/** Adds up what is erased, bot by bot. */
function createTally(bots: readonly { readonly id: string; readonly name: string }[]) {
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const erased = new Map<string, ErasedOfBot>();
  let listed = 0;
  return {
    add(
      botId: string,
      resultIds: readonly string[],
      content: Pick<ErasedOfBot, "answers" | "sessions" | "files">,
    ): void {
      const none = {
        botId,
        name: names.get(botId) ?? "",
        results: 0,
        answers: 0,
        sessions: 0,
        files: 0,
        resultHashes: [],
      };
      const before = erased.get(botId) ?? none;
      const hashes = resultIds
        .slice(0, limits.personErasure.resultHashes - listed)
        .map((id) => createHash("sha256").update(id).digest("hex"));
      listed += hashes.length;
      erased.set(botId, {
        ...before,
        results: before.results + resultIds.length,
        answers: before.answers + content.answers,
        sessions: before.sessions + content.sessions,
        files: before.files + content.files,
        resultHashes: [...before.resultHashes, ...hashes],
      });
    },
    list: () => [...erased.values()],
  };
}
