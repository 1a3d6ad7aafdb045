import type { Proof } from "../../core/test-conversations/prove.ts";
import type { Tools } from "../command.ts";

/** The maximum number of characters that are printed of a value. */
const shownCharacters = 300;

/** Prints each test conversation with its problems, and the flow's coverage by all conversations together. */
export function printProof({ outcomes, coverage }: Proof, { print }: Pick<Tools, "print">): void {
  for (const { title, hasPassed, problems } of outcomes) {
    print(`${hasPassed ? "passed" : "FAILED"}  ${title}\n`);
    for (const { message, expected, actual } of problems) {
      print(`        ${message}\n`);
      if (expected !== undefined) print(`          expected: ${shown(expected)}\n`);
      if (actual !== undefined) print(`          actual:   ${shown(actual)}\n`);
    }
  }
  const failed = outcomes.filter(({ hasPassed }) => !hasPassed).length;
  print(`${outcomes.length - failed} passed, ${failed} failed\n`);
  for (const [name, { total, met, missed }] of Object.entries(coverage)) {
    const rest = missed.length === 0 ? "" : `, not ${cut(missed.join(", "))}`;
    print(`${name}: ${met} of ${total} reached${rest}\n`);
  }
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
