import { type Spread, spreadOf } from "./numbers.ts";

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table in Markdown, so that it can be stored unchanged. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, ...rows].map((cells) => cells.map(String));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const [first = "", ...others] = lines.map((cells) =>
    row(widths.map((width, index) => (cells[index] ?? "").padEnd(width))),
  );
  print(`\n${[first, row(widths.map((width) => "-".repeat(width))), ...others].join("\n")}`);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Formats the median of the rounds, and their spread in brackets. */
export function rates(list: readonly number[]): string {
  return spreadText(spreadOf(list), 0);
}

export function ratios(list: readonly number[]): string {
  return spreadText(spreadOf(list), 2);
}

function spreadText({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/**
 * Prints a figure with its target. A missed target is not an error, because figures from a busy machine are not
 * reliable.
 */
export function printTarget(name: string, { value, most, least, digits = 2, unit = "" }: Target): void {
  const isMet = (most === undefined || value <= most) && (least === undefined || value >= least);
  const bounds = [
    least === undefined ? "" : `at least ${least}${unit}`,
    most === undefined ? "" : `at most ${most}${unit}`,
  ];
  print(
    `- ${isMet ? "met" : "NOT MET"}: ${name}: ${value.toFixed(digits)}${unit} (${bounds.filter(Boolean).join(", ")})`,
  );
}

export type Target = {
  readonly value: number;
  readonly least?: number;
  readonly most?: number;
  readonly digits?: number;
  readonly unit?: string;
};
