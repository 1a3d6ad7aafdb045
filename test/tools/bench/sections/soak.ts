import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { meanOf, median, slopeOf } from "../numbers.ts";
import { print, printTable } from "../print.ts";
import { longest, lookAt, type Occupied } from "./soak-database.ts";

const concurrency = 32;
const full = { seconds: 10, warmUpSeconds: 3 };
const sampleMs = 1_000;
/** A trend requires at least this number of points. In a short run, the parts are shorter than a minute. */
const fewestParts = 4;
/** With fewer points, a rise cannot be detected. */
const fewestJudged = 10;
/** The largest significant rise that is tolerated over the whole run, relative to the mean. */
const smallRise = 0.05;

type Part = {
  readonly megabytes: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly errorLines: number;
  readonly failures: number;
  readonly database: Occupied;
};

/**
 * Runs half the maximum rate for the configured minutes, and checks whether memory, latency and the log remain
 * constant.
 */
export async function measureSoak(bench: Bench): Promise<void> {
  const { minutes } = bench.pace;
  const { publicId } = await bench.publish(askQuestions());
  const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
  const { steps, starts, seconds: fullSeconds } = await bench.load(work, { concurrency, ...full });
  const most = (steps.count + starts.count) / fullSeconds;
  const perSecond = most / 2;
  print(`At most ${most.toFixed(0)} requests/s at ${concurrency} concurrent; half of them for ${minutes} minutes.`);
  const count = Math.max(fewestParts, Math.round(minutes));
  const seconds = (minutes * 60) / count;
  const parts: Part[] = [];
  for (let part = 0; part < count; part++) {
    parts.push(await soakFor(bench, () => bench.load(work, { concurrency, seconds, warmUpSeconds: 0, perSecond })));
  }
  printTable(
    ["from minute", "requests/s", "p50 ms", "p99 ms", "MB resident", "error lines", "failures"],
    parts.map((part, index) => [
      ((index * seconds) / 60).toFixed(1),
      part.perSecond.toFixed(0),
      part.p50.toFixed(2),
      part.p99.toFixed(2),
      part.megabytes.toFixed(0),
      part.errorLines,
      part.failures,
    ]),
  );
  print("");
  print("What the database was at beside the reads and saves of steps, in seconds of one backend:");
  printTable(
    ["from minute", "most of the time"],
    parts.map(({ database }, index) => [((index * seconds) / 60).toFixed(1), longest(database)]),
  );
  // Allocations and compilation in the first part do not count as growth.
  const settled = parts.slice(1);
  const judge = (name: string, figureOf: (part: Part) => number) =>
    printSlope(name, settled.map(figureOf), seconds / 60);
  print("");
  judge("memory, MB", ({ megabytes }) => megabytes);
  judge("p50, ms", ({ p50 }) => p50);
  judge("p99, ms", ({ p99 }) => p99);
  judge("error lines", ({ errorLines }) => errorLines);
  judge("failed requests", ({ failures }) => failures);
}

async function soakFor({ service, floors }: Bench, load: () => ReturnType<Bench["load"]>): Promise<Part> {
  const resident: number[] = [];
  const database: Occupied = new Map();
  const errorsBefore = service.errorLines();
  let isOver = false;
  const loading = load().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    resident.push(await service.residentMegabytes());
    await lookAt(floors.sql, database);
    await Promise.race([loading, Bun.sleep(sampleMs)]);
  }
  const { steps, starts, seconds, failures } = await loading;
  return {
    megabytes: median(resident),
    perSecond: (steps.count + starts.count) / seconds,
    p50: steps.p50,
    p99: steps.p99,
    errorLines: service.errorLines() - errorsBefore,
    failures,
    database,
  };
}

/**
 * Prints whether a figure rises: its slope exceeds twice the standard error, and its rise over the run is not small.
 */
function printSlope(name: string, values: readonly number[], partMinutes: number): void {
  const { slope, error } = slopeOf(values);
  const isFlat = slope <= 2 * error || slope * (values.length - 1) <= smallRise * meanOf(values);
  const judgement = values.length < fewestJudged ? "too short to tell" : isFlat ? "flat" : "RISES";
  const perMinute = (value: number): string => (value / partMinutes).toFixed(3);
  const mean = meanOf(values).toFixed(2);
  print(`- ${judgement}: ${name}: ${perMinute(slope)} ± ${perMinute(error)} a minute, ${mean} in the mean`);
}
