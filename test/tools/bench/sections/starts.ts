import { type Bench, inTurns } from "../bench.ts";
import { askQuestions } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

const concurrency = 32;
const smallFlow = { questions: 2 };
const largeFlow = { questions: 2, extraGroups: 1_995 };

/** Measures only starts, compared with the fixed floor, and whether the size of the flow matters. */
export async function measureStarts(bench: Bench): Promise<void> {
  const { pace, floors } = bench;
  const small = await bench.publish(askQuestions(smallFlow));
  const large = await bench.publish(askQuestions(largeFlow));
  const order = { concurrency, seconds: pace.seconds, warmUpSeconds: pace.warmUpSeconds };
  const start = async (publicId: string, at: number) => bench.load({ kind: "starts", publicId }, { concurrency: at });
  await start(small.publicId, concurrency);

  const [rounds = []] = await inTurns(pace.rounds, [
    async () => ({
      fixed: await floors.fixed(order),
      small: await start(small.publicId, concurrency),
      large: await start(large.publicId, concurrency),
      smallAlone: await start(small.publicId, 1),
      largeAlone: await start(large.publicId, 1),
    }),
  ]);
  const toFloor = rounds.map(({ small, fixed }) => perSecond(small) / fixed.perSecond);
  printTable(
    [`${concurrency} concurrent`, "startChat/s", "p50 / p95 / p99 ms", "fixed floor/s", "ratio"],
    [
      [
        "a flow of 5 blocks",
        rates(rounds.map(({ small }) => perSecond(small))),
        (["p50", "p95", "p99"] as const)
          .map((name) => median(rounds.map(({ small }) => small.starts[name])).toFixed(2))
          .join(" / "),
        rates(rounds.map(({ fixed }) => fixed.perSecond)),
        ratios(toFloor),
      ],
    ],
  );
  const microsOf = (who: keyof LoadReport["cpuMs"]) =>
    rounds.map(({ small }) => (1_000 * small.cpuMs[who]) / small.starts.count);
  const micros = (who: keyof LoadReport["cpuMs"]) => rates(microsOf(who));
  print(
    `\nProcessor time a start: service ${micros("service")} µs, database ${micros("database")} µs, load generator ${micros("generator")} µs.`,
  );

  const atOnce = rounds.map(({ small, large }) => perSecond(small) / perSecond(large));
  const alone = rounds.map(({ smallAlone, largeAlone }) => largeAlone.starts.p50 / smallAlone.starts.p50);
  printTable(
    ["startChat", "5 blocks", "2,000 blocks", "ratio of times"],
    [
      [
        `${concurrency} concurrent, /s`,
        rates(rounds.map(({ small }) => perSecond(small))),
        rates(rounds.map(({ large }) => perSecond(large))),
        ratios(atOnce),
      ],
      [
        "alone, p50 ms",
        ratios(rounds.map(({ smallAlone }) => smallAlone.starts.p50)),
        ratios(rounds.map(({ largeAlone }) => largeAlone.starts.p50)),
        ratios(alone),
      ],
    ],
  );
  bench.figures.ratio("starts: of the fixed floor", toFloor);
  bench.figures.cost("starts: on 2,000 blocks, in the time of 5 blocks", "", alone);
  bench.figures.cost("starts: service", "µs", microsOf("service"));
  bench.figures.cost("starts: database", "µs", microsOf("database"));
  print("");
  printTarget("start, of the fixed floor's rate", { value: median(toFloor), least: 0.2 });
  printTarget("start on 2,000 blocks, in the time of one on 5", { value: median(alone), most: 1.2 });
}

function perSecond({ starts, seconds }: LoadReport): number {
  return starts.count / seconds;
}
