import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type Bench, type BenchServer, inDatabase, openBench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport, Work } from "../load.ts";
import { meanOf, median } from "../numbers.ts";
import { print, printTable } from "../print.ts";
import { type OnWire, openWire, type Wire } from "../wire.ts";

/** A part of a request, in milliseconds since 1970. */
type Part = { readonly from: number; readonly to: number };

/** The trace of a `continueChat` request. */
type Traced = Part & { readonly run: Part; readonly save: Part; readonly firstPart: number };

const Span = Type.Object({
  name: Type.String(),
  spanId: Type.String(),
  parentSpanId: Type.Optional(Type.String()),
  startTimeUnixNano: Type.String(),
  endTimeUnixNano: Type.String(),
});
const Spans = Type.Object({
  resourceSpans: Type.Array(Type.Object({ scopeSpans: Type.Array(Type.Object({ spans: Type.Array(Span) })) })),
});

/**
 * Measures the parts of a step's time during one second of conversations. The sources are the traces of all requests,
 * the statements that a relay in front of the database records, and the durations that the database logs. These sources
 * slow the service down, so the rate without them is also printed.
 */
export async function measureTimeline(bench: Bench): Promise<void> {
  const { server, pace } = bench;
  if (!server.onLine) return print("This section needs the database's log: run it without BENCH_DATABASE_URL.");
  const plain = await conversations(bench);
  for (const concurrency of pace.concurrencies) {
    const before = await plain(concurrency);
    await watched(bench, server, async ({ another, wire, spans, durations }) => {
      const talk = await conversations(another);
      await talk(concurrency);
      const emptyMs = await emptyStatement(another, wire);
      for (const one of [wire.take(), spans.splice(0), durations.splice(0)]) void one;
      const report = await talk(concurrency);
      await arrivalOf(spans, report.steps.count);
      const traced = tracedIn(spans);
      print(
        `\n${concurrency} visitors: ${rate(report)} steps/s, ${rate(before)} without traces, relay and log; ${traced.length} steps were traced`,
      );
      printParts({ traced, statements: wire.take(), durations, emptyMs });
    });
  }
}

type Watched = {
  readonly another: Bench;
  readonly wire: Wire;
  readonly spans: (typeof Span.static)[];
  readonly durations: number[];
};

async function watched(bench: Bench, server: BenchServer, work: (watched: Watched) => Promise<void>): Promise<void> {
  const { sql } = bench.floors;
  await sql.unsafe("create database timeline");
  await sql.unsafe("alter database timeline set log_duration = on");
  const wire = await openWire(inDatabase(server.url, "timeline"));
  const spans: (typeof Span.static)[] = [];
  const durations: number[] = [];
  const leave = server.onLine?.((line) => {
    const ms = /duration: ([\d.]+) ms$/.exec(line)?.[1];
    if (ms !== undefined) durations.push(Number(ms));
  });
  const collector = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { resourceSpans } = Value.Decode(Spans, await request.json());
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      return Response.json({});
    },
  });
  const another = await openBench({ ...server, url: wire.url }, bench.pace, bench.figures, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
  });
  try {
    await work({ another, wire, spans, durations });
  } finally {
    await another.close();
    leave?.();
    await collector.stop(true);
    await wire.close();
    await sql.unsafe("drop database timeline with (force)");
  }
}

async function conversations(bench: Bench): Promise<(concurrency: number) => Promise<LoadReport>> {
  const { publicId } = await bench.publish(askQuestions());
  const work: Work = { kind: "conversations", publicId, replies: fiveReplies };
  return (concurrency) => bench.load(work, { concurrency, seconds: 1, warmUpSeconds: 0 });
}

/**
 * Returns the milliseconds of an empty statement on the same path, which are the cost of the connection and its two
 * processes.
 */
async function emptyStatement({ floors }: Bench, wire: Wire): Promise<number> {
  for (let count = 0; count < 200; count++) await floors.sql`select 1`;
  const taken = wire.take().map(({ sentAt, answeredAt }) => answeredAt - sentAt);
  return median(taken.slice(-200));
}

/** Waits for the traces, which are sent every two seconds. */
async function arrivalOf(spans: readonly (typeof Span.static)[], steps: number): Promise<void> {
  const until = performance.now() + 5_000;
  const count = () => spans.filter(({ name }) => name === "step save").length;
  while (count() < steps && performance.now() < until) await Bun.sleep(100);
}

function tracedIn(spans: readonly (typeof Span.static)[]): readonly Traced[] {
  const parts = Map.groupBy(spans, ({ parentSpanId = "" }) => parentSpanId);
  return spans
    .filter(({ name }) => name.endsWith("/continueChat"))
    .flatMap((own) => {
      const of = parts.get(own.spanId) ?? [];
      const [run, save] = ["step run", "step save"].map((wanted) => of.find(({ name }) => name === wanted));
      if (!run || !save) return [];
      const firstPart = Math.min(...of.map((part) => partOf(part).from));
      return [{ ...partOf(own), run: partOf(run), save: partOf(save), firstPart }];
    })
    .toSorted((one, other) => one.from - other.from);
}

function partOf({ startTimeUnixNano, endTimeUnixNano }: typeof Span.static): Part {
  return { from: Number(startTimeUnixNano) / 1e6, to: Number(endTimeUnixNano) / 1e6 };
}

type Second = {
  readonly traced: readonly Traced[];
  readonly statements: readonly OnWire[];
  readonly durations: readonly number[];
  readonly emptyMs: number;
};

function printParts({ traced, statements, durations, emptyMs }: Second): void {
  // The save of a step contains the last statement that started and ended within it.
  const saves = statements.filter(({ bytes }) => bytes > 400);
  const placed = traced.flatMap((step) => {
    const its = saves.findLast(
      ({ sentAt, answeredAt }) => sentAt >= step.save.from - 0.1 && answeredAt <= step.save.to + 0.1,
    );
    return its ? [{ step, its }] : [];
  });
  const perStatement = saves.length === 0 ? 0 : durations.reduce((sum, ms) => sum + ms, 0) / saves.length;
  const mean = (pick: (one: (typeof placed)[number]) => number) => meanOf(placed.map(pick));
  const onWire = mean(({ its }) => its.answeredAt - its.sentAt);
  const parts: [string, number][] = [
    ["parse: the request's frame, limits, schemas", mean(({ step }) => step.firstPart - step.from)],
    ["wait for the session and the thread", mean(({ step }) => step.run.from - step.firstPart)],
    ["step: the interpreter", mean(({ step }) => step.run.to - step.run.from)],
    ["wait for the batch, and encode", mean(({ step, its }) => its.sentAt - step.run.to)],
    ["wire: as a statement that does nothing", emptyMs],
    ["execute, as the database logs it", perStatement],
    ["commit, and waiting for a processor", onWire - emptyMs - perStatement],
    ["decode, and wait for the main thread", mean(({ step, its }) => step.save.to - its.answeredAt)],
    ["answer", mean(({ step }) => step.to - step.save.to)],
  ];
  const whole = mean(({ step }) => step.to - step.from);
  printTable(
    ["part of a step", "ms", "%"],
    [...parts, ["the whole", whole] as const].map(([name, ms]) => [
      name,
      ms.toFixed(3),
      ((100 * ms) / whole).toFixed(0),
    ]),
  );
  print(
    `\n${saves.length} statements, ${(placed.length / Math.max(1, saves.length)).toFixed(1)} steps each, ${meanOf(saves.map(({ bytes }) => bytes)).toFixed(0)} bytes out and ${meanOf(saves.map(({ answerBytes }) => answerBytes)).toFixed(0)} back.`,
  );
  printLanes(traced, saves);
}

const columns = 100;
const columnMs = 0.25;

/**
 * Prints 25 milliseconds from the middle of the measurement, with one column per quarter of a millisecond: the work on
 * the main thread, and the connections with a running statement.
 */
function printLanes(traced: readonly Traced[], saves: readonly OnWire[]): void {
  const middle = traced[Math.floor(traced.length / 2)];
  if (!middle) return;
  const lane = (parts: readonly Part[], mark: string) =>
    Array.from({ length: columns }, (_, column) => {
      const from = middle.from + column * columnMs;
      return parts.some((part) => part.from < from + columnMs && part.to > from) ? mark : "·";
    }).join("");
  const rows: [string, string][] = [
    [
      "requests read",
      lane(
        traced.map(({ from, firstPart: to }) => ({ from, to })),
        "r",
      ),
    ],
    [
      "steps run",
      lane(
        traced.map(({ run }) => run),
        "s",
      ),
    ],
    [
      "answers written",
      lane(
        traced.map(({ save, to }) => ({ from: save.to, to })),
        "a",
      ),
    ],
  ];
  const connections = [...new Set(saves.map(({ connection }) => connection))].toSorted((one, other) => one - other);
  for (const connection of connections) {
    const its = saves.filter((one) => one.connection === connection);
    rows.push([
      `connection ${connection}`,
      lane(
        its.map(({ sentAt: from, answeredAt: to }) => ({ from, to })),
        "█",
      ),
    ]);
  }
  print(`\n${columns * columnMs} ms, a column is ${columnMs} ms:\n`);
  for (const [name, marks] of rows) if (marks.replaceAll("·", "") !== "") print(`    ${name.padEnd(16)}${marks}`);
}

function rate({ steps, seconds }: LoadReport): string {
  return (steps.count / seconds).toFixed(0);
}
