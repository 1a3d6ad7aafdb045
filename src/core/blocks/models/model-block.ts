import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import type { BlockEditor } from "../../interpreter/program/block-editor.ts";
import type { BlockStart } from "../../interpreter/schemas/block-start.ts";
import { cells, type FormLayout } from "../../interpreter/schemas/form-layout.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { defineActions } from "../action.ts";
import { answerVariable, modelTypes } from "./chat-options.ts";
import { streamAction, unlessStreamed } from "./stream.ts";

type ActionsSpec = Parameters<typeof defineActions>[0];

type ModelBlockSpec = Omit<ActionsSpec, "editor" | "reached"> & {
  readonly editor: Pick<BlockEditor, "name" | "icon" | "words"> & Partial<Pick<BlockEditor, "row" | "related">>;
};

/** Defines a block whose actions call a model. The visitor's client may request the answer as a stream. */
export function defineModelBlock(spec: ModelBlockSpec) {
  const byName = new Map(spec.actions.map((action) => [action.name, action]));
  const [first] = spec.actions;
  const isAsked = modelTypes.includes(spec.type);
  const names = new Set(spec.actions.flatMap(({ options }) => Object.keys(options)));
  return defineActions({
    ...spec,
    answerVariable({ options }) {
      const { items, isSearch } = byName.get(textAt(options, "action") ?? "") ?? {};
      if (!items || isSearch) return undefined;
      return answerVariable(readKnown(mappingSchema, options)?.responseMapping, items);
    },
    reached: (outcome, view) => unlessStreamed(outcome, view, streamAction),
    editor: {
      family: "thinks",
      row: ["{options.action}: {options.model}", "{options.action}"],
      related: modelTypes.filter((one) => one !== spec.type),
      ...(isAsked && { form: modelForm(names) }),
      ...(isAsked && first && { start: startOf(first.name) }),
      ...spec.editor,
    },
  });
}

/** Returns the initial contents of a block, which include a user message and a variable for the answer. */
function startOf(action: string): BlockStart {
  return {
    block: { options: { action, messages: [{ role: "user" }], responseMapping: [{}] } },
    variable: { name: "Answer", path: ["options", "responseMapping", 0, "variableId"] },
  };
}

/** The response mapping has the same structure in all actions. Only the item names differ. */
const mappingSchema = Type.Object({
  responseMapping: Type.Optional(
    Type.Array(Type.Object({ item: Type.Optional(Type.String()), variableId: Type.Optional(Type.String()) })),
  ),
});

/** The options that describe the request. The form shows each of these options in its own row. */
const asked = [
  ...["systemMessage", "instructions", "messages", "message", "prompt", "input", "voice", "url"],
  "variablesToExtract",
];
const following = [
  ...["responseMapping", "transcriptionVariableId", "saveUrlInVariableId", "responseIdVariableId"],
  ...["tools", "functions"],
];

function modelForm(names: ReadonlySet<string>): FormLayout {
  const has = (list: readonly string[]) => list.filter((name) => names.has(name)).map((name) => `options.${name}`);
  return [
    cells("options.action"),
    { cells: [{ field: "options.credentialsId" }, { field: "options.model", widget: "model" }] },
    ...has(asked).map((field) => cells(field)),
    { cells: [{ widget: "trial" }] },
    ...has(following).map((field) => cells(field)),
    {
      fold: "Limits",
      rows: [cells(...has(["temperature", "maxTokens", "timeout"])), cells(...has(["fallbacks"]))],
    },
  ];
}
