import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { type FlowBlock, textAt } from "../interpreter/flow.ts";
import {
  type BlockBase,
  type BlockDefinition,
  type CallingOut,
  defineIntegration,
} from "../interpreter/program/block.ts";
import type { BlockEditor, BlockExample } from "../interpreter/program/block-editor.ts";
import type { Report } from "../interpreter/program/effect.ts";
import { continueAfter, type Outcome } from "../interpreter/program/outcome.ts";
import type { RemoteFields } from "../interpreter/program/remote-field.ts";
import type { Reply } from "../interpreter/program/state.ts";
import type { View } from "../interpreter/program/view.ts";
import type { Ways } from "../interpreter/program/ways.ts";
import { readKnown } from "../interpreter/schemas/schema.ts";
import { mappingOption, marked, option, shownWhen } from "./options.ts";

/** One of a block's actions, which `options.action` names. */
export type Action = {
  readonly name: string;
  readonly options: TProperties;
  /** The parts of the action's answer that variables can take, if there are any. */
  readonly items?: readonly string[];
  /** Whether the first part is a value that was found, instead of words of a model. */
  readonly isSearch?: true;
  /**
   * Whether the action calls out within its step, and changes something at the service: authors who try it are asked
   * first.
   */
  readonly calls?: CallingOut;
  /** Whether the action is offered only in blocks that already have it. */
  readonly isRetired?: true;
  /** A note for the author who publishes such a block. */
  advice?(stored: unknown): string | undefined;
  run(block: BlockBase, stored: unknown, view: View): Outcome;
  report(block: BlockBase, stored: unknown, view: View, given: Reported): Outcome;
  /**
   * For actions that pause: continues with the report of the visitor's client. An action without it runs at that point.
   */
  resume?(block: BlockBase, stored: unknown, view: View, reply: Reply | null): Outcome;
};

export type Reported = { readonly report: Report; readonly memo: unknown };

/** An action whose options are read by its own schema. */
export function defineAction<T extends TProperties>(spec: {
  readonly name: string;
  readonly options: T;
  readonly items?: readonly string[];
  readonly isSearch?: true;
  readonly writes?: true;
  readonly isRetired?: true;
  advice?(options: Static<TObject<T>>): string | undefined;
  run(block: BlockBase, options: Static<TObject<T>>, view: View): Outcome;
  /** Absent for actions that perform no effect. */
  report?(block: BlockBase, options: Static<TObject<T>>, view: View, given: Reported): Outcome;
  resume?(block: BlockBase, options: Static<TObject<T>>, view: View, reply: Reply | null): Outcome;
}): Action {
  const { resume } = spec;
  const schema = Type.Object(spec.options);
  const known = (stored: unknown): Static<TObject<T>> => {
    const options = readKnown(schema, stored) ?? readKnown(schema, {});
    if (options === undefined) throw new TypeError(`The action "${spec.name}" has a required option`);
    return options;
  };
  return {
    name: spec.name,
    options: spec.options,
    ...(spec.items && { items: spec.items }),
    ...(spec.isSearch && { isSearch: spec.isSearch }),
    ...(spec.isRetired && { isRetired: spec.isRetired }),
    ...(spec.report && { calls: { writes: spec.writes ?? false } }),
    advice: (stored) => spec.advice?.(known(stored)),
    run: (block, stored, view) => spec.run(block, known(stored), view),
    report: (block, stored, view, given) => spec.report?.(block, known(stored), view, given) ?? continueAfter(block),
    ...(resume && {
      resume: (block: BlockBase, stored: unknown, view: View, reply: Reply | null) =>
        resume(block, known(stored), view, reply),
    }),
  };
}

/** A block with several actions. Without a chosen one it only logs. */
export function defineActions({
  type,
  summary,
  actions,
  editor,
  examples = [],
  reached,
  ...traits
}: {
  readonly type: string;
  readonly summary: string;
  readonly actions: readonly Action[];
  readonly editor: BlockEditor;
  readonly examples?: readonly BlockExample[];
  readonly remoteFields?: RemoteFields;
  readonly takesTimeout?: true;
  /** Changes the outcome of an action when the flow reaches the block, not when its client reports back. */
  reached?(outcome: Outcome, view: View): Outcome;
  runsOnClient?(stored: FlowBlock): boolean;
  answerVariable?(stored: FlowBlock): string | undefined;
  ways?(stored: FlowBlock): Ways;
}): BlockDefinition {
  const byName = new Map(actions.map((action) => [action.name, action]));
  const names = actions.map(({ name }) => `\`${name}\``).join(", ");
  const retired = actions.flatMap(({ name, isRetired }) => (isRetired ? name : []));
  const options = Type.Object({
    action: marked(
      { title: "Action", ...(retired.length > 0 && { retired }) },
      option.chosen(
        [...byName.keys()],
        `The action: ${names}. Without it, and with any other, the block does nothing but log it.`,
      ),
    ),
    ...optionsOf(type, actions),
    ...(actions.some(({ calls }) => calls) && { failure: option.failure }),
  });
  return defineIntegration({
    type,
    summary,
    schema: Type.Object({ options: Type.Optional(options) }),
    examples: [...examples, notConfigured(type)],
    editor,
    ...(actions.some(({ calls }) => calls) && {
      callsOut: (block) => byName.get(textAt(block, "options", "action") ?? "")?.calls ?? { writes: false },
    }),
    ...traits,
    advice: (block) => byName.get(textAt(block, "options", "action") ?? "")?.advice?.(block.options),
    run(block, view) {
      const action = byName.get(textAt(block, "options", "action") ?? "");
      if (action) {
        const outcome = action.run(block, block.options, view);
        return reached?.(outcome, view) ?? outcome;
      }
      return { ...continueAfter(block), logs: [{ description: `${type} is not configured` }] };
    },
    resume(block, view, reply) {
      const action = byName.get(textAt(block, "options", "action") ?? "");
      if (action?.resume) return action.resume(block, block.options, view, reply);
      return action ? action.run(block, block.options, view) : continueAfter(block);
    },
    report(block, view, report, memo) {
      const action = byName.get(textAt(block, "options", "action") ?? "");
      return action ? action.report(block, block.options, view, { report, memo }) : continueAfter(block);
    },
  });
}

/**
 * The fields of all actions. If two actions share a name, the field is the same, except for the items that variables
 * take.
 */
function optionsOf(type: string, actions: readonly Action[]): TProperties {
  const options: TProperties = Object.assign({}, ...actions.toReversed().map((action) => action.options));
  const items = [...new Set(actions.flatMap((action) => action.items ?? []))];
  const all: TProperties = { ...options, ...(items.length > 0 && { responseMapping: mappingOption(items) }) };
  return Object.fromEntries(
    Object.entries(all).map(([key, option]) => {
      const own = key === "credentialsId" ? marked({ credentialsType: type }, option) : option;
      const takers = actions.filter((action) => key in action.options).map(({ name }) => name);
      return [key, takers.length === actions.length ? own : shownWhen({ action: takers }, own)];
    }),
  );
}

function notConfigured(type: string): BlockExample {
  return {
    title: "Without an action it does nothing; the log says so.",
    block: { options: { model: `any model of ${type}` } },
    expect: { messages: [], actions: [] },
  };
}
