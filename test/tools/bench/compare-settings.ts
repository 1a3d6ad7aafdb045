import { type Bench, inTurns, withEach } from "./bench.ts";
import { askQuestions, fiveReplies } from "./flows.ts";
import type { LoadReport, Work } from "./load.ts";
import { median } from "./numbers.ts";
import { printTable, rates, ratios } from "./print.ts";
import type { Settings } from "./service.ts";

const concurrency = 32;

/** A configuration of the service. The first variant is the reference for the others. */
export type Variant = { readonly name: string; readonly settings: Settings };

/**
 * Measures the effect of settings on the cost of a request in a conversation and of a start. The services differ only
 * in these settings, run simultaneously and are measured alternately.
 */
export async function compareSettings(bench: Bench, variants: readonly Variant[]): Promise<void> {
  const settings = variants.map((variant) => variant.settings);
  await withEach(bench, settings, async (benches) => {
    for (const kind of ["conversations", "starts"] as const) {
      const measured = await inTurns(bench.pace.rounds, await Promise.all(benches.map((one) => prepare(one, kind))));
      const row = (name: string, text: (rounds: readonly LoadReport[]) => string) => [name, ...measured.map(text)];
      printTable(
        [`${kind}, ${concurrency} concurrent`, ...variants.map(({ name }) => name)],
        [
          row("processor time of the service a request, µs", (rounds) => ratios(rounds.map(serviceMicros))),
          row("of the database", (rounds) =>
            ratios(rounds.map(({ cpuMs, ...of }) => (1_000 * cpuMs.database) / requestsOf(of))),
          ),
          row("requests/s", (rounds) => rates(rounds.map((report) => requestsOf(report) / report.seconds))),
        ],
      );
      const [first = [], ...others] = measured;
      printTable(
        ["against the first in the same round, µs", "differences", "middle"],
        others.map((rounds, index) => {
          const differences = rounds.map(
            (report, round) => serviceMicros(report) - serviceMicros(first[round] ?? report),
          );
          const each = differences.map((micros) => micros.toFixed(2)).join(", ");
          return [variants[index + 1]?.name ?? "", each, median(differences).toFixed(2)];
        }),
      );
    }
    const resident = await Promise.all(benches.map(({ service }) => service.residentMegabytes()));
    printTable(
      ["", ...variants.map(({ name }) => name)],
      [["MB resident afterwards", ...resident.map((mb) => mb.toFixed(0))]],
    );
  });
}

async function prepare(bench: Bench, kind: "conversations" | "starts"): Promise<() => Promise<LoadReport>> {
  const { publicId } = await bench.publish(askQuestions());
  const work: Work = kind === "starts" ? { kind, publicId } : { kind, publicId, replies: fiveReplies };
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
