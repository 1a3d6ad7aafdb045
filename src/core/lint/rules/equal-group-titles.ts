import { textAt } from "../../interpreter/flow.ts";
import type { LintedFlow } from "../linted-flow.ts";
import type { Rule } from "../rule.ts";

export const equalGroupTitles: Rule = {
  name: "equal_group_titles",
  severity: "warning",
  about:
    "Two groups have one title, and something refers to it: a jump to the group that a variable names takes the first of them; a body without a text of its own names answers without a variable by it, so the later ones are numbered; a reply event saves it as the name of the input. Elsewhere titles may be equal.",
  advice: "Give the group a title of its own.",
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
        yield { ...place, message: "An earlier group has the same title, and a jump by it leads to that one." };
      else if (isNumbered)
        yield {
          ...place,
          message: "An earlier group has the same title: bodies that list all answers number those of this one.",
        };
      else if (isNamed)
        yield {
          ...place,
          message: "An earlier group has the same title, and the reply event does not tell them apart.",
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
