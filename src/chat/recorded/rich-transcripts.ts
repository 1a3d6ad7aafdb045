import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { skippedTypeIn } from "../../core/interpreter/step/skipped-blocks.ts";
import { limits } from "../../limits/index.ts";
import { fileNameIn, originalNamesOf } from "../../management/files/file-addresses.ts";
import { listAnswersOfOtherSessions, listLogs } from "../../management/results/results.sql.ts";
import { paidBySteps, withPaidText } from "../reads/paid-steps.ts";
import { listSessionsOfResult } from "../reads/sessions.sql.ts";
import { listStandingSteps } from "../reads/steps.sql.ts";
import { spoken } from "../sessions.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** A block that chats pass over, since no Parley of this kind serves its type. */
export type SkippedBlock = { readonly blockId: string; readonly type: string };

/**
 * The chats of a result as their pages showed them: each with its steps in the form of a session's history, and with
 * what a page leaves out: blocks that were passed over, and files that are no longer stored. A chat whose steps are no
 * longer kept has its answers alone.
 */
export async function readRichChats(deps: ChatDependencies, resultId: string) {
  const { sql } = deps;
  const sessionIds = await listSessionsOfResult(sql, resultId, limits.session.perResult);
  const [answers, logs] = await Promise.all([
    listAnswersOfOtherSessions(sql, { resultId, sessionIds }),
    listLogs(sql, resultId),
  ]);
  const skipped = logs.flatMap(({ createdAt, description, details }) => {
    const type = skippedTypeIn(description);
    return type === undefined ? [] : [{ createdAt, block: { blockId: details ?? "", type } }];
  });
  const chats: RichChat[] = [];
  for (const [sessionId, said] of Map.groupBy(answers, (answer) => answer.sessionId)) {
    const words: RichAnswer[] = [];
    for (const answer of said)
      words.push({ createdAt: answer.createdAt.toISOString(), text: await withPaidText(sql, answer) });
    chats.push({ sessionId, isComplete: false, bot: null, steps: [], answers: words });
  }
  for (const sessionId of sessionIds) chats.push(await readChat(deps, { sessionId, resultId }, skipped));
  // Session ids of a result are in ascending order of time.
  return chats.sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
}

type RichAnswer = { readonly createdAt: string; readonly text: string };
type RichStep = ReturnType<typeof spoken> & {
  readonly skippedBlocks?: readonly SkippedBlock[];
  readonly removedFileUrls?: readonly string[];
};
type RichChat = {
  readonly sessionId: string;
  readonly isComplete: boolean;
  /** Name, theme and settings, as the chat began with them. */
  readonly bot: object | null;
  readonly steps: readonly RichStep[];
  readonly answers: readonly RichAnswer[];
};
type Skipped = { readonly createdAt: Date; readonly block: SkippedBlock };

async function readChat(
  { sql }: ChatDependencies,
  { sessionId, resultId }: { readonly sessionId: string; readonly resultId: string },
  skipped: readonly Skipped[],
): Promise<RichChat> {
  const standing = (await listStandingSteps(sql, sessionId, limits.session.transcriptSteps)).reverse();
  const replies = standing.map(({ reply }) => reply);
  const [paid, filesIn] = await Promise.all([
    paidBySteps(sql, sessionId, standing),
    originalNamesOf(sql, replies, { id: sessionId, resultId }),
  ]);
  const first = standing[0]?.response;
  const bot = valueAt(first, "bot") ?? valueAt(first, "typebot");
  const steps = standing.map((step, index): RichStep => {
    const files = filesIn(step.reply);
    const stored = new Set(files.map(({ url }) => url));
    const removed = fileAddressesIn(step.reply).filter((address) => !stored.has(address));
    const until = standing[index + 1]?.createdAt.getTime() ?? Number.POSITIVE_INFINITY;
    // An entry is written with its step: no earlier, and before the next one.
    const blocks = skipped
      .filter(({ createdAt }) => {
        const time = createdAt.getTime() + clockSlackMs;
        return time >= step.createdAt.getTime() && time < until;
      })
      .map(({ block }) => block);
    return {
      ...spoken(step, { paid: paid.get(step.revision), files }),
      ...(blocks.length > 0 && { skippedBlocks: blocks }),
      ...(removed.length > 0 && { removedFileUrls: removed }),
    };
  });
  return {
    sessionId,
    isComplete: standing.length > 0 && standing.length < limits.session.transcriptSteps,
    bot: isJsonObject(bot) ? bot : null,
    steps,
    answers: [],
  };
}

/** Both times are of one statement, rounded to milliseconds. */
const clockSlackMs = 2;

/** The addresses in a reply that have the form of our files'. */
function fileAddressesIn(reply: unknown): readonly string[] {
  const attached = valueAt(reply, "attachedFileUrls");
  const named = [
    ...(textAt(reply, "text") ?? "").split(", "),
    textAt(reply, "url"),
    ...(Array.isArray(attached) ? attached : []),
  ];
  return [...new Set(named.filter((one) => typeof one === "string").filter((one) => fileNameIn(one) !== undefined))];
}
