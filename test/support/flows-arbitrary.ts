import { Kind, type TSchema } from "@sinclair/typebox";
import fc from "fast-check";
import { blocks } from "../../src/core/blocks/index.ts";
import type {
  FlowBlock,
  FlowDocument,
  FlowEdge,
  FlowEvent,
  FlowGroup,
  FlowVariable,
} from "../../src/core/interpreter/flow.ts";
import { comparisonOperators } from "../../src/core/interpreter/language/comparison.ts";
import type { BlockDefinition } from "../../src/core/interpreter/program/block.ts";
import { idOf, idsOf } from "./builder-ids.ts";

/**
 * Generates flows that an author may have stored: every served block type with options of its schema and occasionally
 * invalid options, edges that cross, loop and dangle, events, and links. The parts share a small set of ids, so that
 * most references are valid.
 */
export function storedFlows(): fc.Arbitrary<FlowDocument> {
  return fc.oneof({ weight: 5, arbitrary: flowsWithEvents }, { weight: 1, arbitrary: flowsWithStartBlock });
}

/** Generates values that may be stored for a schema: most of its keys, and occasionally an unexpected key. */
export function storedValues(schema: TSchema): fc.Arbitrary<Record<string, unknown>> {
  return known(schema);
}

/** Adds groups that the flow never reaches. The edges of these groups lead only to each other. */
export function withUnreachableGroups(flow: FlowDocument, count: number): FlowDocument {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const groups = numbers.map((index) => ({
    id: `far ${index}`,
    title: `Far ${index}`,
    blocks: [
      { id: `far text ${index}`, type: "text", content: { plainText: "{{A}}" }, outgoingEdgeId: `far edge ${index}` },
      { id: `far input ${index}`, type: "text input", options: {} },
    ],
  }));
  const edges = numbers.map((index) => ({
    id: `far edge ${index}`,
    to: { groupId: `far ${(index + 1) % count}` },
  }));
  return { ...flow, groups: [...flow.groups, ...groups], edges: [...flow.edges, ...edges] };
}

const groupIds = idsOf("g", 5);
const edgeIds = idsOf("e", 12);
const blockIds = idsOf("b", 20);
const variableIds = idsOf("v", 6);

const code = fc.constantFrom(
  "1 + 1",
  "{{A}} + 1",
  "return [1, 'x', null]",
  "({{B}}).slice()",
  "setVariable('A', {{A}} + 1)",
  "setVariable('__proto__', 'x'); return {}",
  "throw new Error('no')",
  "for (;;);",
  "await fetch('https://example.com/' + {{A}})",
  "fetch('x'); fetch('y')",
  "data.a[0]",
  "new Date().toISOString() + Math.random()",
  "'x'.repeat(2e6)",
  "{{",
);
/** Generates texts with variables, code, patterns and addresses. */
export const words = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("Yes", "No", "3", "1, 2", "0", "-1.5", "2026-11-20", "ana@example.com", "") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "{{A}}",
      "{{B}}",
      "Hello {{A}} and {{B}}",
      "{{Nobody}}",
      "{{{A}}}",
      "{{__proto__}}",
      "{{= 1 + 1 =}}",
      "{{= {{A}} + {{B}} =}}",
      "{{= for (;;); =}}",
      "{{Title}}",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "https://example.com/{{A}}",
      "+33 6 12 34 56 78",
      "**bold** [x](y)",
      "(a+)+$",
      "/[/",
      "[a",
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
  { weight: 1, arbitrary: code },
);
/** Generates unexpected values for a key. */
const junk = fc.oneof(
  fc.constantFrom<unknown[]>(null, 0, -1, Number.MAX_VALUE, true, "", "constructor", [], {}, [null], { type: 5 }),
  fc.jsonValue({ maxDepth: 2 }),
);

const richNodes = fc.letrec((tie) => ({
  node: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("element"), junk),
  leaf: fc.record({ text: words, bold: fc.constantFrom(true, false, "x") }, { requiredKeys: ["text"] }),
  element: fc.record(
    {
      type: fc.constantFrom("p", "ul", "ol", "li", "lic", "a", "h1", "blockquote", "code_block", "img", "variable"),
      url: words,
      children: fc.array(tie("node"), { maxLength: 3 }),
    },
    { requiredKeys: ["type", "children"] },
  ),
})).node;

/** Generators of texts, by the key that contains the text. */
const namedTexts: readonly (readonly [RegExp, fc.Arbitrary<string>])[] = [
  [/VariableId$|^variableId$/, fc.constantFrom(...variableIds, "nobody")],
  [/^outgoingEdgeId$/, fc.constantFrom(...edgeIds, "nowhere")],
  [/^groupId$/, fc.constantFrom(...groupIds, "nowhere", "{{Title}}")],
  [/^blockId$/, fc.constantFrom(...blockIds, "nowhere")],
  [/^typebotId$/, fc.constantFrom("current", "other", "nobody")],
  [/^(?:content|expressionToEvaluate|bodyPath|code)$/, fc.oneof(code, words)],
  [/^command$/, fc.constantFrom("help", "stop")],
  [/^id$/, fc.constantFrom("i0", "i1", "i2", "p0")],
];

function fitting(schema: TSchema, key: string): fc.Arbitrary<unknown> {
  switch (schema[Kind]) {
    case "Object":
      return known(schema);
    case "Array":
      if (key === "richText") return fc.array(richNodes, { maxLength: 3 });
      return fc.array(orJunk(fitting(schema["items"], key)), { maxLength: 3 });
    case "Union": {
      const choices: readonly TSchema[] = schema["anyOf"];
      return fc.oneof(...choices.map((choice) => fitting(choice, key)));
    }
    case "Literal":
      return fc.constant(schema["const"]);
    case "String":
      return namedTexts.find(([pattern]) => pattern.test(key))?.[1] ?? words;
    case "Number":
    case "Integer":
      return fc.oneof(fc.integer({ min: -2, max: 120 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case "Boolean":
      return fc.boolean();
    default:
      return junk;
  }
}

function orJunk(arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary }, { weight: 1, arbitrary: junk });
}

/** Generates objects with most of the keys of a schema. */
function known(schema: TSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries<TSchema>(schema["properties"]).map(
    ([key, property]) => [key, fc.option(orJunk(fitting(property, key)), { freq: 4, nil: absent })] as const,
  );
  return fc.record(Object.fromEntries(properties)).map(withoutAbsent);
}

const absent = Symbol("absent");

function withoutAbsent(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== absent));
}

const outgoingEdgeId = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom(...edgeIds, "nowhere") },
);

type UnnamedBlock = Omit<FlowBlock, "id">;

function servedBlock({ type, schema }: BlockDefinition): fc.Arbitrary<UnnamedBlock> {
  return fc
    .tuple(known(schema), outgoingEdgeId)
    .map(([parts, edgeId]) => ({ ...parts, type, ...(edgeId !== undefined && { outgoingEdgeId: edgeId }) }));
}

const unservedBlock: fc.Arbitrary<UnnamedBlock> = fc.record({
  type: fc.constantFrom("Google Sheets", "toString", ""),
  options: junk,
  outgoingEdgeId,
});
const bubble: fc.Arbitrary<UnnamedBlock> = fc.record({
  type: fc.constant("text"),
  content: fc.record({ richText: fc.array(richNodes, { maxLength: 2 }) }),
});
/** Generates logic blocks with valid options. */
const logic: fc.Arbitrary<UnnamedBlock> = fc.oneof(
  fc.record({
    type: fc.constant("Set variable"),
    options: fc.record({ variableId: fc.constantFrom(...variableIds), expressionToEvaluate: fc.oneof(code, words) }),
  }),
  fc.record({
    type: fc.constant("Code"),
    options: fc.record({ isExecutedOnClient: fc.constant(false), content: code }),
  }),
  fc.record({ type: fc.constant("Jump"), options: fc.record({ groupId: fc.constantFrom(...groupIds) }) }),
  fc.record({
    type: fc.constant("Typebot link"),
    options: fc.record(
      {
        typebotId: fc.constantFrom("current", "other"),
        groupId: fc.constantFrom(...groupIds),
        mergeResults: fc.boolean(),
      },
      { requiredKeys: ["typebotId"] },
    ),
  }),
  fc.record({
    type: fc.constant("Condition"),
    items: fc.array(
      fc.record({
        id: fc.constantFrom("i0", "i1"),
        outgoingEdgeId: fc.constantFrom(...edgeIds),
        content: fc.record({
          comparisons: fc.array(
            fc.record({
              variableId: fc.constantFrom(...variableIds),
              comparisonOperator: fc.constantFrom(...comparisonOperators),
              value: words,
            }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
);
const block = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(...[...blocks.values()].map(servedBlock)) },
  { weight: 8, arbitrary: logic },
  { weight: 4, arbitrary: bubble },
  { weight: 1, arbitrary: unservedBlock },
);

const question = fc.oneof(...[...blocks.values()].filter(({ family }) => family === "input").map(servedBlock));
const someBlocks = fc.oneof(
  { weight: 10, arbitrary: fc.array(block, { minLength: 1, maxLength: 4 }) },
  {
    weight: 10,
    arbitrary: fc.tuple(fc.array(block, { maxLength: 3 }), question).map(([some, last]) => [...some, last]),
  },
  { weight: 1, arbitrary: fc.constant([]) },
);

const groups: fc.Arbitrary<FlowGroup[]> = fc
  .array(fc.tuple(fc.constantFrom("Group", "A", "Title", ""), someBlocks), {
    minLength: 3,
    maxLength: groupIds.length,
  })
  .map((list) => {
    let number = 0;
    return list.map(([title, unnamed], index) => ({
      id: idOf(`g${index}`),
      title,
      blocks: unnamed.map((parts): FlowBlock => ({ ...parts, id: idOf(`b${number++}`) })),
    }));
  });

const target = fc.record(
  {
    groupId: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...groupIds) },
      { weight: 1, arbitrary: fc.constantFrom("nowhere", null) },
    ),
    blockId: fc.constantFrom(...blockIds, "nowhere", null),
  },
  { requiredKeys: ["groupId"] },
);
const edges: fc.Arbitrary<FlowEdge[]> = fc
  .array(fc.oneof({ weight: 15, arbitrary: target }, { weight: 1, arbitrary: fc.constant(null) }), {
    minLength: 6,
    maxLength: edgeIds.length,
  })
  // The first edge belongs to the start event, so that most flows run.
  .map((list) => [{ groupId: idOf("g0") }, ...list].map((to, index) => ({ id: idOf(`e${index}`), to })));

const eventOptions = fc.record(
  {
    command: fc.constant("help"),
    resumeAfter: fc.boolean(),
    contentVariableId: fc.constantFrom(...variableIds),
    inputTypeVariableId: fc.constantFrom(...variableIds),
    inputNameVariableId: fc.constantFrom(...variableIds, "nobody"),
  },
  { requiredKeys: ["command"] },
);
const moreEvents: fc.Arbitrary<FlowEvent[]> = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("event 1", "event 2", "event 3"),
    type: fc.constantFrom("command", "reply", "invalidReply", "unheard of"),
    outgoingEdgeId: fc.constantFrom(...edgeIds, null),
    options: eventOptions,
  }),
  { maxLength: 3, selector: ({ id }) => id },
);

const initialValues = fc.oneof(
  words,
  fc.array(fc.option(words), { maxLength: 3 }),
  fc.constantFrom(null, undefined, "x".repeat(2_000)),
);
const variableNames = ["A", "B", "Title", "__proto__", "constructor", "A"];
const variables: fc.Arbitrary<FlowVariable[]> = fc
  .tuple(...variableNames.map(() => fc.tuple(initialValues, fc.boolean())))
  .map((list) =>
    list.map(([value, isSessionVariable], index) => ({
      id: idOf(`v${index}`),
      name: variableNames[index] ?? "",
      isSessionVariable,
      value,
    })),
  );

const theme = fc.record({
  general: fc.record({
    background: fc.record({ content: words }),
    progressBar: fc.record({ isEnabled: fc.boolean() }),
  }),
  chat: fc.record({ hostAvatar: fc.record({ url: words }) }),
});
const settings = fc.record(
  {
    general: fc.record({ systemMessages: fc.record({ invalidMessage: words }) }),
    metadata: fc.record({ title: words, customHeadCode: words }),
    typingEmulation: junk,
  },
  { requiredKeys: [] },
);

const flowsWithEvents: fc.Arbitrary<FlowDocument> = fc
  .record({ groups, edges, moreEvents, variables, theme, settings, version: fc.constantFrom("6", "6.1", null) })
  .map(({ moreEvents: more, ...flow }) => ({
    ...flow,
    events: [{ id: "start", type: "start", outgoingEdgeId: idOf("e0") }, ...more],
  }));

/** Generates flows in the format before version 6: the start is a block, and there are no events. */
const flowsWithStartBlock: fc.Arbitrary<FlowDocument> = fc
  .record({ groups, edges, variables, theme, settings, version: fc.constantFrom("3", "5") })
  .map((flow) => ({
    ...flow,
    events: null,
    groups: [
      { id: "first", title: "Start", blocks: [{ id: "begin", type: "start", outgoingEdgeId: idOf("e0") }] },
      ...flow.groups,
    ],
  }));
