import { spokenIn } from "../../effects/transcript.ts";
import { limits } from "../../limits/index.ts";
import type { Caller } from "../../management/access/access.ts";
import { requireResult } from "../../management/access/access.ts";
import { listAnswersOfOtherSessions } from "../../management/results/results.sql.ts";
import { withPaidText, withPaidTexts } from "../reads/paid-steps.ts";
import { listSessionsOfResult } from "../reads/sessions.sql.ts";
import { hasStart, listStandingSteps } from "../reads/steps.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** A message of a bot or visitor. Pictures, videos and recordings are represented by their URLs. */
export type Utterance = {
  readonly createdAt: Date;
  readonly role: "bot" | "user";
  readonly type: string;
  readonly text: string;
  /** Why a model's answer is incomplete. */
  readonly unfinished?: string;
};

export type Transcript = {
  readonly transcript: readonly Utterance[];
  /**
   * False if messages of a chat are missing. A bot's messages are stored only while the chat may continue, and only the
   * last steps of a very long chat are read.
   */
  readonly isComplete: boolean;
};

/** Returns the messages of a result's chats in order. Excludes steps and answers that the visitor undid. */
export async function getTranscript(
  deps: ChatDependencies,
  caller: Caller,
  place: { botId: string; resultId: string },
): Promise<Transcript> {
  await requireResult(deps, caller, place);
  const { resultId } = place;
  const sessionIds = await listSessionsOfResult(deps.sql, resultId, limits.session.perResult);
  const answers = await listAnswersOfOtherSessions(deps.sql, { resultId, sessionIds });
  const chats = new Map<string, Utterance[]>();
  for (const [sessionId, said] of Map.groupBy(answers, (answer) => answer.sessionId)) {
    const words: Utterance[] = [];
    for (const answer of said) {
      const text = await withPaidText(deps.sql, answer);
      words.push({ createdAt: answer.createdAt, role: "user", type: "text", text });
    }
    chats.set(sessionId, words);
  }
  let isWhole = answers.length === 0;
  for (const sessionId of sessionIds) {
    const standing = await listStandingSteps(deps.sql, sessionId, limits.session.transcriptSteps);
    const steps = (await withPaidTexts(deps.sql, sessionId, standing)).reverse();
    if (!hasStart(steps)) isWhole = false;
    chats.set(
      sessionId,
      steps.flatMap((step, index) => utterancesOf(step, steps[index - 1])),
    );
  }
  // Session ids of the same result sort by time.
  const inOrder = [...chats].sort(([a], [b]) => (a < b ? -1 : 1));
  return { transcript: inOrder.flatMap(([, said]) => said), isComplete: isWhole };
}

/** Formats the transcript as text, with one entry per message and a note if the transcript is incomplete. */
export function transcriptText({ transcript, isComplete }: Transcript): string {
  const lines = transcript.map(({ createdAt, role, text, unfinished }) => {
    const who = role === "bot" ? "Bot" : "Visitor";
    const note = unfinished === undefined ? "" : `\n    (This answer is incomplete: ${unfinished}.)`;
    return `[${createdAt.toISOString()}] ${who}: ${text.replaceAll("\n", "\n    ")}${note}\n`;
  });
  const note = isComplete ? [] : ["(For some chats, only the answers are still stored.)\n"];
  return [...note, ...lines].join("");
}

type Step = Parameters<typeof spokenIn>[0];

function utterancesOf(step: Step, before: Step | undefined): Utterance[] {
  const { createdAt } = step;
  const { visitor, messages } = spokenIn(step, before);
  const reply: Utterance[] = visitor === null ? [] : [{ createdAt, role: "user", type: "text", text: visitor }];
  return [...reply, ...messages.map((message) => ({ createdAt, role: "bot" as const, ...message }))];
}
