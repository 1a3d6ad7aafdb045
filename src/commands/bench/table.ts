import type { BenchLine, BenchReport } from "./measure.ts";
import type { Spread } from "./numbers.ts";

const head = [
  ...["visitors", "steps/s", "of the floor", "p50 ms", "p99 ms", "floor/s", "floor p99"],
  ...["µs a step: service", "database", "visitors"],
];

/** Formats the report for a terminal: a description of the measurement, followed by a table. */
export function tableOf(report: BenchReport): string {
  const rows = [head, ...report.lines.map(cellsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join("  "));
  return `${[...introduction(report), "", ...table].join("\n")}\n`;
}

function introduction({ parley, machine, database, processes, seconds, rounds }: BenchReport): string[] {
  const where = database.isEmbedded ? "embedded" : "the given server";
  return [
    `Parley ${parley}, ${processes} serving; ${machine.cores} × ${machine.model}, ${machine.memoryGigabytes} GB.`,
    `PostgreSQL ${database.version} (${where}), fsync ${database.fsync}, ${database.connections} connections.`,
    `Each ${rounds} times ${seconds} s, in turns: the median, and in brackets minimum and maximum.`,
    "The floor is one row updated by its key, at the same concurrency. On another machine, or a busy machine, compare only ratios.",
  ];
}

function cellsOf(line: BenchLine): string[] {
  const { concurrency, stepsPerSecond, ratio, latencyMs, floorPerSecond, floorLatencyMs, cpuMicroseconds } = line;
  const time = (value: number | null): string => (value === null ? "–" : value.toFixed(0));
  return [
    String(concurrency),
    spread(stepsPerSecond, 0),
    spread(ratio, 2),
    latencyMs.p50.toFixed(2),
    latencyMs.p99.toFixed(2),
    spread(floorPerSecond, 0),
    floorLatencyMs.p99.toFixed(2),
    time(cpuMicroseconds.service),
    time(cpuMicroseconds.database),
    time(cpuMicroseconds.visitors),
  ];
}

function spread({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
