import type { Bench } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { median, riseOf } from "../numbers.ts";
import { print, printTable, printTarget } from "../print.ts";

const concurrency = 32;
/** Memory goes up and down with each collection: only many samples show whether it rises. */
const sampleMs = 1_000;
/** In a shorter run the service has not even warmed up. */
const fewestMinutes = 5;

/** The memory of the service, its threads included, while visitors chat for a long time. */
export async function measureMemory(bench: Bench): Promise<void> {
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
