import { textAt, valueAt } from "../../../core/interpreter/flow.ts";
import type { WayOutName } from "../../../core/interpreter/schemas/own-keys.ts";
import { durationText, type WordsOf } from "../words/language.ts";

export type WayOutWords = WordsOf<"canvas">["card"]["ways"];

/**
 * Returns the text and icon of a block's exit, on cards and in the outline. An exit with an unknown name shows its
 * name.
 */
export function wayOutLine(
  name: WayOutName,
  holder: unknown,
  words: WayOutWords,
): { readonly text: string; readonly icon: string } {
  if (name === "timeout") return { text: timeLine(holder, words), icon: "clock" };
  return { text: name === "failure" ? words.failure : name, icon: "triangle-alert" };
}

function timeLine(holder: unknown, words: WayOutWords): string {
  const after = valueAt(holder, "after");
  const text = textAt(holder, "after")?.trim() ?? "";
  if (text.includes("{{")) return words.after({ time: text });
  const seconds = typeof after === "number" ? after : Number(text);
  return seconds > 0 ? words.after({ time: durationText(seconds) }) : words.noTime;
}
