import type { Change, DraftDocument } from "../../editing/changes/change.ts";
import { type LintedBlock, placeIn } from "../facts.ts";
import { type LintedFlow, readFlow } from "../linted-flow.ts";
import type { FixedFinding, Rule } from "../rule.ts";
import { storedFlow } from "../stored-draft.ts";
import { createVisitorWays, type VisitorWay } from "../value-ways.ts";

export const amountFromVisitor: Rule = {
  name: "amount_from_visitor",
  severity: "warning",
  about:
    "A payment's amount or currency comes from a variable that visitors can set. Visitors type the value, or code or a request in their browser sends it. Or a start or the page's address may prefill the variable, and at least one path to the payment does not set it. The rule also finds values that pass through other variables, templates and scripts. It does not report choices, pictures, cards and ratings with your own values, or responses of other servers. For each payment, only the shortest path is reported.",
  advice:
    "Get the price from choices, a table or your own server, set it on every path to the payment, or do not allow the variable to be prefilled.",
  *find(linted) {
    const payments = linted.blocks.filter(({ block }) => block.type === "payment input");
    if (payments.length === 0) return;
    const waysTo = createVisitorWays(linted);
    for (const payment of payments) {
      const [shortest] = waysOf(linted, payment, waysTo).sort(
        (one, other) => one.way.names.length - other.way.names.length || rank[one.way.kind] - rank[other.way.kind],
      );
      if (!shortest) continue;
      const { part, way } = shortest;
      yield { ...placeIn(payment, part), message: messageOf(linted, way), isFixable: way.kind === "prefilled" };
    }
  },
  fix: {
    about:
      "Prevents a start or the page's address from setting the variables that contain the amount and the currency.",
    changes: notPrefilled,
  },
};

/**
 * The order of ways with equally many variables. Ways that remain after the variable is marked as not prefillable come
 * first.
 */
const rank = { typed: 0, client: 1, prefilled: 2 };

type WayTo = { readonly part: string; readonly way: VisitorWay };

function waysOf(
  { references }: LintedFlow,
  { node, path: root }: LintedBlock,
  waysTo: ReturnType<typeof createVisitorWays>,
): WayTo[] {
  const mentions = references[node]?.mentions ?? [];
  return ["options.amount", "options.currency"].flatMap((part) =>
    mentions
      .filter(({ path }) => path === `${root}.${part}`)
      .flatMap(({ name }) => waysTo(node, name).map((way) => ({ part, way }))),
  );
}

function messageOf({ blocks }: LintedFlow, { kind, names, node }: VisitorWay): string {
  const way = names.map((name) => `"${name}"`).join(" → ");
  const group = (node === undefined ? undefined : blocks[node]?.group.title) ?? "";
  switch (kind) {
    case "typed":
      return `Visitors set the price: they type ${way} in the group "${group}".`;
    case "client":
      return `Visitors set the price: their browser sends ${way} in the group "${group}".`;
    case "prefilled":
      return `Visitors set the price: the page's address may prefill ${way}.`;
    default:
      return kind satisfies never;
  }
}

function notPrefilled(draft: DraftDocument, findings: readonly FixedFinding[]): Change[] {
  const linted = readFlow(storedFlow(draft));
  const ids = new Set(findings.map(({ blockId }) => blockId));
  const waysTo = createVisitorWays(linted);
  const ways = linted.blocks.flatMap((lintedBlock) =>
    ids.has(lintedBlock.block.id) && lintedBlock.block.type === "payment input"
      ? waysOf(linted, lintedBlock, waysTo)
      : [],
  );
  const names = new Set(ways.flatMap(({ way }) => (way.kind === "prefilled" ? [way.names[0]] : [])));
  return linted.flow.variables.flatMap(({ id, name }): Change[] =>
    names.has(name) ? [{ op: "set", of: "variable", id, path: ["isPrefillable"], value: false }] : [],
  );
}
