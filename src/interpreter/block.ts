import type { Static, TObject } from "@sinclair/typebox";
import type { Effect, Report } from "./effect.ts";
import type { FlowBlock } from "./flow.ts";
import type { InputMessage, Outcome, ReplyOutcome, StepLog } from "./outcome.ts";
import { readKnown } from "./schema.ts";
import type { Reply } from "./state.ts";
import type { View } from "./view.ts";

export type BlockFamily = "bubble" | "input" | "logic" | "integration";

/** What every block carries, beside what its type's schema names. */
export type BlockBase = { readonly id: string; readonly type: string; readonly outgoingEdgeId?: string };

/** A worked example: printed in the documentation of blocks and run as a test. */
export type BlockExample = {
  /** A sentence that says what is shown. */
  readonly title: string;
  readonly block: Omit<FlowBlock, "id" | "type"> & { readonly id?: string };
  /** Values by name; the variable `Name` has the id `v_Name`. */
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** What the visitor says to it, where it waits. */
  readonly reply?: string;
  readonly expect: BlockExpectation;
};

export type BlockExpectation = {
  readonly messages?: readonly unknown[];
  readonly actions?: readonly unknown[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, string | (string | null)[] | null>>;
  /** What is stored as the answer; null where the reply is refused. */
  readonly answer?: string | null;
};

/** A block type: one file, one line in the registry. */
export type BlockDefinition = {
  readonly type: string;
  readonly family: BlockFamily;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** What the type reads of `content`, `options` and `items`. */
  readonly schema: TObject;
  readonly examples: readonly BlockExample[];
  /** For inputs: the word that reply events give for the type. */
  readonly inputType?: string;
  prepare(block: FlowBlock): PreparedBlock;
};

/** Every block type that is served, by its type. */
export type BlockRegistry = ReadonlyMap<string, BlockDefinition>;

/** A registry of these block types, in this order. */
export function createRegistry(definitions: readonly BlockDefinition[]): BlockRegistry {
  return new Map(definitions.map((definition) => [definition.type, definition]));
}

/** A block whose stored parts were read: what the walk calls. */
export type PreparedBlock = {
  readonly base: BlockBase;
  readonly family: BlockFamily;
  readonly variableId?: string;
  run(view: View): Outcome;
  /** Goes on after an effect. */
  report(view: View, report: Report, memo: unknown): Outcome;
  /** What a paused block makes of the client's report before the walk goes on. */
  resume(view: View, reply: Reply | null): Outcome;
  /** What an input makes of a reply. */
  reply(view: View, reply: Reply | null): ReplyOutcome;
};

type Known<T extends TObject> = BlockBase & Static<T>;

type Described<T extends TObject> = {
  readonly type: string;
  readonly summary: string;
  readonly schema: T;
  readonly examples: readonly BlockExample[];
};

export type BlockSpec<T extends TObject> = Described<T> & {
  readonly family: Exclude<BlockFamily, "input">;
  run(block: Known<T>, view: View): Outcome;
  report?(block: Known<T>, view: View, report: Report, memo: unknown): Outcome;
  resume?(block: Known<T>, view: View, reply: Reply | null): Outcome;
};

export type InputSpec<T extends TObject> = Described<T> & {
  /** The word that reply events give for the type. */
  readonly inputType: string;
  /** The input as the client gets it, beside `id`, `type` and `outgoingEdgeId`. */
  ask(block: Known<T>, view: View): Readonly<Record<string, unknown>>;
  /** What must be had from the world before the input is shown: an effect, or at once what is known without one. */
  prepareAsk?(block: Known<T>, view: View): { readonly effect: Effect } | Preparation;
  /** What came of that effect. */
  report?(block: Known<T>, view: View, report: Report): Preparation;
  reply(block: Known<T>, view: View, reply: Reply | null): ReplyOutcome;
  variableId(block: Known<T>): string | undefined;
};

/** Goes with an input that was prepared: more of what the client gets, and what is logged. */
export type Preparation = { readonly shown?: Readonly<Record<string, unknown>>; readonly logs?: readonly StepLog[] };

/** A bubble, logic or integration block. */
export function defineBlock<T extends TObject>(spec: BlockSpec<T>): BlockDefinition {
  const { type, family, summary, schema, examples } = spec;
  return {
    type,
    family,
    summary,
    schema,
    examples,
    prepare: (stored) => {
      const block = known(schema, stored);
      return {
        base: block,
        family,
        run: (view) => spec.run(block, view),
        report: (view, report, memo) => spec.report?.(block, view, report, memo) ?? { kind: "next" },
        resume: (view, reply) => spec.resume?.(block, view, reply) ?? { kind: "next" },
        reply: () => ({ kind: "skipped" }),
      };
    },
  };
}

/** An input block. */
export function defineInput<T extends TObject>(spec: InputSpec<T>): BlockDefinition {
  const { type, summary, schema, examples, inputType } = spec;
  return {
    type,
    family: "input",
    summary,
    schema,
    examples,
    inputType,
    prepare: (stored) => {
      const block = known(schema, stored);
      const variableId = spec.variableId(block);
      const ask = (view: View, { shown, logs }: Preparation): Outcome => ({
        kind: "ask",
        input: inputMessage(block, { ...spec.ask(block, view), ...shown }),
        ...(logs && { logs }),
      });
      return {
        base: block,
        family: "input",
        ...(variableId !== undefined && { variableId }),
        run: (view) => {
          const prepared = spec.prepareAsk?.(block, view) ?? {};
          return "effect" in prepared ? { kind: "perform", effect: prepared.effect } : ask(view, prepared);
        },
        report: (view, report) => ask(view, spec.report?.(block, view, report) ?? {}),
        resume: () => ({ kind: "next" }),
        reply: (view, reply) => spec.reply(block, view, reply),
      };
    },
  };
}

function inputMessage(block: BlockBase, rest: Readonly<Record<string, unknown>>): InputMessage {
  return {
    id: block.id,
    ...(block.outgoingEdgeId !== undefined && { outgoingEdgeId: block.outgoingEdgeId }),
    type: block.type,
    ...rest,
  };
}

/** A block whose stored parts do not fit its schema at all is read as one without any. */
function known<T extends TObject>(schema: T, stored: FlowBlock): Known<T> {
  const base: BlockBase = {
    id: stored.id,
    type: stored.type,
    ...(typeof stored.outgoingEdgeId === "string" && { outgoingEdgeId: stored.outgoingEdgeId }),
  };
  const parts = readKnown(schema, stored) ?? readKnown(schema, {});
  if (parts === undefined) throw new TypeError(`The schema of "${stored.type}" has a required part`);
  return { ...base, ...parts };
}
