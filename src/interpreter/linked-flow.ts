import { limits } from "../limits.ts";
import { overBudget, spendCharacters } from "./budget.ts";
import { mergedInto } from "./merge.ts";
import type { Link } from "./outcome.ts";
import type { Place, Program, Target } from "./program.ts";
import { resultOf } from "./result.ts";
import type { Hop } from "./state.ts";
import { head, produce, type Step } from "./step.ts";
import { createVariables, type Variables } from "./variables.ts";
import { weightOf } from "./weight.ts";

/**
 * Puts a linked flow in front of the running one and tells where it begins; undefined, with a log, where the flow has no
 * such group.
 */
export function enterLinkedFlow(step: Step, place: Place, link: Link): Target | undefined {
  const parent = head(step);
  const isCurrent = link.program === "current";
  const program = isCurrent ? parent.program : step.programOf(link.program);
  const groupId = targetGroup(program, link.group);
  if (groupId === undefined) {
    const wanted = link.group && ("id" in link.group ? link.group.id : link.group.title);
    const details = `Group with ID "${wanted ?? ""}" not found`;
    produce(step, { logs: [{ description: "Failed to link typebot", details }] });
    return undefined;
  }
  if (step.frames.length >= limits.step.linkedFlows) throw overBudget(step, "linkedFlows");
  // Going in and coming back each look at every variable.
  spendCharacters(step, program.variables.list.length + parent.program.variables.list.length);
  const isMerging = isCurrent || link.isMerging;
  step.frames.unshift({
    program,
    variables: isCurrent ? createVariables(program, parent.variables.entries()) : inherited(step, program),
    resultId: isMerging || parent.resultId === null ? parent.resultId : link.resultId,
    sessionVariableIds: new Set(isCurrent ? parent.sessionVariableIds : []),
    answers: new Map(isMerging ? parent.answers : []),
    queuedHops: hopAfter(place),
    resumeAt: [],
    isMerging,
  });
  return { groupId };
}

function targetGroup(program: Program, group: Link["group"]): string | undefined {
  if (!group)
    return program.startEdgeId === undefined
      ? undefined
      : existing(program, program.edges.get(program.startEdgeId)?.groupId);
  return "id" in group ? existing(program, group.id) : program.groupsByTitle.get(group.title)?.id;
}

function existing(program: Program, groupId: string | undefined): string | undefined {
  return groupId !== undefined && program.groups.has(groupId) ? groupId : undefined;
}

/** Where the flow that links goes on afterwards: through the link's edge, else at the next block of its group. */
function hopAfter({ block, group, index }: Place): Hop[] {
  if (typeof block.outgoingEdgeId === "string") return [{ edgeId: block.outgoingEdgeId }];
  const next = group.blocks[index + 1];
  return next ? [{ groupId: group.id, blockId: next.id }] : [];
}

/** Every variable has the value of its namesake in the flows under way, from the running one outward, or none. */
function inherited(step: Step, program: Program): Variables {
  const namesakeOf = (name: string) => {
    for (const { variables } of step.frames) {
      const value = variables.byName(name);
      if (value !== undefined) return value;
    }
    return null;
  };
  return createVariables(
    program,
    program.variables.list.map(({ id, name }) => [id, namesakeOf(name)] as const),
  );
}

/** Ends the running flow and goes back to the one that linked to it: variables and answers are merged if the link says so. */
export function leaveLinkedFlow(step: Step): void {
  const [child, parent] = step.frames.splice(0, 2);
  if (!child || !parent) throw new TypeError("Left a flow that no other one linked to");
  if (!child.isMerging && child.resultId !== null && child.resultId !== parent.resultId) {
    const result = resultOf(child, child.resultId, { isCompleted: true });
    spendCharacters(step, weightOf(result));
    step.record.endedResults.push(result);
  }
  const returned = child.isMerging ? mergedInto(parent, child) : parent;
  step.frames.unshift(returned);
  step.totalAnswers += returned.answers.size;
}
