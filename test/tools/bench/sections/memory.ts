import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { median, riseOf } from "../numbers.ts";
import { print, printTable, printTarget } from "../print.ts";
import { withModelServer } from "./streams.ts";
import { useInterface } from "./used-interface.ts";

const concurrency = 32;
/** The sampling interval. Memory rises and falls with each garbage collection, so only many samples show a trend. */
const sampleMs = 1_000;
/** In a shorter run, the service would not finish warming up. */
const fewestMinutes = 5;
const loadSeconds = 12;
const restSeconds = 60;

/**
 * Measures the memory of the service with its threads: after the interface was used once, and while visitors chat for a
 * long time.
 */
export async function measureMemory(bench: Bench): Promise<void> {
  await withModelServer(bench, measureUsed);
  await measureLong(bench);
}

/** Measures a new service with visitors, then after each part of the interface was used once, then idle. */
async function measureUsed(bench: Bench, modelServer: string): Promise<void> {
  const { botId, publicId } = await bench.publish(askQuestions());
  const resident = () => bench.service.residentMegabytes();
  const ready = await resident();
  const loaded: number[] = [];
  const talk = { kind: "conversations", publicId, replies: fiveReplies } as const;
  const load = bench.load(talk, { concurrency, seconds: loadSeconds, warmUpSeconds: 0 });
  for (let sample = 0; sample < loadSeconds; sample++) {
    await Bun.sleep(sampleMs);
    loaded.push(await resident());
  }
  await load;
  await useInterface(bench, { modelServer, withResults: botId });
  const used = await resident();
  await Bun.sleep(restSeconds * 1_000);
  const rested = await resident();
  const most = Math.max(...loaded);
  printTable(
    ["MB resident", "ready", `${concurrency} visitors, middle`, "most", "interface used", `${restSeconds} s later`],
    [["", ...[ready, median(loaded), most, used, rested].map((mb) => mb.toFixed(0))]],
  );
  bench.figures.cost("memory: resident, a minute after the interface was used", "MB", [rested]);
  printTarget("middle under load", { value: median(loaded), most: 230, digits: 0, unit: " MB" });
  printTarget("a minute after the interface was used", { value: rested, most: 300, digits: 0, unit: " MB" });
}

async function measureLong(bench: Bench): Promise<void> {
  const { publicId } = await bench.publish(askQuestions());
  const seconds = bench.pace.minutes * 60;
  const samples = Math.round((seconds * 1_000) / sampleMs);
  const begunWith = await bench.service.residentMegabytes();
  const load = bench.load(
    { kind: "conversations", publicId, replies: fiveReplies },
    { concurrency, seconds, warmUpSeconds: 0 },
  );
  const resident: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    await Bun.sleep(sampleMs);
    resident.push(await bench.service.residentMegabytes());
  }
  const { steps } = await load;
  const tenths = Array.from({ length: 10 }, (_, index) =>
    resident.slice(Math.round((index * samples) / 10), Math.round(((index + 1) * samples) / 10)),
  );
  printTable(
    ["minutes", "0", ...tenths.map((_, index) => (((index + 1) * bench.pace.minutes) / 10).toFixed(1))],
    [["MB resident", begunWith.toFixed(0), ...tenths.map((tenth) => median(tenth).toFixed(0))]],
  );
  print(
    `\n${steps.count} steps in ${bench.pace.minutes} minutes at ${concurrency} concurrent, a sample each second.\n`,
  );
  bench.figures.cost("memory: resident", "MB", resident);
  printTarget("most resident", { value: Math.max(...resident), most: 300, digits: 0, unit: " MB" });
  if (bench.pace.minutes >= fewestMinutes)
    printTarget("rise in the second half, by the line nearest to its samples", {
      value: 100 * riseOf(resident.slice(Math.round(samples / 2))),
      most: 1,
      unit: " %",
    });
}
