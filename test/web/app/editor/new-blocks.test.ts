import { describe, expect, test } from "bun:test";
import { modelTypes } from "../../../../src/core/blocks/models/chat-options.ts";
import type { DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { listBlockTypes } from "../../../../src/management/block-types/block-types.ts";
import { addBlock } from "../../../../src/web/app/editor/commands/blocks.ts";
import { wordsOf } from "../../../../src/web/app/forms/catalogue/field-words.ts";
import type { FieldSchema } from "../../../../src/web/app/forms/schema.ts";
import { schemaAt } from "../../../../src/web/app/forms/values.ts";
import { idOf } from "../../../support/builder-ids.ts";

const types = new Map(listBlockTypes().map((one) => [one.type, one]));

/** Returns the changes of a new block of a type, in a flow with the variables. */
function changesOf(type: string, variables: DraftDocument["variables"] = []) {
  const known = types.get(type);
  if (!known) throw new Error(`There is no ${type}`);
  const draft = { groups: [{ id: "g", title: "", blocks: [] }], edges: [], variables };
  let ids = 0;
  const facts = { type, name: known.editor.name, schema: known.schema, start: known.editor.start };
  const made = addBlock.make(draft, { type: facts, groupId: "g" }, { newId: () => `new${++ids}` });
  return "changes" in made ? made.changes : [];
}

describe("a new block that calls a model", () => {
  test.each([...modelTypes])(
    "a new block of type %s has its first action, a message of the user and a variable for the answer",
    (type) => {
      const [variable, block] = changesOf(type);
      expect(variable).toEqual({ op: "add", of: "variable", value: { id: expect.any(String), name: "Answer" } });
      const variableId = variable && "value" in variable ? Reflect.get(Object(variable.value), "id") : undefined;
      const [first] = wordsOf(schemaAt(types.get(type)?.schema ?? {}, ["options", "action"]) ?? {});
      expect(block).toMatchObject({
        of: "block",
        value: {
          type,
          options: {
            action: first,
            messages: [{ id: expect.any(String), role: "user" }],
            responseMapping: [{ id: expect.any(String), variableId }],
          },
        },
      });
    },
  );

  test("a new model block uses the existing variable with the default name", () => {
    const changes = changesOf("openai", [{ id: idOf("answer"), name: "Answer" }]);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ value: { options: { responseMapping: [{ variableId: idOf("answer") }] } } });
  });
});

test("a new condition has one comparison", () => {
  expect(changesOf("Condition")).toMatchObject([
    { value: { items: [{ content: { comparisons: [{ comparisonOperator: "Equal to" }] } }] } },
  ]);
});

test("an action that its provider has shut down is marked as retired", () => {
  const action: FieldSchema = schemaAt(types.get("openai")?.schema ?? {}, ["options", "action"]) ?? {};
  expect(action.retired).toEqual(["Ask Assistant"]);
  expect(wordsOf(action)).toContain("Ask Assistant");
});
