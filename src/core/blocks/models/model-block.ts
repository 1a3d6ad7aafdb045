import type { BlockEditor } from "../../interpreter/program/block-editor.ts";
import { defineActions } from "../action.ts";
import { modelTypes } from "./chat-options.ts";
import { streamAction, unlessStreamed } from "./stream.ts";

type ActionsSpec = Parameters<typeof defineActions>[0];

type ModelBlockSpec = Omit<ActionsSpec, "editor" | "reached"> & {
  readonly editor: Pick<BlockEditor, "name" | "icon" | "words"> & Partial<Pick<BlockEditor, "row" | "related">>;
};

/** A block whose actions ask a model: the visitor's client may be the one to ask for the answer. */
export function defineModelBlock(spec: ModelBlockSpec) {
  return defineActions({
    ...spec,
    reached: (outcome, view) => unlessStreamed(outcome, view, streamAction),
    editor: {
      row: ["{options.action}: {options.model}", "{options.action}"],
      related: modelTypes.filter((one) => one !== spec.type),
      ...spec.editor,
    },
  });
}
