import type { CaseReport, HighAvailabilityReport } from "./run-cases.ts";

/** Returns the cases as a Markdown table, with all cases of one name in one row. */
export function tableOf({ cases }: Pick<HighAvailabilityReport, "cases">): string {
  const rows = [...Map.groupBy(cases, ({ name }) => name)].map(([name, list]) => {
    const sum = (of: (one: CaseReport) => number) => list.reduce((total, one) => total + of(one), 0);
    return [
      name,
      list.length,
      sum(({ acknowledged }) => acknowledged),
      sum(({ lost }) => lost),
      sum(({ doubled }) => doubled),
      secondsOf(list.map(({ psqlMs }) => psqlMs)),
      secondsOf(list.map(({ afterPsqlMs }) => afterPsqlMs)),
    ];
  });
  const head = ["Case", "Times", "Acknowledged", "Lost", "Doubled", "psql writes after (s)", "Parley after psql (s)"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function secondsOf(times: readonly number[]): string {
  const sorted = times.map((ms) => ms / 1_000).toSorted((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const most = sorted.at(-1) ?? 0;
  return sorted.length === 1 ? most.toFixed(1) : `${middle.toFixed(1)} (${most.toFixed(1)})`;
}
