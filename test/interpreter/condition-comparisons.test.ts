import { describe, expect, test } from "bun:test";
import { conditionHolds } from "../../src/interpreter/condition.ts";
import { viewWith } from "../blocks/logic-flow.ts";

const variables = {
  S: "Hello World",
  L: ["a", "b"],
  L2: ["b", "c"],
  LN: ["a", null],
  Nulls: [null, null],
  E: [],
  N: null,
  ES: "",
  Num: "10",
  D: "2024-05-01",
  Plus: "+33600000000",
  PlusFive: "+5",
  Acc: "e\u0301",
  ListAcc: ["e\u0301"],
  Blank: "  ",
  Padded: "  Hello World ",
  Word: "null",
  Same: ["x", "x"],
  Prefixed: ["Apple", " apple pie"],
  Four: ["a", "b", "c", "d"],
  Sentence: "Hello 5",
  Lines: "one\ntwo",
};

const view = viewWith(variables);

type Row = readonly [variable: string, operator: string, value: string | undefined, holds: boolean];

function check(rows: readonly Row[]): void {
  for (const [variable, comparisonOperator, value, holds] of rows) {
    test(`${variable} ${comparisonOperator} ${value === undefined ? "nothing" : JSON.stringify(value)}: ${holds}`, () => {
      const comparison = { variableId: `v${variable}`, comparisonOperator, ...(value !== undefined && { value }) };
      expect(conditionHolds({ comparisons: [comparison] }, view)).toBe(holds);
    });
  }
}

describe("equality", () => {
  check([
    ["S", "Equal to", "Hello World", true],
    ["S", "Equal to", "hello world", false],
    ["S", "Equal to", "Hello World ", false],
    ["Padded", "Equal to", "Hello World", false],
    ["Acc", "Equal to", "\u00e9", true],
    ["N", "Equal to", "null", true],
    ["N", "Equal to", "undefined", true],
    ["N", "Equal to", undefined, false],
    ["N", "Equal to", "", false],
    ["N", "Equal to", "x", false],
    ["ES", "Equal to", undefined, true],
    ["ES", "Equal to", "", true],
    ["ES", "Equal to", "null", false],
    ["Word", "Equal to", "null", false],
    ["Word", "Equal to", "{{Word}}", true],
    ["Missing", "Equal to", "null", true],
    ["Num", "Equal to", "10.0", false],
    ["Num", "Equal to", "{{Num}}", true],
    ["Num", "Equal to", "1{{Nothing}}0", true],
    ["N", "Equal to", "{{N}}", false],
    ["E", "Equal to", "zzz", true],
    ["E", "Equal to", "null", true],
    ["L", "Equal to", "a", false],
    ["Same", "Equal to", "x", true],
    ["L", "Equal to", "{{L}}", false],
    ["Same", "Equal to", "{{Same}}", true],
    ["Nulls", "Equal to", "null", true],
    ["LN", "Equal to", "a", false],
    ["S", "Equal to", "{{E}}", true],
    ["ListAcc", "Equal to", "\u00e9", true],
    ["L", "Equal to", " {{L}}", false],

    ["S", "Not equal", "hello world", true],
    ["S", "Not equal", "Hello World", false],
    ["Acc", "Not equal", "\u00e9", false],
    ["N", "Not equal", "x", true],
    ["N", "Not equal", "null", false],
    ["E", "Not equal", "zzz", true],
    ["L", "Not equal", "{{L2}}", false],
    ["L", "Not equal", "c", true],
    ["L", "Not equal", "b", false],
    ["LN", "Not equal", "null", false],
    ["Nulls", "Not equal", "x", true],
  ]);
});

describe("containing", () => {
  check([
    ["S", "Contains", "WORLD ", true],
    ["S", "Contains", "worlds", false],
    ["S", "Contains", "", false],
    ["S", "Contains", undefined, false],
    ["S", "Contains", "null", false],
    ["N", "Contains", "a", false],
    ["ES", "Contains", "a", false],
    ["Acc", "Contains", "\u00c9", true],
    ["S", "Contains", "{{L}}", false],
    ["S", "Contains", "{{Same}}", false],
    ["L", "Contains", "A", false],
    ["L", "Contains", "a", true],
    ["L", "Contains", "a ", false],
    ["L", "Contains", "{{L2}}", true],
    ["L", "Contains", "{{Same}}", false],
    ["LN", "Contains", "zzz", true],
    ["LN", "Contains", "null", true],
    ["L", "Contains", "null", true],
    ["Nulls", "Contains", "null", false],
    ["Nulls", "Contains", "x", true],
    ["E", "Contains", "a", false],
    ["E", "Contains", "null", false],
    ["ListAcc", "Contains", "\u00e9", true],
    ["L", "Contains", "", false],

    ["S", "Does not contain", "", true],
    ["S", "Does not contain", "null", true],
    ["N", "Does not contain", "a", true],
    ["S", "Does not contain", "hello", false],
    ["S", "Does not contain", "bye", true],
    ["S", "Does not contain", "{{L}}", true],
    ["L", "Does not contain", "a", false],
    ["L", "Does not contain", "A", true],
    ["L", "Does not contain", "{{L2}}", false],
    ["LN", "Does not contain", "zzz", true],
    ["LN", "Does not contain", "null", false],
    ["E", "Does not contain", "a", true],
  ]);
});

describe("size", () => {
  check([
    ["Num", "Greater than", "9", true],
    ["Num", "Greater than", "10", false],
    ["Num", "Greater or equal to", "10.0", true],
    ["Num", "Less than", "9", false],
    ["Num", "Less or equal to", "1e1", true],
    ["Num", "Greater than", "0x9", true],
    ["S", "Greater than", "5", true],
    ["S", "Less than", "11", false],
    ["S", "Less or equal to", "11", true],
    ["D", "Greater than", "2024-04-30", true],
    ["D", "Less than", "2024-05-01T00:00:01", true],
    ["D", "Greater or equal to", "May 1, 2024", true],
    ["Plus", "Greater than", "11", true],
    ["Plus", "Less than", "13", true],
    ["PlusFive", "Greater than", "1000", true],
    ["Sentence", "Greater than", "2000-01-01", true],
    ["Sentence", "Less than", "2002-01-01", true],
    ["Num", "Greater than", "{{L}}", true],
    ["L", "Greater than", "1", true],
    ["L", "Less or equal to", "{{L2}}", true],
    ["Four", "Greater than", "{{L}}", true],
    ["L", "Less than", "abc", false],
    ["L", "Greater or equal to", "abc", false],
    ["S", "Less than", "{{L}}", false],
    ["S", "Greater than", "{{L}}", false],
    ["N", "Less than", "5", false],
    ["N", "Greater or equal to", "0", false],
    ["Num", "Greater than", "null", false],
    ["Num", "Greater than", undefined, true],
    ["ES", "Less than", "1", true],
    ["E", "Greater or equal to", undefined, true],
    ["Blank", "Less than", "1", true],
  ]);
});

describe("presence", () => {
  check([
    ["S", "Is set", undefined, true],
    ["ES", "Is set", undefined, false],
    ["N", "Is set", undefined, false],
    ["E", "Is set", undefined, false],
    ["LN", "Is set", undefined, true],
    ["Nulls", "Is set", undefined, true],
    ["Blank", "Is set", undefined, true],
    ["Missing", "Is set", undefined, false],
    ["S", "Is empty", undefined, false],
    ["ES", "Is empty", undefined, true],
    ["N", "Is empty", undefined, true],
    ["E", "Is empty", undefined, true],
    ["LN", "Is empty", undefined, false],
    ["Missing", "Is empty", "whatever", true],
  ]);
});

describe("beginnings and ends", () => {
  check([
    ["S", "Starts with", "hELLO", true],
    ["S", "Starts with", " hello ", true],
    ["Padded", "Starts with", "hello", true],
    ["S", "Starts with", "world", false],
    ["S", "Starts with", "", false],
    ["S", "Starts with", "null", false],
    ["N", "Starts with", "a", false],
    ["L", "Starts with", "a", false],
    ["Prefixed", "Starts with", "APPLE", true],
    ["E", "Starts with", "a", true],
    ["LN", "Starts with", "a", false],
    ["S", "Starts with", "{{E}}", true],
    ["S", "Ends with", "WORLD", true],
    ["Padded", "Ends with", "world", true],
    ["S", "Ends with", "hello", false],
    ["ES", "Ends with", "a", false],
    ["Prefixed", "Ends with", "e", true],
    ["Prefixed", "Ends with", "pie", false],
    ["E", "Ends with", "", true],
  ]);
});

describe("regular expressions", () => {
  check([
    ["S", "Matches regex", "/world/i", true],
    ["S", "Matches regex", "world", false],
    ["S", "Matches regex", "World", true],
    ["S", "Matches regex", "foo/World/", true],
    ["S", "Matches regex", "/world/is", false],
    ["S", "Matches regex", "^Hello\\s\\w+$", true],
    ["S", "Matches regex", "/World/y", false],
    ["Lines", "Matches regex", "/^two$/m", true],
    ["Lines", "Matches regex", "^two$", false],
    ["S", "Matches regex", "(", false],
    ["S", "Matches regex", "/World/gg", false],
    ["S", "Matches regex", "", false],
    ["N", "Matches regex", "a", false],
    ["ES", "Matches regex", ".*", false],
    ["L", "Matches regex", "^b$", true],
    ["L", "Matches regex", "^c$", false],
    ["LN", "Matches regex", "a", true],
    ["E", "Matches regex", "a", false],
    ["S", "Matches regex", "{{L}}", false],
    ["S", "Matches regex", "{{Same}}", false],

    ["S", "Does not match regex", "/world/i", false],
    ["S", "Does not match regex", "world", true],
    ["S", "Does not match regex", "(", false],
    ["S", "Does not match regex", "", false],
    ["N", "Does not match regex", "a", false],
    ["L", "Does not match regex", "^b$", false],
    ["L", "Does not match regex", "^c$", true],
    ["LN", "Does not match regex", "^c$", false],
    ["E", "Does not match regex", "a", true],
  ]);
});
