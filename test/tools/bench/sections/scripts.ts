import { type Bench, inTurns } from "../bench.ts";
import { askQuestions, askWithBlocks, fiveReplies, script } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

const concurrency = 32;

/** Measures the cost of a script in each step, and of an expression that the sandbox has to run. */
export async function measureScripts(bench: Bench): Promise<void> {
  const flows = [askQuestions(), askWithBlocks(expression), askWithBlocks(script)];
  const bots = await Promise.all(flows.map((flow) => bench.publish(flow)));
  const measures = bots.map(
    ({ publicId }) =>
      () =>
        bench.load({ kind: "steps", publicId, replies: fiveReplies }, { concurrency }),
  );
  const found = await inTurns(bench.pace.rounds, measures);
  const perSecond = found.map((reports) => reports.map(({ steps, seconds }) => steps.count / seconds));
  const toPlain = perSecond.map((list) => list.map((rate, round) => rate / (perSecond[0]?.[round] ?? 0)));
  const cells = (name: string, text: (index: number) => string) => [name, ...found.map((_, index) => text(index))];
  printTable(
    [`${concurrency} concurrent`, "plain", "an expression a step", "a script a step"],
    [
      cells("continueChat/s", (index) => rates(perSecond[index] ?? [])),
      cells("of plain", (index) => ratios(toPlain[index] ?? [])),
      cells("p50 ms", (index) => ratios((found[index] ?? []).map(({ steps }) => steps.p50))),
      cells("processor time of the service a step, µs", (index) => rates((found[index] ?? []).map(microsOfStep))),
    ],
  );
  bench.figures.ratio("scripts: an expression a step, of the rate without", toPlain[1] ?? []);
  bench.figures.ratio("scripts: a script a step, of the rate without", toPlain[2] ?? []);
  for (const [index, name] of ["plain", "an expression a step", "a script a step"].entries()) {
    bench.figures.cost(`scripts: ${name}, service`, "µs", (found[index] ?? []).map(microsOfStep));
  }
  print("");
  printTarget("a step with a script, of the rate of one without", { value: median(toPlain[2] ?? []), least: 0.5 });
}

function microsOfStep({ steps, cpuMs }: LoadReport): number {
  return (1_000 * cpuMs.service) / steps.count;
}

const expression = (index: number) => ({
  id: `sv${index}`,
  type: "Set variable",
  options: { variableId: "va4", expressionToEvaluate: "{{Name}}.trim().split(' ').reverse().join(', ')" },
});
