import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Content, lengthOf } from "../../../../src/core/editing/text/content.ts";
import { diffTexts, EditMisses, editText, invertEdit, wrongWith } from "../../../../src/core/editing/text/edit.ts";
import {
  applyOps,
  compose,
  cross,
  invertOps,
  LengthMisses,
  positionBefore,
  type TextOp,
  transform,
  transformPosition,
} from "../../../../src/core/editing/text/ops.ts";
import { treeOf, unitsOf } from "../../../../src/core/editing/text/units.ts";
import { sizeOf } from "../../../support/campaigns.ts";
import { createDice, type Dice } from "../commands.ts";
import { randomOps, randomText } from "./texts-arbitrary.ts";

const numRuns = sizeOf({ short: 2_000, long: 1_000_000, variable: "PARLEY_EDITING_STEPS" });

function forAll(
  prove: (dice: Dice, kind: "plain" | "rich") => void,
  examples: [number, "plain" | "rich"][] = [],
): void {
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom("plain" as const, "rich" as const), (seed, kind) =>
      prove(createDice(seed), kind),
    ),
    { numRuns, examples },
  );
}

const minutes = 3_600_000;

describe("any two edits of any text", () => {
  test(
    "two concurrent edits give the same text in either order",
    () => {
      forAll((dice, kind) => {
        const text = randomText(dice, kind);
        const [earlier, later] = [randomOps(dice, text), randomOps(dice, text)];
        const after = cross(earlier, later);
        expect(applyOps(applyOps(text, earlier), after.later)).toEqual(applyOps(applyOps(text, later), after.earlier));
      });
    },
    minutes,
  );

  test(
    "two consecutive edits are composed into one edit",
    () => {
      forAll((dice, kind) => {
        const text = randomText(dice, kind);
        const first = randomOps(dice, text);
        const between = applyOps(text, first);
        const second = randomOps(dice, between);
        expect(applyOps(text, compose(first, second))).toEqual(applyOps(between, second));
      });
    },
    minutes,
  );

  test(
    "the undo of an edit can be applied after another author's edit",
    () => {
      forAll((dice, kind) => {
        const text = randomText(dice, kind);
        const ops = randomOps(dice, text);
        const after = applyOps(text, ops);
        expect(applyOps(after, invertOps(text, ops))).toEqual(text);
        const theirs = randomOps(dice, after);
        const undo = transform(invertOps(text, ops), theirs);
        expect(puts(undo)).toEqual(puts(invertOps(text, ops)));
        expect(() => applyOps(applyOps(after, theirs), undo)).not.toThrow();
      });
    },
    minutes,
  );
});

test(
  "the difference of two texts turns one text into the other",
  () => {
    forAll((dice, kind) => {
      const [before, after] = [storedText(dice, kind), storedText(dice, kind)];
      const edit = diffTexts(before, after, kind);
      if (!edit) throw new Error("Both are texts");
      expect(editText(before, edit)).toEqual(after);
      expect(editText(after, invertEdit(before, edit))).toEqual(before);
      expect(diffTexts(before, before, kind)?.ops.every((op) => "keep" in op)).toBe(true);
    });
  },
  minutes,
);

test(
  "a rich text is unchanged when it is written as a tree and read again",
  () => {
    forAll((dice) => {
      const units = randomText(dice, "rich");
      if (typeof units === "string") throw new Error("It is rich");
      const again = unitsOf(treeOf(units));
      expect(shapeOf(again ?? [])).toBe(shapeOf(units));
      expect(treeOf(again ?? [])).toEqual(treeOf(units));
    });
  },
  minutes,
);

test(
  "a position stays within the text after an edit",
  () => {
    forAll((dice, kind) => {
      const text = randomText(dice, kind);
      const ops = randomOps(dice, text);
      const at = dice.below(lengthOf(text) + 1);
      const split = [{ keep: at }, { keep: lengthOf(text) - at }].filter(({ keep }) => keep > 0);
      const before = lengthOf(applyOps(text, ops));
      for (const side of ["before", "after"] as const) {
        const moved = transformPosition(ops, at, side);
        expect(moved).toBeGreaterThanOrEqual(0);
        expect(moved).toBeLessThanOrEqual(before);
      }
      expect(transformPosition(split, at)).toBe(at);
    });
  },
  minutes,
);

test("a caret stays before text inserted at its position", () => {
  const ops: TextOp[] = [{ keep: 2 }, { put: "new" }, { keep: 1 }, { drop: 2 }];
  expect([0, 2, 3, 4, 5].map((at) => transformPosition(ops, at))).toEqual([0, 2, 6, 6, 6]);
  expect(transformPosition(ops, 2, "before")).toBe(5);
});

test(
  "a position in unchanged text maps back and forward to the same position",
  () => {
    forAll((dice, kind) => {
      const text = randomText(dice, kind);
      const ops = randomOps(dice, text);
      for (let at = 0, made = 0, read = 0; at < ops.length; at++) {
        const op = ops[at];
        if (!op) continue;
        if ("put" in op) {
          const count = lengthOf(op.put);
          for (let unit = 1; unit <= count; unit++) expect(positionBefore(ops, made + unit)).toBe(read);
          made += count;
        } else if ("drop" in op) read += op.drop;
        else {
          const count = "keep" in op ? op.keep : op.mark;
          for (let unit = 1; unit < count; unit++) {
            expect(positionBefore(ops, made + unit)).toBe(read + unit);
            expect(transformPosition(ops, positionBefore(ops, made + unit))).toBe(made + unit);
          }
          made += count;
          read += count;
        }
      }
    });
  },
  minutes,
);

test("the earlier of two insertions at one position comes first", () => {
  const mine: TextOp[] = [{ keep: 1 }, { put: "mine" }];
  const theirs: TextOp[] = [{ keep: 1 }, { put: "theirs" }];
  expect(applyOps(applyOps("x", theirs), transform(mine, theirs))).toBe("xtheirsmine");
  const text = unitsOf([{ type: "p", children: [{ text: "ab" }] }]) ?? [];
  const marked = (color: string): TextOp[] => [{ mark: 2, marks: { color } }, { keep: 1 }];
  const crossed = cross(marked("red"), marked("blue"));
  const both = [
    applyOps(applyOps(text, marked("red")), crossed.later),
    applyOps(applyOps(text, marked("blue")), crossed.earlier),
  ];
  for (const units of both) expect(units).toEqual([{ text: "ab", marks: { color: "blue" } }, { line: {} }]);
});

test("inserting a letter into a text of 50,000 letters is an edit of one letter", () => {
  const long = "word ".repeat(10_000);
  const typed = `${long.slice(0, 25_000)}x${long.slice(25_000)}`;
  expect(diffTexts(long, typed, "plain")?.ops).toEqual([{ keep: 25_000 }, { put: "x" }, { keep: 25_000 }]);
  const tree = (text: string) => [{ type: "p", children: [{ text }] }];
  expect(diffTexts(tree(long), tree(typed), "rich")?.ops).toEqual([
    { keep: 25_000 },
    { put: [{ text: "x" }] },
    { keep: 25_001 },
  ]);
});

test("characters of two code units are replaced as a whole", () => {
  expect(diffTexts("a🙂b", "a🙃b", "plain")?.ops).toEqual([{ keep: 1 }, { put: "🙃" }, { drop: 2 }, { keep: 1 }]);
  // The two characters end with the same UTF-16 code unit.
  expect(diffTexts("\u{10000}", "\u{10400}", "plain")?.ops).toEqual([{ put: "\u{10400}" }, { drop: 2 }]);
});

test("two changed words of a text are replaced separately", () => {
  expect(diffTexts("The cat sat on the mat", "The dog sat on the rug", "plain")?.ops).toEqual([
    { keep: 4 },
    { put: "dog" },
    { drop: 3 },
    { keep: 12 },
    { put: "rug" },
    { drop: 3 },
  ]);
});

test("letters with a new format are marked, not inserted again", () => {
  const tree = (...children: unknown[]) => [{ type: "p", children }];
  const edit = diffTexts(tree({ text: "Hello" }), tree({ text: "He" }, { text: "llo", bold: true }), "rich");
  expect(edit?.ops).toEqual([{ keep: 2 }, { mark: 3, marks: { bold: true } }, { keep: 1 }]);
});

test("an item that two authors split simultaneously stays in one list", () => {
  const item = (text: string) => ({ type: "li", children: [{ type: "lic", children: [{ text }] }] });
  const before = [{ type: "ul", children: [item("one two three")] }];
  const mine = diffTexts(before, [{ type: "ul", children: [item("one"), item(" two three")] }], "rich");
  const theirs = diffTexts(before, [{ type: "ul", children: [item("one two"), item(" three")] }], "rich");
  if (!mine || !theirs) throw new Error("Both are edits");
  const after = editText(editText(before, theirs), { ...mine, ops: transform(mine.ops, theirs.ops) });
  expect(after).toEqual([{ type: "ul", children: [item("one"), item(" two"), item(" three")] }]);
});

test("a rich text that cannot be restored exactly is not converted to units", () => {
  const p = (...children: unknown[]) => [{ type: "p", children }];
  expect(unitsOf(p({ text: "a" }, { text: "b" }))).toBeUndefined();
  expect(unitsOf(p({ text: "a" }, { text: "", bold: true }))).toBeUndefined();
  expect(unitsOf(p({ text: "a", color: null }))).toBeUndefined();
  expect(unitsOf([{ text: "a" }])).toBeUndefined();
  expect(diffTexts([{ text: "a" }], p({ text: "a" }), "rich")).toBeUndefined();
  const padded = p({ text: "" }, { type: "a", url: "u", children: [{ text: "here" }] }, { text: "" });
  expect(unitsOf(padded)).toEqual([{ text: "here", link: { url: "u" } }, { line: { isPadded: true } }]);
});

test("an edit creates a missing text, and undoing the edit removes the text", () => {
  const edit = { text: "plain", ops: [{ put: "Hi" }] } as const;
  expect(editText(undefined, edit)).toBe("Hi");
  expect(invertEdit(undefined, edit)).toEqual({ text: "plain", ops: [{ drop: 2 }], isOptional: true });
  expect(editText("Hi", invertEdit(undefined, edit))).toBeUndefined();
  expect(editText("Hi", { text: "plain", ops: [{ drop: 2 }] })).toBe("");
  // An earlier counterexample: a rich text has a line as soon as it has a letter.
  const rich = { text: "rich", ops: [{ put: [{ text: "Hi" }] }, { keep: 1 }] } as const;
  const made = editText(undefined, rich);
  expect(made).toEqual([{ type: "p", children: [{ text: "Hi" }] }]);
  expect(editText(made, invertEdit(undefined, rich))).toBeUndefined();
});

test.each([
  ["plain", "abc", [{ keep: 4 }], "covers 4 units of a text of 3"],
  ["plain", "abc", [{ keep: 2 }], "covers 2 units of a text of 3"],
  ["plain", "🙂", [{ keep: 1 }, { drop: 1 }], "splits a character: a pair of UTF-16 units must stay together"],
  [
    "plain",
    "🙂",
    [{ keep: 1 }, { put: "x" }, { keep: 1 }],
    "splits a character: a pair of UTF-16 units must stay together",
  ],
  ["plain", ["abc"], [{ keep: 1 }], "edits a text that is not a plain text"],
  ["rich", "abc", [{ keep: 3 }], "edits a text that is not a rich text"],
  ["rich", [], [{ drop: 1 }], "must keep the end of the last line as its last step"],
  ["rich", [], [{ keep: 1 }, { put: [{ text: "a" }] }], "must keep the end of the last line as its last step"],
  [
    "rich",
    [{ type: "p", children: [{ text: "🙂" }] }],
    [{ mark: 1, marks: { bold: true } }, { keep: 2 }],
    "splits a character: a pair of UTF-16 units must stay together",
  ],
] as const)(
  "an edit of a %s text with the value %j and the steps %j is refused because it %s",
  (text, value, ops, reason) => {
    expect(() => editText(value, { text, ops })).toThrow(EditMisses);
    expect(() => editText(value, { text, ops })).toThrow(reason);
  },
);

test.each([
  ["plain", [{ put: [{ text: "a" }] }], "inserts something other than a string into a plain text"],
  ["plain", [{ mark: 1, marks: { bold: true } }], "marks characters of a plain text"],
  ["plain", [{ keep: 1, drop: 1 }], "has a step that is not one of keep, drop, put and mark"],
  ["rich", [{ put: [{ text: "a", line: {} }] }, { keep: 1 }], "inserts something that a rich text cannot contain"],
  ["rich", [{ put: "a" }, { keep: 1 }], "inserts a string into a rich text"],
  ["rich", [{ put: [{ node: { text: "abc" } }] }, { keep: 1 }], "inserts something that a rich text cannot contain"],
  [
    "rich",
    [{ put: [{ text: "a", marks: { text: "b" } }] }, { keep: 1 }],
    "inserts something that a rich text cannot contain",
  ],
  ["rich", [{ put: [{ text: "" }] }, { keep: 1 }], "inserts something that a rich text cannot contain"],
  [
    "rich",
    [{ put: [{ line: { in: [{ type: "p" }] } }] }, { keep: 1 }],
    "inserts something that a rich text cannot contain",
  ],
  ["rich", [{ mark: 1, line: { of: { children: [] } } }], "uses marks that a rich text cannot have"],
  ["rich", [{ mark: 1, marks: { children: [] } }, { keep: 1 }], "uses marks that a rich text cannot have"],
] as const)("an edit of a %s text with the steps %j is invalid because it %s", (text, ops, reason) => {
  expect(wrongWith(text, ops)).toBe(reason);
});

test("two edits that do not match in length are refused", () => {
  expect(() => cross([{ keep: 1 }], [{ keep: 2 }])).toThrow(LengthMisses);
  expect(() => compose([{ keep: 1 }], [{ keep: 2 }])).toThrow(LengthMisses);
});

/** Returns a stored text, or undefined for a missing text. */
function storedText(dice: Dice, kind: "plain" | "rich"): unknown {
  if (dice.oneIn(10)) return undefined;
  const content = randomText(dice, kind);
  return typeof content === "string" ? content : treeOf(unitsOf(treeOf(content)) ?? []);
}

function puts(ops: readonly TextOp[]): string {
  return ops.map((op) => ("put" in op ? shapeOf(op.put) : "")).join("");
}

/** Returns the letters of a content. Each end of a line becomes one character, and nodes are left out. */
function shapeOf(content: Content): string {
  if (typeof content === "string") return content;
  return content.map((segment) => ("text" in segment ? segment.text : "node" in segment ? "" : "\u0002")).join("");
}
