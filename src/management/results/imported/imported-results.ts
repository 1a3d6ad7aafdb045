import type { StoredFlow } from "../../../core/flow/document.ts";
import { textAt } from "../../../core/interpreter/flow.ts";
import { type WrittenFields, writtenColumns } from "../../../core/results/result-fields.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { readClock } from "../../../platform/database/clock.sql.ts";
import { invalidInput } from "../../../platform/http/requests/invalid-input.ts";
import { type Caller, requireBot } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findBot } from "../../bots/bots.sql.ts";
import type { FileDependencies } from "../../files/dependencies.ts";
import { countOutdatedOf, type Outdated } from "../result-retention.sql.ts";
import type { SavedVariable } from "../results.sql.ts";
import { type ImportedAddresses, readAddresses } from "./imported-addresses.ts";
import { type ImportedIds, importedIds } from "./imported-ids.ts";
import {
  countImportedResults,
  type ImportedAnswer,
  type ImportedRating,
  type ImportedResult,
  insertImportedResults,
  type StoredCounts,
} from "./imported-results.sql.ts";

/**
 * A result in the format of another service. The bot's draft supplies the groups and variables that the answers lack.
 */
export type ResultFromElsewhere = WrittenFields & {
  readonly id: string;
  readonly createdAt: string;
  readonly variables?: readonly SavedVariable[];
  readonly hasStarted?: boolean | null;
  readonly isCompleted?: boolean;
  readonly publicationNumber?: number | null;
  readonly answers?: readonly {
    readonly createdAt?: string;
    readonly blockId: string;
    readonly groupId?: string | null;
    readonly variableId?: string | null;
    readonly content: string;
    readonly attachedFileUrls?: readonly string[] | null;
  }[];
  readonly ratings?: readonly {
    readonly sessionId: string;
    readonly revision: number;
    readonly blockId: string;
    readonly isGood: boolean;
    readonly words?: string | null;
    readonly ratedAt?: string;
  }[];
};

export type ImportedBatch = {
  readonly source: string;
  readonly results: readonly ResultFromElsewhere[];
  /** Whether existing results are updated with the parts that have changed at the source. */
  readonly update?: boolean;
};

/**
 * Adds results from another service to a bot. A result that is sent again is recognized, and does not change unless
 * `update` is set. `stored` counts the sent results that exist on this instance afterwards.
 */
export async function bringResults(
  deps: FileDependencies,
  caller: Caller,
  botId: string,
  { source, results, update = false }: ImportedBatch,
): Promise<{ added: number; changed: number; known: number; stored: StoredCounts; outdated: Outdated }> {
  await requireBot(deps, caller, botId, "write", { evenArchived: true });
  const bot = await findBot(deps.sql, botId);
  if (!bot) throw new AppError("bot.not_found");
  await requirePast(deps, results);
  const ids = await importedIds(deps, { botId, source });
  const places = placesIn(bot);
  const addressesOf = await readAddresses(deps, ids, results);
  const brought = new Map<string, ImportedResult>();
  for (const [index, result] of results.entries()) {
    const id = ids.ofResult(result);
    brought.set(id, asOurs(result, { id, index, places, ids, addresses: addressesOf(result) }));
  }
  const distinct = [...brought.values()];
  const { added, changed } = await insertImportedResults(deps.sql, { botId, results: distinct, isUpdating: update });
  const resultIds = [...brought.keys()];
  const stored = await countImportedResults(deps.sql, resultIds);
  const outdated = await countOutdatedOf(deps.sql, { botId, resultIds });
  return { added, changed, known: results.length - added, stored, outdated };
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

type Means = {
  readonly id: string;
  /** The position of the result in the request. */
  readonly index: number;
  readonly places: ReadonlyMap<string, Place>;
  readonly ids: ImportedIds;
  readonly addresses: ImportedAddresses;
};

function asOurs(result: ResultFromElsewhere, { id, index, places, ids, addresses }: Means): ImportedResult {
  const { createdAt, variables = [], hasStarted, isCompleted = false, publicationNumber = null, answers = [] } = result;
  const at = new Date(createdAt);
  const written = writtenColumns(result);
  const issues = written.flatMap((column) => column.issues);
  if (issues.length > 0) {
    throw invalidInput(issues.map(({ path, message }) => ({ path: `results[${index}].${path}`, message })));
  }
  return {
    id,
    createdAt: at,
    variables: variables.map(({ id: variableId, name, value }) => ({
      id: variableId,
      name,
      value: addresses.inValue(value),
    })),
    hasStarted: hasStarted ?? answers.length > 0,
    isCompleted,
    publicationNumber,
    written,
    ratings: ratingsOf(result, ids),
    answers: answers.map((answer): ImportedAnswer => {
      const place = places.get(answer.blockId);
      return {
        createdAt: answer.createdAt === undefined ? at : new Date(answer.createdAt),
        blockId: answer.blockId,
        groupId: answer.groupId ?? place?.groupId ?? "",
        variableId: answer.variableId ?? place?.variableId ?? null,
        content: addresses.inText(answer.content),
        attachedFileUrls: (answer.attachedFileUrls ?? []).map(addresses.inText),
      };
    }),
  };
}

/** Returns the last rating of each bubble; undefined if the source returns no ratings. */
function ratingsOf(result: ResultFromElsewhere, ids: ImportedIds): readonly ImportedRating[] | undefined {
  const { ratings, createdAt } = result;
  const last = ratings?.map((rating): readonly [string, ImportedRating] => {
    const { sessionId, revision, blockId, isGood, words = null, ratedAt = createdAt } = rating;
    const bubble = { sessionId: ids.ofSession(result, sessionId), revision, blockId };
    return [JSON.stringify(bubble), { ...bubble, isGood, words, ratedAt: new Date(ratedAt) }];
  });
  return last && [...new Map(last).values()];
}

/** Rejects results with a time in the future, which would always be sorted before all others. */
async function requirePast({ sql }: ManagementDependencies, results: readonly ResultFromElsewhere[]): Promise<void> {
  const now = await readClock(sql);
  const latest = now.getTime() + limits.importedResults.clockSkewHours * 3_600_000;
  const index = results.findIndex(({ createdAt }) => new Date(createdAt).getTime() > latest);
  if (index !== -1) throw invalidInput([{ path: `results[${index}].createdAt`, message: "must not be in the future" }]);
}
