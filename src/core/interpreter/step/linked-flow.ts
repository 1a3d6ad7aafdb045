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
 * Makes the linked flow the running one, and returns its first position; undefined, with a log, if it has no such
 * group.
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
  // Entering and leaving a flow each read every variable.
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

/** How many entries of links are kept for visitors who go back: as many steps as they can undo. */
const mostEntries = limits.session.statesBefore;

/** The result that this entry of a link writes: the result of an undone entry, else the given one. */
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
 * The former state with the later entries of links, whose results the next entries write, for a visitor who goes back
 * from `left`.
 */
export function withEntriesLeft({ awaitsReport, ...state }: SessionState, left: SessionState): SessionState {
  const entered = new Set((state.linked ?? []).map(([, , resultId]) => resultId));
  const since = (left.linked ?? []).filter(([, , resultId]) => !entered.has(resultId));
  const all = [...(state.again ?? []), ...since, ...(left.again ?? [])];
  const again = [...new Map(all.map((one) => [one[2], one])).values()].slice(0, mostEntries);
  // `awaitsReport` must stay the last key.
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
 * Where the parent flow continues after the linked one: through the link's edge, else at the next block of its group.
 */
function hopAfter({ block, group, index }: Place): Hop[] {
  if (typeof block.outgoingEdgeId === "string") return [{ edgeId: block.outgoingEdgeId }];
  const next = group.blocks[index + 1];
  return next ? [{ groupId: group.id, blockId: next.id }] : [];
}

/** Each variable takes the first value that a variable of its name has, from the running flow outward. */
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

/** Ends the running flow and returns to its parent, merging variables and answers if the link asks for it. */
export function leaveLinkedFlow(step: Step): void {
  step.trace?.settle();
  const [child, parent] = step.frames.splice(0, 2);
  if (!child || !parent) throw new TypeError("Left a flow that no other one linked to");
  if (!child.isMerging && child.resultId !== null && child.resultId !== parent.resultId) {
    const result = resultOf(child, child.resultId, { isCompleted: true });
    spendCharacters(step, estimateCharacters(result));
    step.record.endedResults.push(result);
  }
  const returned = child.isMerging ? mergedInto(parent, child) : parent;
  step.frames.unshift(returned);
  step.totalAnswers += returned.answers.size;
}
