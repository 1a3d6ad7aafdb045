import { expect, test } from "bun:test";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const root = join(import.meta.dir, "../..");
const read = (path: string) => Bun.file(join(root, path)).text();

/**
 * The labels of each metric in docs/metrics.md, which `test/platform/observing/metrics.test.ts` compares with the
 * exported labels.
 */
const metrics = new Map<string, { readonly type: string; readonly labels: readonly string[] }>();
for (const [, name = "", type = "", labels = ""] of (await read("docs/metrics.md")).matchAll(
  /^\| `(\w+)` +\| (\w+) +\| ([^|]*)\|/gm,
))
  metrics.set(name, { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label) });

/** The labels that Prometheus adds. */
const ofScrapes = ["instance", "job", "le"];

const Rule = Type.Object(
  {
    alert: Type.String({ pattern: "^Parley[A-Z]\\w+$" }),
    expr: Type.String(),
    for: Type.Optional(Type.String({ pattern: "^\\d+m$" })),
    labels: Type.Object({ severity: Type.Union([Type.Literal("critical"), Type.Literal("warning")]) }),
    annotations: Type.Object({
      summary: Type.String({ minLength: 10 }),
      description: Type.String({ minLength: 80 }),
    }),
  },
  { additionalProperties: false },
);
const Rules = Type.Object({ groups: Type.Array(Type.Object({ name: Type.String(), rules: Type.Array(Rule) })) });

const Panel = Type.Object({
  id: Type.Integer(),
  type: Type.Union([Type.Literal("row"), Type.Literal("timeseries")]),
  title: Type.String({ minLength: 1 }),
  gridPos: Type.Object({ x: Type.Integer(), y: Type.Integer(), w: Type.Integer(), h: Type.Integer() }),
  targets: Type.Optional(
    Type.Array(Type.Object({ expr: Type.String(), refId: Type.String(), legendFormat: Type.String() })),
  ),
});
const Dashboard = Type.Object({ uid: Type.String(), schemaVersion: Type.Integer(), panels: Type.Array(Panel) });

function problemsOf(expression: string): string[] {
  // Grafana replaces these variables before Prometheus receives the expression.
  const text = expression.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*");
  const problems: string[] = [];
  const names = new Set<string>();
  const labels = new Set<string>();
  parser.parse(text).iterate({
    enter(node) {
      const written = text.slice(node.from, node.to);
      if (node.type.isError) problems.push(`no PromQL at ${node.from}: ${text}`);
      if (node.name === "VectorSelector") names.add(/^\w+/.exec(written)?.[0] ?? written);
      if (node.name === "LabelName") labels.add(written);
    },
  });
  if (names.size === 0) problems.push(`no metric: ${text}`);
  const allowed = new Set(ofScrapes);
  for (const name of names) {
    const base = name.replace(/_(bucket|sum|count)$/, "");
    const metric = metrics.get(name) ?? (metrics.get(base)?.type === "histogram" ? metrics.get(base) : undefined);
    if (!metric && name !== "up") problems.push(`${name} is not printed`);
    for (const label of metric?.labels ?? []) allowed.add(label);
  }
  return [
    ...problems,
    ...[...labels].filter((label) => !allowed.has(label)).map((label) => `no label ${label}: ${text}`),
  ];
}

test("every alert uses existing metrics and labels", async () => {
  const { groups } = Value.Decode(Rules, Bun.YAML.parse(await read("deploy/alerts.yml")));
  const rules = groups.flatMap((group) => group.rules);

  expect(rules.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  expect(rules.length).toBeGreaterThan(10);
});

test("every panel of the dashboard uses existing metrics and labels", async () => {
  const { panels } = Value.Decode(Dashboard, JSON.parse(await read("deploy/grafana-dashboard.json")));
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

  expect(expressions.flatMap(problemsOf)).toEqual([]);
  expect(expressions.length).toBeGreaterThan(20);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true);
});

test.each([
  ["sum(rate(parley_steps_total[5m])", "no PromQL"],
  ["rate(parley_stepz_total[5m])", "parley_stepz_total is not printed"],
  ["sum by (color) (parley_processes)", "no label color"],
  ["parley_steps_total_count", "parley_steps_total_count is not printed"],
])("the invalid expression %s is detected", (expression, problem) => {
  expect(problemsOf(expression).join()).toContain(problem);
});
