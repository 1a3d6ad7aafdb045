import { type Static, Type } from "@sinclair/typebox";
import { Glob } from "bun";
import fc from "fast-check";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { contentHash } from "../../../../src/core/replay/inputs.ts";
import type { Conversation } from "../../../support/conversation.ts";
import { equalSteps, holdConversation, holdTalk, type StoredChat } from "../../../support/held-chats.ts";
import { talks } from "../../../support/talks.ts";
import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

const folder = `${import.meta.dir}/../../..`;
const chats = 10_000;
/** The number of visitors of the replayed chats, and of visitors during the replays. */
const concurrency = 32;
const visitors = 4;
const visitorsPerSecond = 200;

const Report = Type.Object({
  ...{ results: Type.Integer(), same: Type.Integer(), changed: Type.Integer(), diverging: Type.Integer() },
  isComplete: Type.Boolean(),
});

/**
 * Measures replays. First, many steps are replayed with their own flow: steps of the tests' conversations and of chats
 * with random flows, each with a different clock and seed. Then reports on 10,000 chats of a service are made, with and
 * without other visitors.
 */
export async function measureReplay(bench: Bench): Promise<void> {
  await countEqualSteps(bench.pace.rows);
  await measureReports(bench);
}

async function countEqualSteps(wanted: number): Promise<void> {
  const conversations = await readConversations();
  const counts = { chats: 0, steps: 0, equal: 0 };
  const count = (stored: StoredChat): void => {
    counts.chats++;
    counts.steps += stored.steps.length;
    counts.equal += equalSteps(stored);
  };
  const begunAt = performance.now();
  for (let round = 0; counts.steps < wanted; round++) {
    for (const [flow, conversation] of conversations) {
      const now = new Date(Date.parse("2026-11-20T12:00:00.000Z") + round * 86_413_579).toISOString();
      count(holdConversation(flow, { ...conversation, now, seed: contentHash([round, conversation.title]) }));
    }
    for (const [index, talk] of fc.sample(talks(), { numRuns: 200, seed: round }).entries())
      count(holdTalk(talk, round + index));
  }
  print(
    `\n${counts.steps} steps of ${counts.chats} chats, held and replayed in ${((performance.now() - begunAt) / 1_000).toFixed(0)} s`,
  );
  printTarget("steps that come out byte for byte as they did", {
    value: counts.equal / counts.steps,
    least: 1,
    digits: 6,
  });
}

async function readConversations(): Promise<[FlowDocument, Conversation][]> {
  const found: [FlowDocument, Conversation][] = [];
  for await (const path of new Glob("conversations/*/*.json").scan(folder)) {
    const conversation: Conversation = await Bun.file(`${folder}/${path}`).json();
    const { flow } = conversation;
    const document: FlowDocument =
      typeof flow === "string" ? await Bun.file(`${folder}/flows/${flow}.json`).json() : flow;
    found.push([document, conversation]);
  }
  return found;
}

async function measureReports(bench: Bench): Promise<void> {
  const { botId, publicId } = await bench.publish(askQuestions());
  const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
  for (let held = 0; held < chats; ) {
    const { starts } = await bench.load(work, { concurrency, seconds: 3 });
    held += starts.count;
  }
  const text = JSON.stringify(askQuestions());
  const reworded = JSON.parse(text.replace("Thank you, {{City}}", "Thanks, {{City}}"));
  const report = async (body: object): Promise<Static<typeof Report> & { readonly seconds: number }> => {
    const begunAt = performance.now();
    const answer = await bench.service.post(`/api/v1/bots/${botId}/impact`, { last: chats, ...body }, Report);
    return { ...answer, seconds: (performance.now() - begunAt) / 1_000 };
  };
  const visit = () =>
    bench.load(work, { concurrency: visitors, seconds: bench.pace.seconds, perSecond: visitorsPerSecond });
  await report({});
  const rounds: { own: number; reworded: number; busy: number; alone: LoadReport; beside: LoadReport }[] = [];
  for (let round = 0; round < bench.pace.rounds; round++) {
    const own = await report({});
    const other = await report({ bot: reworded });
    // Chats that were unfinished at the end of the load may not have reached the changed word.
    if (own.same !== chats || other.same + other.changed !== chats || other.changed < 0.9 * chats) {
      throw new Error(`Not all chats were replayed: ${JSON.stringify({ own, other })}`);
    }
    const alone = await visit();
    let isOver = false;
    const busy: number[] = [];
    const reports = (async () => {
      while (!isOver) busy.push((await report({ bot: reworded })).seconds);
    })();
    const beside = await visit();
    isOver = true;
    await reports;
    rounds.push({ own: own.seconds, reworded: other.seconds, busy: median(busy), alone, beside });
  }
  printTable(
    [`a report on ${chats} chats of six steps, s`, ""],
    [
      ["with their own version", ratios(rounds.map(({ own }) => own))],
      ["with one word changed in each", ratios(rounds.map(({ reworded: seconds }) => seconds))],
      ["the same beside visitors", ratios(rounds.map(({ busy }) => busy))],
    ],
  );
  const row = (name: string, of: (report: LoadReport) => number, text: (list: readonly number[]) => string) => [
    name,
    text(rounds.map(({ alone }) => of(alone))),
    text(rounds.map(({ beside }) => of(beside))),
  ];
  printTable(
    [`${visitors} visitors, ${visitorsPerSecond} requests/s`, "alone", "beside reports without a pause"],
    [
      row("p50, ms", ({ steps }) => steps.p50, ratios),
      row("p99, ms", ({ steps }) => steps.p99, ratios),
      row("requests/s", ({ steps, starts, seconds }) => (steps.count + starts.count) / seconds, rates),
    ],
  );
  printTarget(`a report on ${chats} chats`, {
    value: median(rounds.map(({ reworded: seconds }) => seconds)),
    most: 10,
    unit: " s",
  });
}
