import { isJsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { skippedTypeIn } from "../../core/interpreter/step/skipped-blocks.ts";
import { limits } from "../../limits/index.ts";
import { fileIdIn, fileNameIn, originalNamesOf } from "../../management/files/file-addresses.ts";
import { listAnswersOfOtherSessions, listLogs, type SpokenAnswer } from "../../management/results/results.sql.ts";
import { shardOf } from "../../platform/ids.ts";
import { paidBySteps, withPaidText } from "../reads/paid-steps.ts";
import { listSessionsOfResult } from "../reads/sessions.sql.ts";
import { hasStart, listStandingSteps, listStepsAfter } from "../reads/steps.sql.ts";
import { spoken } from "../sessions.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** A block that chats skip, because Parley does not support its type. */
export type SkippedBlock = { readonly blockId: string; readonly type: string };

/**
 * Returns the chats of a result as their pages showed them, with steps in the form of a session's history. Also
 * includes skipped blocks and files that are no longer stored, which a page does not show. A chat whose steps are no
 * longer stored has only its answers.
 */
export async function readRichChats(deps: ChatDependencies, resultId: string) {
  const { sql } = deps;
  const sessionIds = await listSessionsOfResult(sql, resultId, limits.session.perResult);
  const [answers, logs] = await Promise.all([
    listAnswersOfOtherSessions(sql, { resultId, sessionIds }),
    listLogs(sql, resultId),
  ]);
  const chats: RichChat[] = [];
  for (const [sessionId, said] of Map.groupBy(answers, (answer) => answer.sessionId))
    chats.push(await chatOfAnswers(sql, { sessionId, resultId }, said));
  const skipped = skippedIn(logs);
  for (const sessionId of sessionIds) chats.push(await readChat(deps, { sessionId, resultId }, skipped));
  // Session ids of the same result sort by time.
  return chats.sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1));
}

type NamedFile = { readonly url: string; readonly name: string };
type RichAnswer = {
  readonly createdAt: string;
  readonly text: string;
  readonly attachedFileUrls: readonly string[];
  readonly files?: readonly NamedFile[];
  readonly removedFileUrls?: readonly string[];
};
type RichStep = ReturnType<typeof spoken> & {
  readonly skippedBlocks?: readonly SkippedBlock[];
  readonly removedFileUrls?: readonly string[];
};
type RichChat = {
  readonly sessionId: string;
  readonly isComplete: boolean;
  /** The bot's name, theme and settings when the chat started. */
  readonly bot: object | null;
  readonly steps: readonly RichStep[];
  readonly answers: readonly RichAnswer[];
};
/** The blocks that the chats of a result skipped, by the time of the step. */
type Skipped = ReadonlyMap<number, readonly SkippedBlock[]>;

/**
 * Returns the blocks that the log names as skipped. A step and its log entries are written by the same statement, so
 * they have the same time.
 */
function skippedIn(logs: readonly { createdAt: Date; description: string; details: string | null }[]): Skipped {
  const found = logs.flatMap(({ createdAt, description, details }) => {
    const type = skippedTypeIn(description);
    return type === undefined ? [] : [{ time: createdAt.getTime(), block: { blockId: details ?? "", type } }];
  });
  const byTime = Map.groupBy(found, ({ time }) => time);
  return new Map([...byTime].map(([time, entries]) => [time, entries.map(({ block }) => block)]));
}

type Place = { readonly sessionId: string; readonly resultId: string };

/** Returns a chat whose steps are no longer stored. */
async function chatOfAnswers(
  sql: ChatDependencies["sql"],
  { sessionId, resultId }: Place,
  said: readonly SpokenAnswer[],
): Promise<RichChat> {
  const named = said.map(({ content: text, attachedFileUrls }) => addressesOf({ text, attachedFileUrls }));
  const filesIn = await originalNamesOf(sql, named, { id: sessionId, resultId });
  const answers: RichAnswer[] = [];
  for (const [index, answer] of said.entries()) {
    answers.push({
      createdAt: answer.createdAt.toISOString(),
      text: await withPaidText(sql, answer),
      attachedFileUrls: answer.attachedFileUrls,
      ...storedAndRemoved(named[index], resultId, filesIn),
    });
  }
  return { sessionId, isComplete: false, bot: null, steps: [], answers };
}

async function readChat(
  { sql }: ChatDependencies,
  { sessionId, resultId }: Place,
  skipped: Skipped,
): Promise<RichChat> {
  const standing = (await listStandingSteps(sql, sessionId, limits.session.transcriptSteps)).reverse();
  const named = standing.map(({ reply }) => addressesOf(reply));
  const isComplete = hasStart(standing);
  const [paid, filesIn, [first]] = await Promise.all([
    paidBySteps(sql, sessionId, standing),
    originalNamesOf(sql, named, { id: sessionId, resultId }),
    // In a very long chat, the first step must be read separately, because it is not among the last steps.
    isComplete ? standing : listStepsAfter(sql, sessionId, { revision: 0, limit: 1 }),
  ]);
  const bot = valueAt(first?.response, "bot") ?? valueAt(first?.response, "typebot");
  const steps = standing.map((step, index): RichStep => {
    const { files = [], ...removed } = storedAndRemoved(named[index], resultId, filesIn);
    const blocks = skipped.get(step.createdAt.getTime()) ?? [];
    return {
      ...spoken(step, { paid: paid.get(step.revision), files }),
      ...(blocks.length > 0 && { skippedBlocks: blocks }),
      ...removed,
    };
  });
  return { sessionId, isComplete, bot: isJsonObject(bot) ? bot : null, steps, answers: [] };
}

type Named = ReturnType<typeof addressesOf>;

/** Returns the stored files of a reply with their names, and the URLs of files that are no longer stored. */
function storedAndRemoved(
  named: Named | undefined,
  resultId: string,
  filesIn: (reply: unknown) => NamedFile[],
): Pick<RichAnswer, "files" | "removedFileUrls"> {
  const files = filesIn(named);
  const stored = new Set(files.map(({ url }) => url));
  const removed = named?.attachedFileUrls.filter((url) => !stored.has(url) && isOfResult(url, resultId)) ?? [];
  return { ...(files.length > 0 && { files }), ...(removed.length > 0 && { removedFileUrls: removed }) };
}

/**
 * Whether a file belongs to the shard of this result. A copied or imported answer can refer to files of another result
 * or service.
 */
function isOfResult(url: string, resultId: string): boolean {
  const id = fileIdIn(fileNameIn(url) ?? "");
  return id !== undefined && shardOf(id) === shardOf(resultId);
}

/**
 * Returns the URLs in a reply that look like URLs of Parley's files. They come from the text, the attachments or a
 * recording.
 */
function addressesOf(reply: unknown) {
  const attached = valueAt(reply, "attachedFileUrls");
  const named = [
    ...(textAt(reply, "text") ?? "").split(", "),
    textAt(reply, "url"),
    ...(Array.isArray(attached) ? attached : []),
  ];
  const addresses = named.filter((one) => typeof one === "string").filter((one) => fileNameIn(one) !== undefined);
  return { attachedFileUrls: [...new Set(addresses)] };
}
