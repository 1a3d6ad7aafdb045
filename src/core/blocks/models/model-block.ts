import { Type } from "@sinclair/typebox";
import { textAt } from "../../interpreter/flow.ts";
import type { BlockEditor } from "../../interpreter/program/block-editor.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { defineActions } from "../action.ts";
import { answerVariable, modelTypes } from "./chat-options.ts";
import { streamAction, unlessStreamed } from "./stream.ts";

type ActionsSpec = Parameters<typeof defineActions>[0];

type ModelBlockSpec = Omit<ActionsSpec, "editor" | "reached"> & {
  readonly editor: Pick<BlockEditor, "name" | "icon" | "words"> & Partial<Pick<BlockEditor, "row" | "related">>;
};

/** A block whose actions ask a model: the visitor's client may be the one to ask for the answer. */
export function defineModelBlock(spec: ModelBlockSpec) {
  const byName = new Map(spec.actions.map((action) => [action.name, action]));
  return defineActions({
    ...spec,
    answerVariable({ options }) {
      const { items, isSearch } = byName.get(textAt(options, "action") ?? "") ?? {};
      if (!items || isSearch) return undefined;
      return answerVariable(readKnown(mappingSchema, options)?.responseMapping, items);
    },
    reached: (outcome, view) => unlessStreamed(outcome, view, streamAction),
    editor: {
      row: ["{options.action}: {options.model}", "{options.action}"],
      related: modelTypes.filter((one) => one !== spec.type),
      ...spec.editor,
    },
  });
}

/** The same of every action, but for the words of its parts. */
const mappingSchema = Type.Object({
  responseMapping: Type.Optional(
    Type.Array(Type.Object({ item: Type.Optional(Type.String()), variableId: Type.Optional(Type.String()) })),
  ),
});
