import { chosenText } from "../../web/conversation/choices/chosen-text.ts";
import { filledTextAt, flagAt, listAt, numberAt, textAt } from "../../web/conversation/read.ts";
import { plainText } from "../../web/conversation/rich-text.ts";
import type { Bubble, ClientAction, Input } from "../../web/conversation/step.ts";

/** Formats a bubble as text for a terminal. */
export function bubbleText({ type, content }: Bubble): string {
  if (type === "text") return textAt(content, "markdown") ?? plainText(listAt(content, "richText"));
  const words = filledTextAt(content, "clickLink", "alt");
  const address = filledTextAt(content, "url");
  return [`[${type}]`, words, address].filter((part) => part !== undefined).join(" ");
}

/** Describes what an action does on a page. Returns undefined if the action has no visible effect. */
export function actionText(action: ClientAction): string | undefined {
  if (action.type === "redirect") return `[a page opens: ${textAt(action["redirect"], "url") ?? ""}]`;
  return undefined;
}

/** An answer that the visitor can choose by number. */
export type Choice = {
  readonly label: string;
  readonly reply: string;
  /** The item's id; undefined for a card's button, which is identified by its reply. */
  readonly id?: string | undefined;
};

/** Returns the choices of an input. The list is empty for an input without choices, such as a text or a rating. */
export function choicesOf(input: Input): Choice[] {
  const paths = listAt(input, "items").flatMap((item) =>
    listAt(item, "paths").map((path) => ({ item, path, id: textAt(path, "id") })),
  );
  if (paths.length > 0) {
    return paths.map(({ item, path, id }) => {
      const label = [filledTextAt(item, "title"), filledTextAt(path, "text")]
        .filter((part) => part !== undefined)
        .join(": ");
      return { label, reply: id ?? label };
    });
  }
  return listAt(input, "items").flatMap((item) => {
    const label = filledTextAt(item, "content") ?? filledTextAt(item, "title") ?? filledTextAt(item, "value");
    const reply =
      filledTextAt(item, "value") ?? filledTextAt(item, "content") ?? filledTextAt(item, "title") ?? textAt(item, "id");
    return reply === undefined ? [] : [{ label: label ?? reply, reply, id: textAt(item, "id") }];
  });
}

export function takesSeveral(input: Input): boolean {
  return flagAt(input, "options", "isMultipleChoice") === true;
}

function isRanking(input: Input): boolean {
  return input.type === "ranking input";
}

export function takesFiles(input: Input): boolean {
  return input.type === "file input" || input.type === "signature input";
}

/** Returns the prompt of an input: the numbered choices, or otherwise a description of the expected answer. */
export function questionText(input: Input): string {
  const choices = choicesOf(input).map(({ label }, index) => `  ${index + 1}) ${label}`);
  if (choices.length > 0) {
    const hint = isRanking(input)
      ? "Their numbers in your order, separated by commas:"
      : takesSeveral(input)
        ? "The numbers of your choices, separated by commas:"
        : "The number of your choice:";
    return [...choices, hint].join("\n");
  }
  const rows = listAt(input, "options", "rows").map((row) => textAt(row, "title") ?? "");
  if (rows.length > 0) {
    const columns = listAt(input, "options", "columns").map((column, index) => `  ${index + 1}) ${column}`);
    return [...columns, `A number for each, separated by commas: ${rows.join(", ")}`].join("\n");
  }
  if (takesFiles(input)) return "The path of a file (an empty line skips it, if the bot allows that):";
  if (input.type === "rating input") return `A number up to ${numberAt(input, "options", "length") ?? 10}:`;
  return filledTextAt(input, "options", "labels", "placeholder") ?? "Your answer:";
}

/**
 * Converts a line to an answer. If the line consists of choice numbers, the answer contains the chosen items.
 * Otherwise, and for a ranking, the answer is the line itself.
 */
export function replyOf(line: string, input: Input): string {
  const choices = isRanking(input) ? [] : choicesOf(input);
  const parts = takesSeveral(input) ? line.split(",") : [line];
  const chosen = parts.map((part) => (/^\s*\d+\s*$/.test(part) ? choices[Number(part) - 1] : undefined));
  if (!chosen.every((one) => one !== undefined)) return line;
  const ids = chosen.flatMap(({ id }) => id ?? []);
  const isPicture = input.type === "picture choice input" && !takesSeveral(input);
  const meant = isPicture ? undefined : chosenText(listAt(input, "items"), ids, takesSeveral(input));
  return meant ?? chosen.map(({ reply }) => reply).join(", ");
}
