import type { DraftDocument } from "../../../core/editing/changes/change.ts";
import { idOf, objectsIn } from "../../../core/editing/changes/things.ts";
import { isJsonObject, type JsonObject, textAt } from "../../../core/interpreter/flow.ts";

/** A thing that people forget before the first publication of a bot. It is a hint: nothing waits for it. */
export type FirstCheck = {
  readonly check: "question" | "contrast" | "name" | "phone";
  readonly isDone: boolean;
  /** The block that it is about. */
  readonly blockId?: string;
};

export type FirstFacts = {
  readonly name: string;
  /** Whether a text was found that cannot be read on its ground. */
  readonly isFaint: boolean;
  /** Whether its preview was answered on a phone's screen, in this browser. */
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

/** Names for the time before visitors read them. */
const working = /\b(test|copy|kopie|copie|cópia|untitled|draft|entwurf)\b|^.{0,2}$/i;
const choices = ["choice input", "picture choice input"];
const bubbles = ["text", "image", "video", "audio", "embed"];

/** The first choice that visitors meet without a word above it, as far as that is known from the groups before it. */
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

/** Whether a bubble comes right before a place in a group; undefined if nothing there says or asks anything. */
function isSaidBefore(blocks: readonly JsonObject[], end: number): boolean | undefined {
  for (const block of blocks.slice(0, end).toReversed()) {
    const type = textAt(block, "type") ?? "";
    if (bubbles.includes(type)) return true;
    if (type.endsWith(" input")) return false;
  }
  return undefined;
}

/** Whether a line leads to a group from the start, or right from another question. */
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
