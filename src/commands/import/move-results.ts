import { at, listAt, textAt } from "../../web/conversation/read.ts";
import { moveFilesOf } from "./move-files.ts";
import { type MovedBot, named, type Run } from "./run.ts";
import { RefusedRequest } from "./server.ts";
import { readResults } from "./source.ts";
import type { Counts } from "./state.ts";
import { type Added, addResults } from "./target.ts";

/** The maximum number of results in one request. */
const batch = 100;
const nothing: Counts = { results: 0, answers: 0, files: 0 };
const none: Added["outdated"] = { results: 0, days: 0 };

/**
 * Moves a bot's results page by page, newest first. After an interruption, the command continues from the page that is
 * stored in the state. Once all results are moved, a later run reads them all again, because chats may have continued
 * since.
 */
export async function moveResults(run: Run, bot: MovedBot): Promise<void> {
  const { source, state, report, names } = run;
  const known = state.results[bot.id];
  // In a state file of an earlier release, which has no `there`, the cursor belongs to another list.
  const before = known?.there && known;
  const isThrough = before?.cursor === null;
  let there = isThrough ? nothing : (before?.there ?? nothing);
  let here = isThrough ? nothing : (before?.here ?? nothing);
  let added = known?.added ?? 0;
  let outdated = none;
  let cursor = (isThrough ? undefined : before?.cursor) ?? undefined;
  for (;;) {
    const { results, next } = await readResults(source, bot.id, { cursor, limit: batch, names });
    const sent = await sendPage(run, bot, results);
    added += sent.added;
    there = sumOf(there, sent.there);
    here = sumOf(here, sent.here);
    outdated = { results: outdated.results + sent.outdated.results, days: sent.outdated.days };
    report.newResults += sent.added;
    report.changedResults += sent.changed;
    // A run that reads all results again stores its position only at the end. If it is interrupted, the next run starts
    // again at the first page.
    if (!isThrough || next === undefined) {
      state.results[bot.id] = { cursor: next ?? null, added, there, here };
      await run.save();
    }
    if (next === undefined) break;
    cursor = next;
  }
  if (added > 0) run.tell(`${named(bot.name)}: ${added} results`);
  if (outdated.results > 0) {
    run.tell(
      `${named(bot.name)}: ${outdated.results} of the results are older than the ${outdated.days} days for which the bot keeps them here, and are erased within the hour.`,
    );
  }
}

async function sendPage(run: Run, bot: MovedBot, results: readonly unknown[]): Promise<Added & { there: Counts }> {
  const answers = results.reduce<number>((sum, result) => sum + listAt(result, "answers").length, 0);
  const first = await sendResults(run, bot, results);
  const withFiles = run.isParley ? results.filter(namesFiles) : [];
  let files = 0;
  for (const result of withFiles) files += await moveFilesOf(run, bot, result);
  // Sends the results again: their files are now in the target, so the answers get the new addresses of the files.
  const last = files === 0 ? first : await sendResults(run, bot, results);
  return { ...first, here: last.here, there: { results: results.length, answers, files } };
}

function namesFiles(result: unknown): boolean {
  return listAt(result, "answers").some((answer) => listAt(answer, "storedFileUrls").length > 0);
}

/**
 * Sends results to the target. If the target rejects them, for example because of one invalid result, sends the results
 * one by one and reports each rejected result as a problem.
 */
async function sendResults(run: Run, bot: MovedBot, results: readonly unknown[]): Promise<Added> {
  const nobody = { added: 0, changed: 0, here: nothing, outdated: none };
  if (results.length === 0) return nobody;
  try {
    return await addResults(run.target, bot.own, { source: run.source.origin, results });
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const [result] = results;
    if (results.length === 1) {
      const problem = `${named(bot.name)}, result ${textAt(result, "id")}: ${error.message}`;
      if (!run.report.problems.includes(problem)) run.report.problems.push(problem);
      return nobody;
    }
    let sum: Added = nobody;
    for (const one of results) {
      const { added, changed, here, outdated } = await sendResults(run, bot, [one]);
      sum = {
        added: sum.added + added,
        changed: sum.changed + changed,
        here: sumOf(sum.here, here),
        outdated: { results: sum.outdated.results + outdated.results, days: outdated.days },
      };
    }
    return sum;
  }
}

function sumOf(one: Counts, other: Counts): Counts {
  return {
    results: one.results + other.results,
    answers: one.answers + other.answers,
    files: one.files + other.files,
  };
}

/** Returns the number of results at the source; undefined if the source does not count them exactly. */
export async function countResultsThere({ source }: Run, { id }: MovedBot): Promise<number | undefined> {
  const query = { timeFilter: "allTime", limit: "1", withTotals: "true" };
  const answer = await source.find(`/api/v1/bots/${encodeURIComponent(id)}/results`, query);
  const count = at(answer, "totals", "results");
  return at(answer, "totals", "isExact") === true && typeof count === "number" ? count : undefined;
}
