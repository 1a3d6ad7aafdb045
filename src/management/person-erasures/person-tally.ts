import { createHash } from "node:crypto";
import { limits } from "../../limits/index.ts";
import type { NamedExport } from "../results/exports/result-exports.sql.ts";
import type { ErasedOfBot } from "./person-erasures.sql.ts";

/** A spelling of a value, and the number of results that contain it. */
export type Spelling = { readonly value: string; readonly results: number };

type Bot = { readonly id: string; readonly name: string };

export type Tally = ReturnType<typeof createTally>;

/** Creates a tally of the matches for a person, by bot, with the exports and the spellings. */
export function createTally(listed: readonly Bot[]) {
  const names = new Map<string, string>();
  const addBots = (bots: readonly Bot[]): void => {
    for (const { id, name } of bots) names.set(id, name);
  };
  addBots(listed);
  const found = new Map<string, ErasedOfBot>();
  const exports = new Map<string, NamedExport>();
  const spellings = new Map<string, number>();
  let hashed = 0;
  let onlyInAnswers = 0;
  return {
    addBots,
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
      const before = found.get(botId) ?? none;
      const hashes = resultIds
        .slice(0, limits.personErasure.resultHashes - hashed)
        .map((id) => createHash("sha256").update(id).digest("hex"));
      hashed += hashes.length;
      found.set(botId, {
        ...before,
        results: before.results + resultIds.length,
        answers: before.answers + content.answers,
        sessions: before.sessions + content.sessions,
        files: before.files + content.files,
        resultHashes: [...before.resultHashes, ...hashes],
      });
    },
    addExports(more: readonly NamedExport[]): void {
      for (const each of more) exports.set(each.id, each);
    },
    addSpellings(more: readonly Spelling[]): void {
      for (const { value, results } of more) {
        if (spellings.has(value) || spellings.size < limits.personErasure.spellings) {
          spellings.set(value, (spellings.get(value) ?? 0) + results);
        }
      }
    },
    addFoundInAnswers(count: number): void {
      onlyInAnswers += count;
    },
    botIds: () => [...found.keys()],
    /** Returns the lists of the receipt. */
    found: () => ({
      bots: [...found.values()],
      exports: [...exports.values()].slice(0, limits.personErasure.exports),
    }),
    /**
     * Returns the additional fields of a dry run: the spellings, most frequent first, and the number of results that
     * were found only through answers.
     */
    preview: () => ({
      spellings: [...spellings]
        .map(([value, results]): Spelling => ({ value, results }))
        .toSorted((one, other) => other.results - one.results),
      onlyInAnswers,
    }),
  };
}
