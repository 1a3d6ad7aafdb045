import { textAt } from "../../interpreter/flow.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const equalGroupTitles: Rule = {
  name: "equal_group_titles",
  severity: "warning",
  about:
    "Two groups have the same title, and the flow refers to the title. A jump to the group that a variable names goes to the first group. A request body with all answers uses the title as the name of answers without a variable, so Parley numbers later answers with the same title. A reply event saves the title as the name of the input. If nothing refers to the titles, they may be equal.",
  advice: "Give the group a unique title.",
  *find(linted) {
    const { flow } = linted;
    const seen = new Set<string>();
    const seenWithAnswers = new Set<string>();
    const [isJumpedTo, isListed, isSaved] = [jumpsByTitle(linted), listsAnswers(linted), savesTitle(linted)];
    for (const [index, { id, title }] of flow.groups.entries()) {
      if (!title) continue;
      const inputs = inputsOf(linted, id);
      const hasKey = inputs.some(({ block }) => !textAt(block.options, "variableId"));
      const isNumbered = isListed && hasKey && seenWithAnswers.has(title);
      const isNamed = isSaved && inputs.length > 0 && seen.has(title);
      const place = { path: `groups[${index}]`, groupId: id };
      if (isJumpedTo && seen.has(title))
        yield {
          ...place,
          message: "An earlier group has the same title, and a jump by title goes to the earlier group.",
        };
      else if (isNumbered)
        yield {
          ...place,
          message:
            "An earlier group has the same title, so bodies that list all answers number the answers of this group.",
        };
      else if (isNamed)
        yield {
          ...place,
          message: "An earlier group has the same title, so the reply event cannot distinguish them.",
        };
      seen.add(title);
      if (hasKey) seenWithAnswers.add(title);
    }
  },
};

function inputsOf({ blocks, registry }: LintedFlow, groupId: string) {
  return blocks.filter(({ block, group }) => group.id === groupId && registry.get(block.type)?.family === "input");
}

function jumpsByTitle({ blocks, graph }: LintedFlow): boolean {
  return blocks.some(({ block, node }) => block.type === "Jump" && graph.ways[node]?.ways.some(isAnywhere));
}

function isAnywhere({ kind }: { readonly kind: string }): boolean {
  return kind === "anywhere";
}

function listsAnswers({ blocks, registry }: LintedFlow): boolean {
  return blocks.some(({ block }) => registry.get(block.type)?.listsAnswers?.(block));
}

function savesTitle({ flow }: LintedFlow): boolean {
  return (flow.events ?? []).some((event) => textAt(event, "options", "inputNameVariableId"));
}
