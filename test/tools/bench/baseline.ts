import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Figure } from "./figures.ts";
import { print, printTable } from "./print.ts";

const FigureSchema = Type.Object({
  unit: Type.Union([Type.Literal(""), Type.Literal("µs"), Type.Literal("MB")]),
  better: Type.Union([Type.Literal("more"), Type.Literal("less")]),
  median: Type.Number(),
  min: Type.Number(),
  max: Type.Number(),
});

const BaselineSchema = Type.Object({
  recordedAt: Type.String(),
  commit: Type.String(),
  machine: Type.String(),
  pace: Type.String(),
  figures: Type.Record(Type.String(), FigureSchema),
});

/** The figures of one run with their context: the machine, the software and the duration of the measurement. */
export type Baseline = Static<typeof BaselineSchema>;

const file = join(import.meta.dir, "baseline.json");

export async function readBaseline(): Promise<Baseline> {
  const found = Bun.file(file);
  if (!(await found.exists())) throw new Error("There is no baseline yet: record one with --save-baseline.");
  return Value.Decode(BaselineSchema, await found.json());
}

/** Replaces the previous baseline, so that figures of different runs are never mixed. */
export async function saveBaseline(run: Omit<Baseline, "recordedAt" | "commit">): Promise<void> {
  const recordedAt = new Date().toISOString().slice(0, "2026-11-22".length);
  const baseline: Baseline = { recordedAt, commit: currentCommit(), ...run };
  await Bun.write(file, `${JSON.stringify(baseline, (_, value) => rounded(value), 2)}\n`);
  print(
    `\n${Object.keys(run.figures).length} figures were saved as the baseline: commit test/tools/bench/baseline.json.`,
  );
}

/** Prints each figure with its baseline. A difference is not an error, because a person must interpret it. */
export function printComparison(before: Baseline, now: Omit<Baseline, "recordedAt" | "commit">): void {
  print(`\n## compared with the baseline of ${before.recordedAt} (${before.commit})`);
  for (const part of ["machine", "pace"] as const) {
    if (before[part] !== now[part]) print(`\nThe baseline's ${part} was another one: ${before[part]}`);
  }
  printTable(
    ["figure", "before", "now", "ratio", "verdict"],
    Object.entries(now.figures).map(([name, figure]) => {
      const recorded = before.figures[name];
      if (!recorded) return [name, "", figureText(figure), "", "not in the baseline"];
      const ratio = (figure.median / recorded.median).toFixed(2);
      return [name, figureText(recorded), figureText(figure), ratio, verdictOn(figure, recorded)];
    }),
  );
}

/** Compares a figure with its baseline. A median outside all rounds of the baseline is more than noise. */
export function verdictOn(
  { median }: Pick<Figure, "median">,
  before: Figure,
): "within its spread" | "better" | "WORSE" {
  if (median >= before.min && median <= before.max) return "within its spread";
  return median > before.max === (before.better === "more") ? "better" : "WORSE";
}

function figureText({ unit, median, min, max }: Figure): string {
  const digits = unit === "" ? 2 : 0;
  const spread = `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  return unit === "" ? spread : `${spread} ${unit}`;
}

function rounded(value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

function currentCommit(): string {
  const git = Bun.spawnSync(["git", "describe", "--always", "--dirty"], { cwd: import.meta.dir });
  return git.success ? git.stdout.toString().trim() : "unknown";
}
