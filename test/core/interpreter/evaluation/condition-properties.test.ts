import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { evaluateCondition } from "../../../../src/core/interpreter/evaluation/condition.ts";
import {
  compare,
  comparisonOperators,
  magnitude,
  operatorOf,
} from "../../../../src/core/interpreter/language/comparison.ts";
import { viewWith } from "../../blocks/logic-flow.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "null", "{{B}}", "{{", "10", "+1", "/a/i", "(", "[a-"),
);
const value = fc.oneof(text, fc.constant(null), fc.array(fc.option(text), { maxLength: 4 }));
const operator = fc.constantFrom(...comparisonOperators);
const never = () => false;

function holds(operatorName: string, a: unknown, b: string): boolean {
  const comparisons = [{ variableId: "vA", comparisonOperator: operatorName, value: b }];
  return evaluateCondition({ comparisons }, viewWith({ A: a, B: "b" })).holds;
}

describe("conditions", () => {
  test("a condition that is evaluated twice has the same outcome", () => {
    fc.assert(
      fc.property(operator, value, text, (name, a, b) => {
        const comparisons = [{ variableId: "vA", comparisonOperator: name, value: b }];
        const judged = evaluateCondition({ comparisons }, viewWith({ A: a, B: ["x", null] }));
        expect(evaluateCondition({ comparisons }, viewWith({ A: a, B: ["x", null] }))).toEqual(judged);
      }),
      { numRuns: 500 },
    );
  });

  test("AND requires all comparisons to match, and OR requires one", () => {
    const comparison = fc.record({ variableId: fc.constant("vA"), comparisonOperator: operator, value: text });
    fc.assert(
      fc.property(fc.array(comparison, { minLength: 1, maxLength: 4 }), value, (comparisons, a) => {
        const view = viewWith({ A: a, B: "b" });
        const each = comparisons.map((one) => evaluateCondition({ comparisons: [one] }, view).holds);
        expect(evaluateCondition({ logicalOperator: "AND", comparisons }, view).holds).toBe(each.every(Boolean));
        expect(evaluateCondition({ logicalOperator: "OR", comparisons }, view).holds).toBe(each.some(Boolean));
      }),
    );
  });
});

describe("comparisons", () => {
  const pair = fc.tuple(fc.oneof(text, fc.constant(null)), fc.oneof(text, fc.constant(null)));

  test.each([
    ["Equal to", "Not equal"],
    ["Contains", "Does not contain"],
  ] as const)("%s is the opposite of %s for two texts", (one, other) => {
    fc.assert(fc.property(pair, ([a, b]) => compare(one, a, b, never) !== compare(other, a, b, never)));
  });

  test("Is set is the opposite of Is empty", () => {
    fc.assert(fc.property(value, (a) => compare("Is set", a, "", never) !== compare("Is empty", a, "", never)));
  });

  test("an operator that applies to each element requires all elements to match", () => {
    const lifted = fc.constantFrom("Equal to", "Not equal", "Starts with", "Ends with", "Does not match regex");
    fc.assert(
      fc.property(lifted, fc.array(text, { maxLength: 4 }), text, (name, list, b) => {
        const isMatch = (pattern: string, against: string): boolean => against.includes(pattern);
        const each = list.map((element) => compare(name, element, b, isMatch));
        expect(compare(name, list, b, isMatch)).toBe(each.every(Boolean));
      }),
    );
  });

  test("a comparison between two lists checks all pairs", () => {
    const element = fc.option(fc.constantFrom("a", "b", "e\u0301", "\u00e9"));
    const list = fc.array(element, { maxLength: 3 });
    const isSame = (a: string | null, b: string | null): boolean => a?.normalize() === b?.normalize();
    const isFound = (a: string | null, b: string | null): boolean =>
      a === null || b === null ? a !== b : isSame(a, b);
    fc.assert(
      fc.property(list, list, (a, b) => {
        const pairs = a.flatMap((x) => b.map((y) => [x, y] as const));
        expect(compare("Equal to", a, b, never)).toBe(pairs.every(([x, y]) => isSame(x, y)));
        expect(compare("Not equal", a, b, never)).toBe(pairs.every(([x, y]) => !isSame(x, y)));
        expect(compare("Does not contain", a, b, never)).toBe(pairs.every(([x, y]) => !isSame(x, y)));
        expect(compare("Contains", a, b, never)).toBe(pairs.some(([x, y]) => isFound(x, y)));
      }),
      { numRuns: 1000 },
    );
  });

  test("size comparisons of two texts use the magnitudes of the texts", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compare("Greater than", a, b, never)).toBe(magnitude(a) > magnitude(b));
        expect(compare("Less or equal to", a, b, never)).toBe(magnitude(a) <= magnitude(b));
      }),
    );
  });

  test("comparisons ignore how accents are encoded", () => {
    fc.assert(
      fc.property(fc.constantFrom("é", "ñ", "Å", "가"), fc.stringMatching(/^[a-z]{0,4}$/), (letter, rest) => {
        expect(holds("Equal to", rest + letter.normalize("NFD"), rest + letter.normalize("NFC"))).toBe(true);
      }),
    );
  });
});

test("a comparison by an unknown operator does not match", () => {
  for (const name of ["", "constructor", "toString", "equal to"]) expect(holds(name, "b", "b")).toBe(false);
});

describe("the cost of a comparison", () => {
  const length = 60;
  const equal = Array.from({ length }, () => "x");
  const other = Array.from({ length }, (_, index) => `y${index}`);

  test.each(comparisonOperators.map((name) => [name] as const))(
    "the number of elements that the operator %s reads matches its cost category",
    (name) => {
      let most = 0;
      for (const values of [equal, other]) {
        for (const isMatch of [true, false]) {
          let reads = 0;
          const count = () => (reads += 1);
          compare(name, counted(equal, count), counted(values, count), () => isMatch);
          most = Math.max(most, reads);
        }
      }
      // A text is read at most a few times: to ignore case, to normalise it, and to put it into a set.
      expect(most > 8 * (length + length) ? "pairs" : "elements").toBe(operatorOf(name).cost);
    },
  );

  test.each(comparisonOperators.map((name) => [name] as const))(
    "the cost of the operator %s includes pairs only if its cost category is pairs",
    (name) => {
      const view = viewWith({ A: equal, B: other });
      const spent: number[] = [];
      const templates = { ...view.templates, spend: (characters: number) => void spent.push(characters) };
      evaluateCondition(
        { comparisons: [{ variableId: "vA", comparisonOperator: name, value: "{{B}}" }] },
        { ...view, templates },
      );
      expect(spent).toEqual(operatorOf(name).cost === "pairs" ? [length * length] : []);
    },
  );
});

/** Returns a list that counts each read of an element, also in the lists that its methods return. */
function counted(list: (string | null)[], count: () => void): (string | null)[] {
  function Made(): (string | null)[] {
    return counted([], count);
  }
  return new Proxy(list, {
    get(target, key) {
      if (key === "constructor") return { [Symbol.species]: Made };
      if (typeof key === "string" && /^\d+$/.test(key)) count();
      return Reflect.get(target, key);
    },
  });
}
