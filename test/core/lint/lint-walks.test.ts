import { expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { idOf } from "../../support/builder-ids.ts";

type Group = { readonly id: string; readonly blocks: readonly object[] };

const rules = new Set([
  ...["loop_without_input", "unkept_answer", "read_before_written", "condition_never_holds", "shadowed_condition"],
  "exploding_pattern",
]);

/** Returns the rule and path of the findings in the groups. A block's `to` is an edge to that group. */
function told(groups: readonly Group[], parts: object = {}): string[] {
  const flow = completeFlow({
    events: [{ id: "s", type: "start", outgoingEdgeId: `to ${groups[0]?.id}` }],
    edges: groups.map(({ id }) => ({ id: `to ${id}`, to: { groupId: id } })),
    groups: groups.map(({ id, blocks }) => ({
      ...{ id, title: id },
      blocks: blocks.map((block, index) => ({ id: `${id}${index}`, type: "", ...block })),
    })),
    variables: ["Name", "Age", "Part"].map((name) => ({ id: idOf(name), name })),
    ...parts,
  });
  return lintFlow(flow)
    .filter(({ rule }) => rules.has(rule))
    .map(({ rule, path }) => `${rule} ${path}`);
}

const says = (text: string, to?: string) => ({
  ...{ type: "text", content: { richText: [{ type: "p", children: [{ text }] }] } },
  ...(to && { outgoingEdgeId: `to ${to}` }),
});
const asks = (variable?: string, to?: string) => ({
  ...{ type: "text input", options: { ...(variable && { variableId: idOf(variable) }) } },
  ...(to && { outgoingEdgeId: `to ${to}` }),
});
const comparison = (comparisonOperator: string, value?: string, variable = "Age") => ({
  ...{ id: `${comparisonOperator}${value}`, variableId: variable && idOf(variable), comparisonOperator },
  ...(value !== undefined && { value }),
});
const item = (comparisons: object[], logicalOperator = "AND", to = "b") => ({
  id: JSON.stringify([comparisons, logicalOperator]),
  content: { logicalOperator, comparisons },
  outgoingEdgeId: `to ${to}`,
});
const condition = (...items: object[]) => ({ type: "Condition", items });

test("an endless loop without an input is reported once", () => {
  const circle = (inner: object) => [
    { id: "a", blocks: [says("A", "b")] },
    { id: "b", blocks: [says("B"), inner] },
    { id: "c", blocks: [says("C", "b")] },
  ];
  expect(told(circle(says("again", "c")))).toEqual(["loop_without_input groups[1].blocks[0]"]);
  expect(told(circle(asks("Name", "c")))).toEqual([]);
  expect(told(circle(condition(item([comparison("Less than", "3")], "AND", "c"))))).toEqual([]);
  const both = condition(item([comparison("Less than", "3")], "AND", "c"));
  expect(told(circle({ ...both, outgoingEdgeId: "to b" }))).toEqual(["loop_without_input groups[1].blocks[0]"]);
});

test("an answer that is not stored and has no effect is reported", () => {
  const choice = (...items: object[]) => ({ type: "choice input", items });
  const a = { id: "a", blocks: [asks(), choice({ id: "i" }, { id: "k" }), asks("Name")] };
  expect(told([a])).toEqual(["unkept_answer groups[0].blocks[0]"]);
  const ways = choice({ id: "i", outgoingEdgeId: "to a" }, { id: "k", outgoingEdgeId: "to b" });
  const mended = { id: "a", blocks: [asks("Name"), choice({ id: "o" }), ways] };
  expect(told([mended, { id: "b", blocks: [says("B")] }])).toEqual([]);
});

test("a text that uses a variable before the variable is written is reported", () => {
  const early = [{ id: "a", blocks: [says("Hello {{Name}}"), asks("Name"), says("Hello {{Name}}")] }];
  expect(told(early)).toEqual(["read_before_written groups[0].blocks[0].content.richText[0].children[0].text"]);
  expect(told([{ id: "a", blocks: [asks("Name"), says("Hello {{Name}}")] }])).toEqual([]);
  const otherWay = [
    { id: "a", blocks: [condition(item([comparison("Is set")], "AND", "b")), says("", "c")] },
    { id: "b", blocks: [asks("Name")] },
    { id: "c", blocks: [says("{{Name}}")] },
  ];
  expect(told(otherWay)).toHaveLength(1);
});

test("variables that already have a value are not reported", () => {
  const hello = says("Hello {{Name}}");
  expect(told([{ id: "a", blocks: [says("{{Part}}"), hello, asks("Name", "a")] }])).toEqual([]);
  const guarded = [hello, condition(item([comparison("Is set", undefined, "Name")])), asks("Name")];
  const b = { id: "b", blocks: [says("B")] };
  expect(told([{ id: "a", blocks: guarded }, b])).toEqual([]);
  const remembering = { settings: { general: { rememberUser: { isEnabled: true } } } };
  expect(told([{ id: "a", blocks: [hello, asks("Name")] }], remembering)).toEqual([]);
  const filled = { variables: [{ id: idOf("Name"), name: "Name", value: "you" }] };
  expect(told([{ id: "a", blocks: [hello, asks("Name")] }], filled)).toEqual([]);
  const script = { type: "Code", options: { content: "setVariable('Name', 'you')" } };
  expect(told([{ id: "a", blocks: [script, hello, asks("Name")] }])).toEqual([]);
  const events = {
    events: [
      { id: "s", type: "start", outgoingEdgeId: "to a" },
      { id: "r", type: "command", outgoingEdgeId: "to b", options: { command: "who" } },
    ],
  };
  expect(
    told(
      [
        { id: "a", blocks: [asks("Name")] },
        { id: "b", blocks: [hello] },
      ],
      events,
    ),
  ).toEqual([]);
});

test("conditions that can never match are reported", () => {
  const never = [
    item([]),
    item([comparison("Equal to", "1", "")]),
    item([comparison("Is set"), comparison("Is empty")]),
    item([comparison("Greater than", "5"), comparison("Less or equal to", "5")]),
    item([comparison("Greater or equal to", "5"), comparison("Less than", "5")]),
  ];
  const b = { id: "b", blocks: [says("B")] };
  const place = (index: number) => `condition_never_holds groups[0].blocks[0].items[${index}]`;
  expect(told([{ id: "a", blocks: [condition(...never)] }, b])).toEqual([0, 1, 2, 3, 4].map(place));
  const hidden = (isEnabled: boolean) => ({
    type: "choice input",
    options: { variableId: idOf("Name") },
    items: [{ id: "i", displayCondition: { isEnabled, condition: { comparisons: [] } } }],
  });
  expect(told([{ id: "a", blocks: [hidden(true)] }])).toEqual([`${place(0)}.displayCondition.condition`]);
  expect(told([{ id: "a", blocks: [hidden(false)] }])).toEqual([]);
  const mended = [
    item([comparison("Is set"), comparison("Is empty")], "OR"),
    item([comparison("Equal to", "1"), comparison("Equal to", "1", "")], "OR"),
    item([comparison("Greater or equal to", "5"), comparison("Less or equal to", "5")]),
    item([comparison("Greater than", "{{Part}}"), comparison("Less than", "1")]),
  ];
  expect(told([{ id: "a", blocks: [condition(...mended)] }, b])).toEqual([]);
});

test("a condition is reported if an earlier condition covers its cases", () => {
  const [one, two] = [comparison("Equal to", "1"), comparison("Equal to", "2", "Part")];
  const b = { id: "b", blocks: [says("B")] };
  const judged = (...items: object[]) => told([{ id: "a", blocks: [condition(...items)] }, b]);
  const second = ["shadowed_condition groups[0].blocks[0].items[1]"];
  expect(judged(item([one]), item([one, two]))).toEqual(second);
  expect(judged(item([one, two], "OR"), item([two]))).toEqual(second);
  expect(judged(item([one, two], "OR"), item([two, one], "OR"))).toEqual(second);
  expect(judged(item([one, two]), item([one]))).toEqual([]);
  expect(judged(item([one]), item([one, two], "OR"))).toEqual([]);
  expect(judged(item([one]), item([two]))).toEqual([]);
});

test("only patterns with a nested repetition are reported", () => {
  const b = { id: "b", blocks: [says("B")] };
  const judged = (pattern: string) =>
    told([{ id: "a", blocks: [condition(item([comparison("Matches regex", pattern, "Name")]))] }, b]).length;
  for (const pattern of ["(a+)+$", "^(?:[a-z]*)*!", "/^(\\w+x?)+$/i", "([^@]+){2,}@"])
    expect([pattern, judged(pattern)]).toEqual([pattern, 1]);
  const fine = [
    "^\\w+(\\s\\w+)*$",
    "(a+)",
    "\\(a+\\)+",
    "[(a+)+]",
    "(ab+)+",
    "^\\d{3}(-\\d+){2}$",
    "({{Name}}+)+",
    "(a+){1,3}",
  ];
  for (const pattern of fine) expect([pattern, judged(pattern)]).toEqual([pattern, 0]);
});
