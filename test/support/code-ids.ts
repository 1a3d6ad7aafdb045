import { newId } from "../../src/platform/ids.ts";
import { asks, flowOf, says } from "./chat.ts";

type Ids = readonly [score: string, name: string, list: string];

/** Three ids of every supported format. */
export const idShapes: readonly (readonly [shape: string, ids: Ids])[] = [
  ["names, as imported flows have them", ["vScore", "clx0name$", "_größe"]],
  ["the builder's", [newId(), newId(), newId()]],
  ["digits alone", ["7", "08", "4e2"]],
  ["blanks, signs and brackets", ["my score", "a-b.c[0]; x", "}}{{"]],
  ["reserved words", ["class", "await", "arguments"]],
  ["names of built-in things", ["__proto__", "undefined", "globalThis"]],
  ["quotes, line breaks and halves of characters", ["'\"`$\u{7b}x}", "a\u2028\n\\u0061", "\ud83d"]],
  ["nothing, too much, and another one's name in code", ["1a", "$_1a", "-".repeat(3_000)]],
];

/** Expressions for `Score` = 4, `Name` = Vera and `List` = a, b, c, with their values. */
export const expressions: readonly (readonly [expression: string, value: string])[] = [
  ["{{Score}} + 1", "5"],
  ["({{Score}} + {{Score}}) * {{Score}}", "32"],
  ["Math.round({{Score}} / 3)", "1"],
  ['{{Score}} > 3 ? "high" : "low"', "high"],
  ["const n = {{Score}}; return n ** 2", "16"],
  ["{{Name}}.length", "4"],
  ["{{Name}}.toUpperCase()", "VERA"],
  ['"Hi " + {{Name}}', "Hi Vera"],
  ["{{List}}.length", "3"],
  ["{{List}}[1]", "b"],
  ['{{List}}.map((item) => item + {{Score}}).join("-")', "a4-b4-c4"],
  ["[{{Score}}, {{Name}}, ...{{List}}].length", "5"],
];

/** The text that the flow of these expressions sends at its end. */
export const figures = expressions.map(([, value], index) => `${index}: ${value}`).join(" | ");

/**
 * Returns a flow that asks for a word, evaluates each expression over variables with these ids, on the server or in the
 * visitor's browser, and sends all results.
 */
export function computingFlow([score, name, list]: Ids, where: { readonly isExecutedOnClient: boolean }) {
  const set = (variableId: string, expressionToEvaluate: string, id: string, more: object = {}) => ({
    ...{ id, type: "Set variable" },
    options: { variableId, expressionToEvaluate, ...more },
  });
  const results = expressions.map((_, index) => ({ id: newId(), name: `Result ${index}` }));
  const flow = flowOf([
    set(score, "2 + 2", "score"),
    set(name, "Vera", "name"),
    set(list, '["a", "b", "c"]', "list"),
    asks("text input", {}, { id: "word" }),
    ...expressions.map(([expression], index) => set(results[index]?.id ?? "", expression, `sets ${index}`, where)),
    says(results.map((result, index) => `${index}: {{${result.name}}}`).join(" | "), "figures"),
    says("Inline {{={{Score}} + {{List}}.length=}} {{={{Name}}.length=}}", "inline"),
  ]);
  const variables = [
    { id: score, name: "Score" },
    { id: name, name: "Name" },
    { id: list, name: "List" },
  ];
  return { ...flow, variables: [...variables, ...results] };
}
