import type { Change } from "../../../editing/change.ts";
import { textAt } from "../../../interpreter/flow.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";
import { eventWrites, takesForeignVariables } from "../variables.ts";

export const countsFromNothing: Rule = {
  name: "counts_from_nothing",
  severity: "warning",
  about:
    "A `Set variable` adds to a variable, takes from it, or multiplies it, and nothing gives that variable a value to begin with: the sum of nothing and one is no number, and so the variable gets the text of the expression (`+ 1`) instead. Silent where anything else writes the variable, where the expression says what to do without a value (`||`, `??`, `?`), where visitors are remembered, and in flows that are linked with others.",
  advice: "Give the variable a value to begin with, such as 0.",
  *find(linted) {
    const { flow, blocks, graph, references } = linted;
    if (getsValuesElsewhere(linted)) return;
    const grounded = new Set([...eventWrites(flow)].map(({ id }) => id));
    const counts: { readonly id: string; readonly at: (typeof blocks)[number] }[] = [];
    for (const at of blocks) {
      for (const { id } of references[at.node]?.writes ?? []) {
        if (isCount(textAt(at.block, "options", "expressionToEvaluate"), nameOf(linted, id))) counts.push({ id, at });
        else grounded.add(id);
      }
    }
    const empty = new Set(flow.variables.filter(({ value }) => isNothing(value)).map(({ id }) => id));
    for (const { id, at } of counts) {
      if (grounded.has(id) || !empty.has(id) || !graph.reachable.has(at.node)) continue;
      yield {
        ...{
          path: `${at.path}.options.expressionToEvaluate`,
          groupId: at.group.id,
          blockId: at.block.id,
          variableId: id,
        },
        isFixable: addsUp.test(textAt(at.block, "options", "expressionToEvaluate") ?? ""),
        message: `"${nameOf(linted, id)}" is counted up from nothing: it becomes a text, not a number.`,
      };
    }
  },
  fix: {
    about: "Lets the variable begin with 0.",
    changes({ variables }, findings) {
      const meant = new Set(findings.map(({ variableId }) => variableId));
      return variables.flatMap(({ id, value }): Change[] =>
        typeof id === "string" && meant.has(id) && isNothing(value)
          ? [{ op: "set", of: "variable", id, path: ["value"], value: "0" }]
          : [],
      );
    },
  },
};

/** Whether what is not written in this flow may still have a value. */
function getsValuesElsewhere(linted: LintedFlow): boolean {
  const { facts, flowFacts, references } = linted;
  if (flowFacts.remembersUser || (facts.linkedFrom?.length ?? 0) > 0 || takesForeignVariables(linted)) return true;
  return references.some(({ codes }) => codes.some((code) => code.includes("setVariable")));
}

function nameOf({ flow }: LintedFlow, id: string): string | undefined {
  return flow.variables.find((variable) => variable.id === id)?.name;
}

/** Whether an expression works out the next value of a variable from its last one, and from nothing else. */
function isCount(expression: string | undefined, name: string | undefined): boolean {
  if (expression === undefined || name === undefined || /[|?:;=]/.test(expression)) return false;
  const [first, last] = [
    /^\s*\{\{([^{}]*)\}\}\s*[-+*/]/.exec(expression),
    /[-+*/]\s*\{\{([^{}]*)\}\}\s*$/.exec(expression),
  ];
  return first?.[1] === name || last?.[1] === name;
}

/** Where 0 is what one begins from. */
const addsUp = /^\s*\{\{[^{}]*\}\}\s*[-+]|\+\s*\{\{[^{}]*\}\}\s*$/;

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
