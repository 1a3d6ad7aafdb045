import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../core/interpreter/flow.ts";

/**
 * A task that people often forget before they publish a bot for the first time. The task is a hint and does not block
 * the publication.
 */
export type FirstCheck = {
  readonly check: "question" | "contrast" | "name" | "phone";
  readonly isDone: boolean;
  /** The block that the task is about, if any. */
  readonly blockId?: string;
};

export type FirstFacts = {
  readonly name: string;
  /** Whether some text has too little contrast with its background. */
  readonly isFaint: boolean;
  /** Whether the author has answered a question in a phone-sized preview in this browser. */
  readonly isTried: boolean;
};

export function firstChecks(draft: DraftDocument, { name, isFaint, isTried }: FirstFacts): readonly FirstCheck[] {
  const blockId = choiceWithoutQuestion(draft);
  return [
    { check: "question", isDone: blockId === undefined, ...(blockId !== undefined && { blockId }) },
    { check: "contrast", isDone: !isFaint },
    { check: "name", isDone: !working.test(name) },
    { check: "phone", isDone: isTried },
  ];
}

/**
 * Matches working names such as "Untitled" or "Copy of …", and names of at most two characters. Visitors should not see
 * such names.
 */
const working = /\b(test|copy|kopie|copie|cópia|untitled|draft|entwurf)\b|^.{0,2}$/i;
const choices = ["choice input", "picture choice input"];
const bubbles = ["text", "image", "video", "audio", "embed"];

/**
 * Returns the id of the first choice that visitors can reach without seeing a bubble before it, or undefined. Looks
 * back only as far as the groups that lead directly to the choice's group.
 */
function choiceWithoutQuestion(draft: DraftDocument): string | undefined {
  const groups = objectsIn(draft.groups);
  const edges = objectsIn(draft.edges);
  for (const group of groups) {
    const blocks = objectsIn(group["blocks"]);
    for (const [index, block] of blocks.entries()) {
      if (!choices.includes(textAt(block, "type") ?? "")) continue;
      const isAsked = isSaidBefore(blocks, index) ?? !isReachedInSilence(edges, groups, idOf(group));
      if (!isAsked) return idOf(block);
    }
  }
  return undefined;
}

/**
 * Whether the nearest bubble or input before a position in a group is a bubble. Undefined if the group has neither
 * before the position.
 */
function isSaidBefore(blocks: readonly JsonObject[], end: number): boolean | undefined {
  for (const block of blocks.slice(0, end).toReversed()) {
    const type = textAt(block, "type") ?? "";
    if (bubbles.includes(type)) return true;
    if (type.endsWith(" input")) return false;
  }
  return undefined;
}

/** Whether an edge leads to the group from an event, or from a place where no bubble has followed the last input. */
function isReachedInSilence(
  edges: readonly JsonObject[],
  groups: readonly JsonObject[],
  groupId: string | undefined,
): boolean {
  return edges
    .filter(({ to }) => isJsonObject(to) && to["groupId"] === groupId)
    .some(({ from }) => {
      const blockId = textAt(from, "blockId");
      if (blockId === undefined) return true;
      for (const group of groups) {
        const blocks = objectsIn(group["blocks"]);
        const at = blocks.findIndex((block) => idOf(block) === blockId);
        if (at >= 0) return isSaidBefore(blocks, at + 1) === false;
      }
      return false;
    });
}
