import { noteChangedResults } from "../../../src/management/counts/counted-results.sql.ts";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { dueMessages } from "../../support/events.ts";
import { isOver, type StepModel } from "./model.ts";
import { plain, textsOf } from "./observe.ts";
import { hold, holdEqual, type Promised } from "./promises.ts";
import { ask, type Chat, manage, type ResultModel, type Run } from "./run.ts";
import { type ModelAnswer, type Variables, waitingBlock } from "./walk.ts";

type Look = (run: Run, result: ResultModel, stored: Readonly<Record<string, unknown>>) => Promise<void>;

/** Checks that must pass for every result at any time. */
export const invariants: readonly { readonly promised: Promised; readonly look: Look }[] = [
  { promised: "history", look: forEachChat(lookAtHistory) },
  { promised: "answered", look: lookAtAnswers },
  { promised: "result", look: lookAtResult },
  { promised: "transcript", look: lookAtTranscript },
  { promised: "listed", look: lookAtList },
  { promised: "exported", look: lookAtExport },
  { promised: "told", look: lookAtEvents },
  { promised: "open", look: forEachChat(lookAtTimers) },
  { promised: "logged", look: lookAtLog },
];

/** Checks every invariant for a result. */
export async function lookAt(run: Run, result: ResultModel): Promise<void> {
  const read = await manage(run, "get", pathOf(result));
  hold("result", read.status === 200, { status: read.status });
  const stored = Object(read.at("result"));
  for (const { look } of invariants) await look(run, result, stored);
}

function pathOf({ bot, resultId }: ResultModel): string {
  return `/bots/${bot.botId}/results/${resultId}`;
}

function forEachChat(look: (run: Run, chat: Chat) => Promise<void>): Look {
  return async (run, { chats }) => {
    for (const chat of chats) await look(run, chat);
  };
}

/** Returns the current answers of the chats of a result, in their order. */
function standing({ chats }: ResultModel): ModelAnswer[] {
  return chats.flatMap(({ model }) => model.state.answers);
}

function hasOwnAnswer({ model }: Chat): boolean {
  return model.acknowledged.some(({ isOwn }) => isOwn);
}

async function lookAtHistory(run: Run, { model, sessionId }: Chat): Promise<void> {
  const read = await ask(run, "get", `/sessions/${sessionId}`);
  const seen = read.list("session.steps").map((step, at) => ({
    revision: Object(step).revision,
    said: textsOf(read, `session.steps.${at}.messages`),
  }));
  const expected = model.steps.map(({ revision, said }) => ({ revision, said }));
  holdEqual("history", { flow: model.flow, expected, seen });
  holdEqual("history", {
    expected: [model.revision, isOver(model)],
    seen: [read.at("session.revision"), read.at("session.isEnded")],
  });
}

async function lookAtAnswers(_: Run, result: ResultModel, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const seen = listOf(stored["answers"]).map(({ content, blockId }) => ({ content, blockId }));
  holdEqual("answered", { flow: result.bot.flow, expected: standing(result), seen });
}

async function lookAtResult(_: Run, result: ResultModel, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const variables = Object.fromEntries(
    listOf(stored["variables"]).map(({ name, value }) => [name, plain(String(value))]),
  );
  const chats = result.chats.length;
  holdEqual("result", {
    flow: result.bot.flow,
    chats,
    note: "variables",
    expected: withoutEmpty(result.variables),
    seen: variables,
  });
  const isStarted = result.chats.some(hasOwnAnswer);
  const isCompleted = result.chats.some(({ model }) => isOver(model)) && standing(result).length > 0;
  const expected = { hasStarted: isStarted, isCompleted };
  holdEqual("result", {
    flow: result.bot.flow,
    expected,
    seen: { hasStarted: stored["hasStarted"], isCompleted: stored["isCompleted"] },
  });
  const ratings = result.chats.flatMap(({ ratings }) => [...ratings.values()]);
  holdEqual("result", {
    note: "ratings",
    expected: sorted(ratings.map(({ isGood }) => isGood)),
    seen: sorted(listOf(stored["ratings"]).map(({ isGood }) => isGood)),
  });
  const paid = listOf(stored["payments"] ?? []).filter(({ status }) => status === "succeeded");
  holdEqual("result", { expected: paid.length > 0, seen: stored["isPaid"], note: "isPaid" });
  const counted = result.chats.flatMap(({ model }) => model.steps.filter(({ took }) => took?.wasPaid));
  hold("answered", paid.length >= counted.length, { paid, counted });
}

async function lookAtTranscript(run: Run, result: ResultModel): Promise<void> {
  const read = await manage(run, "get", `${pathOf(result)}/transcript`);
  const seen = listOf(read.at("transcript")).map(({ role, text }) => `${role}: ${plain(String(text))}`);
  const expected = result.chats.flatMap(({ model }) => model.steps.flatMap(linesOf));
  holdEqual("transcript", { flow: result.bot.flow, expected, seen: seen.map(inOneSentence) });
}

const paid = "user: Paid ";

/** Removes the amount, which is formatted for the chat's country. */
function inOneSentence(line: string): string {
  return line.startsWith(paid) ? paid : line;
}

function linesOf({ cause, reply, said }: StepModel): string[] {
  const visitor = cause === "paid" ? [paid] : reply === null ? [] : [`user: ${reply}`];
  return [...visitor, ...said.map((text) => `bot: ${text}`)];
}

async function lookAtList(run: Run, result: ResultModel, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const listed = await manage(run, "get", `/bots/${result.bot.botId}/results?limit=100`);
  const { payments: _, ...expected } = stored;
  const seen = listed.list("results").find((each) => Object(each).id === result.resultId);
  holdEqual("listed", { expected, seen });
}

async function lookAtExport(
  run: Run,
  { bot, resultId }: ResultModel,
  stored: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = `http://localhost/api/v1/bots/${bot.botId}/results/export?format=ndjson`;
  const response = await run.world.handle(new Request(path, { headers: { Authorization: `Bearer ${run.token}` } }));
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  const seen = lines.map((line) => Object(JSON.parse(line))).find(({ id }) => id === resultId);
  const parts = ["answers", "variables", "hasStarted", "isCompleted", "isPaid", "ratings"];
  const of = (whole: Readonly<Record<string, unknown>>) => parts.map((part) => [part, whole[part]]);
  holdEqual("exported", { expected: of(stored), seen: of(Object(seen)) });
}

async function lookAtEvents(run: Run, result: ResultModel, stored: Readonly<Record<string, unknown>>): Promise<void> {
  const messages = await dueMessages(run.world.api.deps.sql, run.endpointId);
  const own = messages.filter(({ resultId }) => resultId === result.resultId);
  const contents = own.filter(({ type }) => type === "result.answered").map(({ content }) => Object(content).content);
  const expected = result.chats.flatMap(({ model }) => model.acknowledged).filter(({ isOwn }) => isOwn);
  holdEqual("told", {
    flow: result.bot.flow,
    expected: sorted(expected.map(({ content }) => content)),
    seen: sorted(contents),
  });
  const ends = own.filter(({ type }) => type === "result.completed").length;
  holdEqual("told", {
    note: "result.completed",
    expected: result.chats.some(({ model }) => model.hasCompleted) ? 1 : 0,
    seen: ends,
  });
  const paid = listOf(stored["payments"] ?? []).filter(({ status }) => status === "succeeded");
  holdEqual("told", {
    note: "payment.succeeded",
    expected: paid.length,
    seen: own.filter(({ type }) => type === "payment.succeeded").length,
  });
}

async function lookAtTimers(run: Run, { model, sessionId }: Chat): Promise<void> {
  const rows = await run.world.api.deps.sql<{ kind: string }[]>`
    select kind from due_steps where session_id = ${sessionId} and kind in ('timeout', 'wait')`;
  const isTimed = !isOver(model) && model.visit?.seconds !== undefined;
  holdEqual("open", {
    flow: model.flow,
    waits: waitingBlock(model.state),
    expected: isTimed ? 1 : 0,
    seen: rows.length,
  });
}

/** Log entries that may occur in addition to the required entries. */
const possible = [
  "A payment was made after the chat had continued without it",
  "A call was dropped: the chat did not reach the block that waits for it within 60 seconds",
];

async function lookAtLog(run: Run, result: ResultModel): Promise<void> {
  const read = await manage(run, "get", `${pathOf(result)}/logs`);
  const entries = listOf(read.at("logs")).filter(({ status }) => status !== "success");
  const seen = entries.map(({ description }) => String(description));
  const expected = result.chats.flatMap(({ model }) => model.log);
  const more = without(seen, expected);
  holdEqual("logged", { flow: result.bot.flow, note: "missing", expected: [], seen: without(expected, seen) });
  const mayBe = [...possible, ...result.chats.flatMap(({ model }) => model.mayLog)];
  holdEqual("logged", {
    flow: result.bot.flow,
    note: "unexpected",
    expected: [],
    seen: more.filter((entry) => !mayBe.includes(entry)),
  });
}

/** Removes one equal element from the first list for each element of the second. */
function without(all: readonly string[], taken: readonly string[]): string[] {
  const left = [...all];
  for (const one of taken) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/**
 * Checks every invariant for all results of a run that are not erased, and compares each bot's insight with its
 * results.
 */
export async function lookAtAll(run: Run): Promise<void> {
  const own = run.results.filter(({ isErased }) => !isErased);
  for (const result of own) await lookAt(run, result);
  await count(run, own);
  for (const bot of new Set(own.map((result) => result.bot))) {
    const ofBot = own.filter((result) => result.bot === bot);
    const read = await manage(run, "get", `/bots/${bot.botId}/insight?timeFilter=allTime`);
    const starts = ofBot.filter(({ chats }) => chats.some(hasOwnAnswer)).length;
    const seen = [read.at("insight.views"), read.at("insight.starts")];
    holdEqual("counted", { flow: bot.flow, expected: [ofBot.length, starts], seen });
  }
}

/** Makes the results due for counting, and runs the counting job until none of them is left. */
async function count({ world }: Run, results: readonly ResultModel[]): Promise<void> {
  const { sql } = world.api.deps;
  await noteChangedResults(
    sql,
    results.map(({ resultId }) => resultId),
  );
  const job = insight(sql);
  while ((await job.removeSome()) > 0);
  await sql`update insight_results set next_at = clock() where next_at is not null`;
  while ((await job.removeSome()) > 0);
}

function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""));
}

function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((entry) => Object(entry)) : [];
}

function sorted(list: readonly unknown[]): unknown[] {
  return list.toSorted((a, b) => String(a).localeCompare(String(b)));
}
