import { expect, test } from "bun:test";
import { bubbleKindNames } from "../../src/web/components/bubbles/index.ts";
import { common, kindName, rare } from "../../src/web/components/inputs/index.ts";
import { more } from "../../src/web/components/inputs/more.ts";
import { at, textAt } from "../../src/web/conversation/read.ts";
import { cellName, sheetNames, states } from "../tools/gallery/cell.ts";
import { baseCells, pairCells, pairsOf } from "../tools/gallery/pairs.ts";
import { subjects } from "../tools/gallery/subjects/index.ts";

const base = baseCells(subjects);
const cells = [...base, ...pairCells(subjects)];

test("each kind of bubble and of input is in the gallery", () => {
  const bubbles = subjects.flatMap(({ messages = [] }) =>
    messages.map((message) => (at(message, "notice") ? "notice" : textAt(message, "type"))),
  );
  const inputs = subjects.flatMap(({ input }) => (input ? [kindName(input)] : []));

  // A message that is still being written looks like a text, and a message with tables is a text.
  const texts = ["growing", "rich"];
  expect(bubbleKindNames().filter((kind) => !texts.includes(kind) && !bubbles.includes(kind))).toEqual([]);
  const kindNames = [...common.keys(), ...rare.keys(), ...more.keys()];
  // Choices with similar options look like other choices.
  expect(kindNames.filter((kind) => kind !== "choice input, alike" && !inputs.includes(kind))).toEqual([]);
  expect(kindNames.length).toBeGreaterThan(10);
});

test("the 12 sheets of the gallery show every state", () => {
  const names = cells.map(cellName);

  expect(states.filter((state) => !base.some((cell) => cell.state === state))).toEqual([]);
  expect(sheetNames.filter((name) => !base.some(({ subject }) => subject.sheet === name))).toEqual([]);
  expect(sheetNames).toHaveLength(12);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeLessThanOrEqual(310);
});

test("each paired gallery subject appears with every background, roundness and frame", () => {
  const paired = subjects.filter(({ isPaired }) => isPaired);
  const shown = new Set(pairCells(subjects).flatMap(pairsOf));
  const looks = [
    ["dark", "image"],
    ["none", "medium", "large"],
    ["rtl", "1440"],
  ].flat();

  expect(paired.length).toBeGreaterThan(20);
  for (const { name } of paired) {
    const missing = looks.filter(
      (look) => ![...shown].some((pair) => pair.startsWith(`0 ${name} `) && pair.endsWith(` ${look}`)),
    );
    expect({ name, missing }).toEqual({ name, missing: [] });
  }
});
