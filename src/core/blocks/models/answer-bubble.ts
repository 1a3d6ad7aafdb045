import { isJsonObject, valueAt } from "../../interpreter/flow.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { View } from "../../interpreter/program/view.ts";
import { blockBehind } from "../../interpreter/step/walk.ts";

/** The text bubble directly after a block, which shows the variable that the block writes. */
export type AnswerBubble = {
  readonly id: string;
  /**
   * Whether the bubble's first text is exactly the variable. Only an exact bubble can show the answer while it is
   * streamed.
   */
  readonly isExact: boolean;
};

export function answerBubble(block: BlockBase, variableId: string | undefined, view: View): AnswerBubble | undefined {
  const name = variableId === undefined ? "" : view.variables.nameOf(variableId);
  const next = name === "" ? undefined : blockBehind(view.program, block);
  if (next?.type !== "text") return undefined;
  const texts = textsIn(next.content);
  const reference = `{{${name}}}`;
  if (!texts.some((text) => text.includes(reference))) return undefined;
  return { id: next.id, isExact: texts[0] === reference };
}

function textsIn(content: unknown): string[] {
  const richText = valueAt(content, "richText");
  if (Array.isArray(richText)) return richText.flatMap(leaves);
  const words = valueAt(content, "plainText") ?? valueAt(content, "html");
  return typeof words === "string" ? [words] : [];
}

function leaves(node: unknown): string[] {
  if (!isJsonObject(node)) return [];
  const { children, text } = node;
  if (Array.isArray(children)) return children.flatMap(leaves);
  return typeof text === "string" ? [text] : [];
}
