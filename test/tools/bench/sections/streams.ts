import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { cpuMs } from "../../../../src/platform/processes/processor-time.ts";
import { type Bench, inTurns, withEach } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median, riseOf } from "../numbers.ts";
import { printTable, printTarget, rates, ratios } from "../print.ts";
import type { ReadersOrder, ReadersReport } from "../stream-readers.ts";

const streams = 100;
const piecesASecond = 50;
const concurrency = 32;
/**
 * The number of pieces of the shorter answers. The additional cost of longer answers is the cost of their additional
 * pieces.
 */
const fewPieces = 25;
/** The number of answers during which memory must remain constant. */
const manyAnswers = 2_000;

/**
 * Measures answers of models that are streamed to visitors: their effect on ordinary chats, and the cost of a piece.
 */
export async function measureStreams(bench: Bench): Promise<void> {
  await withModelServer(bench, measureBeside);
}

/** Starts a model server, and a service with a separate database that may call the model server. */
export async function withModelServer(
  bench: Bench,
  work: (own: Bench, origin: string) => Promise<void>,
): Promise<void> {
  const provider = Bun.spawn([process.execPath, join(import.meta.dir, "../piece-provider.ts")], { stdout: "pipe" });
  try {
    const origin = await firstLine(provider.stdout);
    await withEach(bench, [{ MODEL_SERVERS: origin }], async ([own]) => {
      if (own) await work(own, origin);
    });
  } finally {
    provider.kill();
  }
}

/** Streams a hundred concurrent answers of a model to visitors. */
export async function readAnswers(bench: Bench, origin: string): Promise<void> {
  const publicId = await publishAnswering(bench, { origin, pieces: fewPieces });
  await read({ url: startAddress(bench, publicId), atOnce: streams, answers: streams });
}

async function measureBeside(bench: Bench, origin: string): Promise<void> {
  const { publicId } = await bench.publish(askQuestions());
  const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
  await bench.load(work, { concurrency });
  const seconds = Math.max(2, bench.pace.seconds);
  const pieces = Math.ceil((seconds + 2) * piecesASecond);
  const streaming = await publishAnswering(bench, { origin, pieces });
  await read({ url: startAddress(bench, streaming), atOnce: 1, answers: 1 });

  const alone = () => bench.load(work, { concurrency, seconds });
  const beside = async (): Promise<LoadReport> => {
    const reading = read({ url: startAddress(bench, streaming), atOnce: streams, answers: streams });
    // After this time, all answers have started.
    await Bun.sleep(1_000);
    const report = await bench.load(work, { concurrency, seconds: seconds - 1 });
    const { characters } = await reading;
    if (characters !== streams * pieces * "words ".length) throw new Error("Words were lost");
    return report;
  };
  const short = { publicId: await publishAnswering(bench, { origin, pieces: fewPieces }), pieces: fewPieces };
  const long = { publicId: streaming, pieces };
  const micros =
    ({ publicId }: typeof long, isWhole: boolean) =>
    async (): Promise<number> => {
      const before = cpuMs(bench.service.pid, { withChildren: true });
      await read({ url: startAddress(bench, publicId), atOnce: streams, answers: streams, isWhole });
      return (1_000 * (cpuMs(bench.service.pid, { withChildren: true }) - before)) / streams;
    };
  const [quiet = [], busy = []] = await inTurns(bench.pace.rounds, [alone, beside]);
  const [shortIn = [], longIn = [], shortBoth = [], longBoth = []] = await inTurns(bench.pace.rounds, [
    micros(short, true),
    micros(long, true),
    micros(short, false),
    micros(long, false),
  ]);
  // The difference excludes the fixed cost of an answer, which would be a third of the apparent cost of a piece.
  const ofPieces = (shorts: readonly number[], longs: readonly number[]) =>
    longs.map((all, round) => (all - (shorts[round] ?? 0)) / (pieces - fewPieces));
  const [inward, both] = [ofPieces(shortIn, longIn), ofPieces(shortBoth, longBoth)];
  const outward = both.map((all, round) => all - (inward[round] ?? 0));
  const rest = shortBoth.map((all, round) => all - fewPieces * (both[round] ?? 0));

  const rate = ({ steps, starts, seconds: all }: LoadReport) => (steps.count + starts.count) / all;
  const p99 = ({ steps }: LoadReport) => steps.p99;
  const against = (of: (report: LoadReport) => number) =>
    busy.map((report, round) => of(report) / of(quiet[round] ?? report));
  printTable(
    [
      `conversations, ${concurrency} concurrent`,
      "alone",
      `beside ${streams} answers of ${piecesASecond} pieces/s`,
      "ratio",
    ],
    [
      ["requests/s", rates(quiet.map(rate)), rates(busy.map(rate)), ratios(against(rate))],
      ["p99 of a step, ms", ratios(quiet.map(p99)), ratios(busy.map(p99)), ratios(against(p99))],
    ],
  );
  printTable(
    ["processor time of the service, chats aside", "µs"],
    [
      ["a piece, from the provider into the step", ratios(inward)],
      ["from there to the reader", ratios(outward)],
      ["an answer, beside its pieces", ratios(rest)],
    ],
  );
  printTarget("rate beside answers", { value: median(against(rate)), least: 0.8 });
  printTarget("p99 beside answers", { value: median(against(p99)), most: 1.5 });
  bench.figures.cost("streams: processor time a piece", "µs", both);
  await measureMemory(bench, await publishAnswering(bench, { origin, pieces: 100 }));
}

/** Measures memory during consecutive answers. It may grow until the service is warm, but not afterwards. */
async function measureMemory(bench: Bench, publicId: string): Promise<void> {
  const resident: number[] = [];
  for (let batch = 0; batch < 10; batch++) {
    const reading = read({ url: startAddress(bench, publicId), atOnce: streams, answers: manyAnswers / 10 });
    let isOver = false;
    void reading.finally(() => {
      isOver = true;
    });
    // Takes many samples, because memory rises and falls with each garbage collection.
    const samples: number[] = [];
    while (!isOver) {
      samples.push(await bench.service.residentMegabytes());
      await Bun.sleep(50);
    }
    await reading;
    resident.push(median(samples));
  }
  printTable(
    ["answers", ...resident.map((_, index) => String(((index + 1) * manyAnswers) / 10))],
    [["MB resident", ...resident.map((mb) => mb.toFixed(0))]],
  );
  printTarget("rise of memory in the second half", { value: 100 * riseOf(resident.slice(5)), most: 3, unit: " %" });
}

async function publishAnswering(bench: Bench, { origin, pieces }: { origin: string; pieces: number }): Promise<string> {
  const flow = answeringFlow(pieces, "");
  const { publicId, workspaceId, botId } = await bench.publish(flow);
  const made = await bench.service.post(
    `/api/v1/workspaces/${workspaceId}/credentials`,
    { type: "openai", name: "Pieces", data: { apiKey: "none", baseUrl: `${origin}/v1` } },
    Type.Object({ credentials: Type.Object({ id: Type.String() }) }),
  );
  await bench.service.patch(`/api/v1/bots/${botId}`, {
    bot: answeringFlow(pieces, made.credentials.id),
    overwrite: true,
  });
  await bench.service.post(`/api/v1/bots/${botId}/publish`, { force: true }, Type.Object({}));
  return publicId;
}

function answeringFlow(pieces: number, credentialsId: string) {
  return {
    version: "6.1",
    name: "Answers",
    events: [{ id: "ev0", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed0" }],
    groups: [
      {
        id: "gr0",
        title: "Answer",
        graphCoordinates: { x: 0, y: 0 },
        blocks: [
          {
            id: "model",
            type: "openai",
            options: {
              action: "Create chat completion",
              credentialsId,
              model: `pieces-${pieces}-${1_000 / piecesASecond}`,
              messages: [{ id: "m", role: "user", content: "Say words" }],
              responseMapping: [{ id: "r", variableId: "vaAnswer" }],
            },
          },
          { id: "shown", type: "text", content: { richText: [{ type: "p", children: [{ text: "{{Answer}}" }] }] } },
          { id: "in0", type: "text input" },
        ],
      },
    ],
    edges: [{ id: "ed0", from: { eventId: "ev0" }, to: { groupId: "gr0" } }],
    variables: [{ id: "vaAnswer", name: "Answer" }],
    theme: {},
    settings: {},
  };
}

function startAddress({ service }: Bench, publicId: string): string {
  return `${service.url}/api/v1/bots/${publicId}/startChat`;
}

async function read(order: ReadersOrder): Promise<ReadersReport> {
  const readers = Bun.spawn([process.execPath, join(import.meta.dir, "../stream-readers.ts"), JSON.stringify(order)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const report = await readers.stdout.text();
  if ((await readers.exited) !== 0) throw new Error("The readers failed.");
  return JSON.parse(report);
}

async function firstLine(output: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of output) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}
