import { type Bench, inTurns, withEach } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport, Work } from "../load.ts";
import { printTable, rates, ratios } from "../print.ts";
import { raisedLimits } from "../service.ts";

const concurrency = 32;
const settings = [{ RATE_LIMITS: "off" }, { RATE_LIMITS: raisedLimits }] as const;

/** What rate limits cost a request, those of the address, the session, the bot and the workspace. */
export async function measureLimits(bench: Bench): Promise<void> {
  await withEach(bench, settings, async (benches) => {
    const measured = await inTurns(bench.pace.rounds, await Promise.all(benches.map(prepare)));
    const row = (name: string, text: (rounds: readonly LoadReport[]) => string) => [name, ...measured.map(text)];
    printTable(
      [`conversations, ${concurrency} concurrent`, "RATE_LIMITS=off", "on"],
      [
        row("processor time of the service a request, µs", (rounds) => ratios(rounds.map(serviceMicros))),
        row("of the database", (rounds) =>
          ratios(rounds.map(({ cpuMs, ...of }) => (1_000 * cpuMs.database) / requestsOf(of))),
        ),
        row("requests/s", (rounds) => rates(rounds.map((report) => requestsOf(report) / report.seconds))),
      ],
    );
    const [off = [], on = []] = measured;
    const differences = on.map((report, round) => serviceMicros(report) - serviceMicros(off[round] ?? report));
    printTable(
      ["difference of each pair of rounds, µs"],
      [[differences.map((micros) => micros.toFixed(2)).join(", ")]],
    );
  });
}

async function prepare(bench: Bench): Promise<() => Promise<LoadReport>> {
  const { publicId } = await bench.publish(askQuestions());
  const work: Work = { kind: "conversations", publicId, replies: fiveReplies };
  await bench.load(work, { concurrency, seconds: 1 });
  return async () => {
    const measured = await bench.load(work, { concurrency });
    if (measured.failures > 0) throw new Error(`${measured.failures} requests failed.`);
    return measured;
  };
}

function requestsOf({ steps, starts }: Pick<LoadReport, "steps" | "starts">): number {
  return steps.count + starts.count;
}

function serviceMicros(report: LoadReport): number {
  return (1_000 * report.cpuMs.service) / requestsOf(report);
}
