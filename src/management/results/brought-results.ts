import { createHmac } from "node:crypto";
import type { StoredFlow } from "../../core/flow/document.ts";
import { textAt } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { readClock } from "../../platform/database/clock.sql.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { derivedId } from "../../platform/ids.ts";
import { type Caller, requireBot } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { findInstanceKey, insertInstanceKey } from "../access/instance.sql.ts";
import { findBot } from "../bots/bots.sql.ts";
import { type BroughtAnswer, type BroughtResult, insertBroughtResults } from "./brought-results.sql.ts";
import type { SavedVariable } from "./results.sql.ts";

/** A result in the format of another service. The bot's draft supplies facts that its answers lack. */
export type ResultFromElsewhere = {
  readonly id: string;
  readonly createdAt: string;
  readonly variables?: readonly SavedVariable[];
  readonly hasStarted?: boolean | null;
  readonly isCompleted?: boolean;
  readonly answers?: readonly {
    readonly createdAt?: string;
    readonly blockId: string;
    readonly groupId?: string | null;
    readonly variableId?: string | null;
    readonly content: string;
    readonly attachedFileUrls?: readonly string[] | null;
  }[];
};

/**
 * Adds results of another service to a bot. Each gets an id here that follows from where it comes from, and from a secret of this instance, since ids of results are
 * secrets: sent again, it is the same result, and is left as it is.
 */
export async function bringResults(
  deps: ManagementDependencies,
  caller: Caller,
  botId: string,
  { source, results }: { source: string; results: readonly ResultFromElsewhere[] },
): Promise<{ added: number; known: number }> {
  await requireBot(deps, caller, botId, "write");
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  await requirePast(deps, results);
  const key = await sharedKey(deps);
  const places = placesIn(bot);
  const brought = new Map<string, BroughtResult>();
  for (const result of results) {
    const at = new Date(result.createdAt);
    const secret = createHmac("sha256", key)
      .update(JSON.stringify([botId, source, result.id]))
      .digest();
    const id = derivedId(at, secret);
    brought.set(id, asOurs(result, { id, places }));
  }
  const distinct = [...brought.values()];
  const added = await insertBroughtResults(deps.sql, { botId, results: distinct });
  return { added, known: results.length - added };
}

type Place = { readonly groupId: string; readonly variableId: string | undefined };

function placesIn({ groups }: Pick<StoredFlow, "groups">): Map<string, Place> {
  return new Map(
    groups.flatMap(({ id: groupId, blocks }) =>
      (blocks ?? []).map(
        (block) => [block.id, { groupId, variableId: textAt(block, "options", "variableId") }] as const,
      ),
    ),
  );
}

function asOurs(
  { createdAt, variables = [], hasStarted, isCompleted = false, answers = [] }: ResultFromElsewhere,
  { id, places }: { id: string; places: ReadonlyMap<string, Place> },
): BroughtResult {
  const at = new Date(createdAt);
  return {
    id,
    createdAt: at,
    variables: variables.map(({ id: variableId, name, value }) => ({ id: variableId, name, value })),
    hasStarted: hasStarted ?? answers.length > 0,
    isCompleted,
    answers: answers.map((answer): BroughtAnswer => {
      const place = places.get(answer.blockId);
      return {
        createdAt: answer.createdAt === undefined ? at : new Date(answer.createdAt),
        blockId: answer.blockId,
        groupId: answer.groupId ?? place?.groupId ?? "",
        variableId: answer.variableId ?? place?.variableId ?? null,
        content: answer.content,
        attachedFileUrls: answer.attachedFileUrls ?? [],
      };
    }),
  };
}

/** A result from the future would be sorted before all others for ever. */
async function requirePast({ sql }: ManagementDependencies, results: readonly ResultFromElsewhere[]): Promise<void> {
  const now = await readClock(sql);
  const latest = now.getTime() + limits.broughtResults.clockSkewHours * 3_600_000;
  const index = results.findIndex(({ createdAt }) => new Date(createdAt).getTime() > latest);
  if (index !== -1) throw invalidInput([{ path: `results[${index}].createdAt`, message: "must not be in the future" }]);
}

const keyName = "brought-results";

/** The same on all nodes, and in their backups. It is created when the first results are imported. */
async function sharedKey({ sql }: ManagementDependencies): Promise<Uint8Array> {
  const known = await findInstanceKey(sql, keyName);
  if (known) return known;
  await insertInstanceKey(sql, { name: keyName, candidate: crypto.getRandomValues(new Uint8Array(32)) });
  const key = await findInstanceKey(sql, keyName);
  if (!key) throw new Error("The key of brought results is gone");
  return key;
}
