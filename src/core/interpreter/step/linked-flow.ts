import { limits } from "../../../limits/index.ts";
import { estimateCharacters } from "../language/estimate-characters.ts";
import type { Link } from "../program/outcome.ts";
import type { Place, Program, Target } from "../program/program.ts";
import type { Hop, LinkedResult, SessionState } from "../program/state.ts";
import { createVariables, type Variables } from "../program/variables.ts";
import { overBudget, spendCharacters } from "./budget.ts";
import { mergedInto, resultOf } from "./finished-step.ts";
import { currentFrame, produce, type Step } from "./step.ts";

/**
 * Makes a linked flow the running flow and returns its first position. If the group does not exist, logs the problem
 * and returns undefined. Throws `StepRefused` if too many flows are linked within each other.
 */
export function enterLinkedFlow(step: Step, place: Place, link: Link): Target | undefined {
  const parent = currentFrame(step);
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
  // Variables are counted because entering and leaving a flow each iterate over all variables.
  spendCharacters(step, program.variables.list.length + parent.program.variables.list.length);
  const isMerging = isCurrent || link.isMerging;
  const ofLink = isMerging || parent.resultId === null ? parent.resultId : link.resultId;
  const isApart = ofLink !== null && ofLink !== parent.resultId;
  const resultId = isApart ? resultOfEntry(step, [place.block.id, program.botId, ofLink]) : ofLink;
  step.trace?.settle();
  step.frames.unshift({
    program,
    variables: isCurrent ? createVariables(program, parent.variables.entries()) : inherited(step, program),
    resultId,
    sessionVariableIds: isCurrent ? parent.sessionVariableIds : new Set(),
    answers: new Map(isMerging ? parent.answers : []),
    queuedHops: hopAfter(place),
    resumeAt: [],
    isMerging,
  });
  step.trace?.entered();
  return { groupId };
}

/**
 * The maximum number of entered links that are stored for visitors who go back. It equals the number of steps that they
 * can undo.
 */
const mostEntries = limits.session.statesBefore;

/**
 * Returns the id of the result that an entered link writes. If the visitor had entered the link before and went back,
 * its earlier result is reused. Otherwise the given result is used.
 */
function resultOfEntry(step: Step, [blockId, botId, given]: LinkedResult): string {
  const former = step.again?.find(([ofBlock, ofBot]) => ofBlock === blockId && ofBot === botId);
  if (former) {
    const rest = step.again?.filter((one) => one !== former);
    step.again = rest && rest.length > 0 ? rest : undefined;
  } else {
    step.record.begunResults ??= [];
    step.record.begunResults.push(given);
  }
  const resultId = former?.[2] ?? given;
  if (step.frames.at(-1)?.program.settings.general?.isGoBackEnabled) {
    const entries: LinkedResult[] = [...(step.linked ?? []), [blockId, botId, resultId]];
    step.linked = entries.slice(-mostEntries);
  }
  return resultId;
}

/**
 * Returns the earlier state for a visitor who goes back from the state `left`. The results of links that were entered
 * in between are added, so that later entries reuse these results.
 */
export function withEntriesLeft({ awaitsReport, ...state }: SessionState, left: SessionState): SessionState {
  const entered = new Set((state.linked ?? []).map(([, , resultId]) => resultId));
  const since = (left.linked ?? []).filter(([, , resultId]) => !entered.has(resultId));
  const all = [...(state.again ?? []), ...since, ...(left.again ?? [])];
  const again = [...new Map(all.map((one) => [one[2], one])).values()].slice(0, mostEntries);
  // `awaitsReport` must stay the last key: see the function `awaitsReport`.
  return { ...state, ...(again.length > 0 && { again }), ...(awaitsReport && { awaitsReport }) };
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

/**
 * Returns where the parent flow continues after the linked flow: through the link's edge, or at the next block of its
 * group if the link has no edge.
 */
function hopAfter({ block, group, index }: Place): Hop[] {
  if (typeof block.outgoingEdgeId === "string") return [{ edgeId: block.outgoingEdgeId }];
  const next = group.blocks[index + 1];
  return next ? [{ groupId: group.id, blockId: next.id }] : [];
}

/** Gives each variable the first value found for its name, from the running flow outward. */
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

/** Ends the running flow and returns to its parent. Variables and answers are merged if the link requires it. */
export function leaveLinkedFlow(step: Step): void {
  step.trace?.settle();
  const [child, parent] = step.frames.splice(0, 2);
  if (!child || !parent) throw new TypeError("The step left a flow that is not linked");
  if (!child.isMerging && child.resultId !== null && child.resultId !== parent.resultId) {
    const result = resultOf(child, child.resultId, { isCompleted: true });
    spendCharacters(step, estimateCharacters(result));
    step.record.endedResults.push(result);
  }
  const returned = child.isMerging ? mergedInto(parent, child) : parent;
  step.frames.unshift(returned);
  step.totalAnswers += returned.answers.size;
}
