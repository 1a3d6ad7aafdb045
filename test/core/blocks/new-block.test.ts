import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { blocks } from "../../../src/core/blocks/index.ts";
import { option } from "../../../src/core/blocks/options.ts";
import { readFlowParts } from "../../../src/core/flow/check.ts";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { createRegistry, defineInput } from "../../../src/core/interpreter/program/block.ts";
import { compile } from "../../../src/core/interpreter/program/program.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { AppError } from "../../../src/errors.ts";
import { inputKind } from "../../../src/web/components/inputs/index.ts";
import { blockDocs } from "../../support/block-docs.ts";
import { expectExample, play } from "./one-block.ts";

/** A new block type needs only one definition in a separate file, and one line in the registry. */
const moodInput = defineInput({
  type: "mood input",
  inputType: "mood",
  summary: "Asks how the visitor feels, on a scale.",
  schema: Type.Object({
    options: Type.Optional(
      Type.Object({
        variableId: option.answerVariable,
        best: option.number("The last number of the scale.", 5),
        shownAs: option.word(["smiles", "figures"], "Appearance of the scale."),
        reason: Type.Optional(
          Type.Object({
            isEnabled: option.flag("Whether the reason is kept."),
            saveVariableId: option.writtenVariable("Id of the variable that gets the reason."),
          }),
        ),
      }),
    ),
  }),
  ask: ({ options }) => ({ options: { best: options?.best ?? 5 } }),
  reply({ options }, _view, reply) {
    const [mood = "", reason = ""] = reply?.type === "text" ? reply.text.split(": ") : [];
    if (!(Number(mood) <= (options?.best ?? 5))) return { kind: "invalid" };
    const variableId = options?.reason?.saveVariableId;
    return { kind: "accepted", content: mood, writes: variableId ? [{ variableId, value: reason }] : [] };
  },
  editor: {
    name: "Mood",
    icon: "smile",
    words: ["feeling"],
    row: ["1 – {options.best}"],
    related: ["rating input"],
  },
  examples: [
    {
      title: "The mood is the answer, the reason goes into its variable.",
      block: { options: { variableId: "v_Mood", reason: { isEnabled: true, saveVariableId: "v_Why" } } },
      variables: { Mood: null, Why: null },
      reply: "4: sunshine",
      expect: {
        input: { type: "mood input", options: { best: 5 } },
        answer: "4",
        variables: { Mood: "4", Why: "sunshine" },
      },
    },
  ],
});

const registry = createRegistry([...blocks.values(), moodInput]);

const flowWith = (options: unknown) => ({
  events: [{ id: "s", type: "start", outgoingEdgeId: "e" }],
  edges: [{ id: "e", to: { groupId: "g" } }],
  groups: [{ id: "g", title: "G", blocks: [Object.assign({ id: "b", type: "mood input" }, { options })] }],
  variables: ["mood", "why", "other"].map((id) => ({ id, name: id, isSessionVariable: true })),
});

describe("a new block type", () => {
  test("the known keys of a new block type are checked when a flow is written", () => {
    expect(issuesOf(flowWith({ best: "five", reason: { isEnabled: 1 } }))).toEqual([
      { path: "bot.groups[0].blocks[0].options.best", message: "must be a number" },
      { path: "bot.groups[0].blocks[0].options.reason.isEnabled", message: "must be a boolean" },
    ]);
    expect(issuesOf(flowWith({ best: 3, variableId: null, colour: 1 }))).toEqual([]);
  });

  test("lint rules apply to the options of a new block type", () => {
    const flow = completeFlow(flowWith({ best: 3, colour: "red", shownAs: "songs" }));
    expect(lintFlow(flow, { registry }).map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      "unknown_word groups[0].blocks[0].options.shownAs",
      "unkept_answer groups[0].blocks[0]",
      "unknown_key groups[0].blocks[0].options.colour",
    ]);
    expect(lintFlow(flow).map(({ rule }) => rule)).toEqual(["all_blocks_skipped", "unknown_block_type"]);
  });

  test("the variables of a new type of input are stored in results", () => {
    const options = { variableId: "mood", reason: { isEnabled: true, saveVariableId: "why" } };
    const program = compile("program", "bot", flowWith(options), registry);
    expect([...program.inputIds]).toEqual(["b"]);
    expect(program.variables.list.filter((variable) => !variable.isSessionVariable).map(({ id }) => id)).toEqual([
      "mood",
      "why",
    ]);
  });

  test("a new block type works in chats and appears in the documentation", () => {
    const scene = play({ block: { type: "mood input", options: { best: 3 }, outgoingEdgeId: "on" } }, registry);
    expect(scene.say("9")).toMatchObject({ answer: null, input: { type: "mood input" } });
    expect(scene.say("2")).toMatchObject({ answer: "2", edge: "on" });
    for (const example of moodInput.examples) expectExample("mood input", example, registry);
    expect(blockDocs(registry)).toContain(
      "\n## mood input\n\nAn input block. Asks how the visitor feels, on a scale.\n",
    );
    expect(blockDocs(registry)).toContain("| `options.best` | number | `5` | The last number of the scale. |");
  });

  test("an input type without its own component is shown as a text field", () => {
    expect(inputKind({ id: "b", type: "mood input" })).toBe(inputKind({ id: "b", type: "text input" }));
  });
});

function issuesOf(flow: unknown): unknown {
  try {
    readFlowParts(flow, "bot", registry);
    return [];
  } catch (error) {
    return error instanceof AppError ? error.data?.["issues"] : error;
  }
}
