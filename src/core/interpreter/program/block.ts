import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type FlowBlock, textAt } from "../flow.ts";
import type { CountedValues, InputTraits, KnownInput, UploadRules } from "../input-traits.ts";
import { readKnown } from "../schemas/schema.ts";
import type { BlockEditor, BlockExample } from "./block-editor.ts";
import type { SuggestionSource } from "./call.ts";
import type { Effect, Report } from "./effect.ts";
import type { AskedInput, InputMessage, Outcome, ReplyOutcome, ReplyVerdict, StartProps } from "./outcome.ts";
import type { RemoteFields } from "./remote-field.ts";
import type { PaymentReply, Reply, TextReply, VisitorReply } from "./state.ts";
import { type TimerWish, timed, withTimeout, withTimeoutWay } from "./timer.ts";
import type { View } from "./view.ts";
import { byFailureEdge, takesFailure, type Ways, withFailureWay } from "./ways.ts";

export type BlockFamily = "bubble" | "input" | "logic" | "integration";

/** The fields of every block, beside the fields in its type's schema. */
export type BlockBase = { readonly id: string; readonly type: string; readonly outgoingEdgeId?: string };

/**
 * A block type with all of its particular properties: code that treats types differently asks their definition. Each
 * type has one file, and one line in the registry.
 */
export type BlockDefinition = {
  readonly type: string;
  /** The name of the type's schema in the documentation, if the type itself is unsuitable: `HttpRequest`. */
  readonly schemaName?: string;
  readonly family: BlockFamily;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** The known fields of `content`, `options` and `items`: checked when written, read when run, documented. */
  readonly schema: TObject;
  readonly examples: readonly BlockExample[];
  readonly editor: BlockEditor;
  /** Fields that only inputs have; absent for other families. */
  readonly input?: Required<InputTraits> & {
    /** The parts that the visitor's client gets. */
    readonly shown: TObject;
    uploadRules?(stored: FlowBlock, fileType: string): UploadRules | undefined;
    countedValues?(stored: FlowBlock): CountedValues;
    /** If visitors choose an answer: the places in the block that the answer comes from. Undefined if they write it. */
    offers?(stored: FlowBlock): RegExp | undefined;
    /** For types of ours: the input that existing clients get instead. The block understands their replies. */
    asKnown?(shown: InputMessage): KnownInput;
    /** The source of suggestions for the visitor's words; undefined for a block without suggestions. */
    suggestions?(stored: FlowBlock): SuggestionSource | undefined;
  };
  /** Fields that only bubbles have; absent for other families. */
  readonly bubble?: BubbleTraits & {
    /** The content that the visitor's client gets. */
    readonly shown: TSchema;
  };
  /** Scripts and elements that the visitor's page loads for such a block before the first message. */
  startProps?(stored: FlowBlock): StartProps;
  /** For types that hold the author's code: whether the visitor's client runs it. */
  runsOnClient?(stored: FlowBlock): boolean;
  /** A note for the author who publishes such a block, about a point that is easily overlooked. */
  advice?(stored: FlowBlock): string | undefined;
  /** For types that ask a model: the variable that gets the answer. */
  answerVariable?(stored: FlowBlock): string | undefined;
  /** For types that compute: the variable that gets the value, which may be a number. */
  computedVariable?(stored: FlowBlock): string | undefined;
  /** For types that make values from parts of their own block and from variables: see `MadeValue`. */
  madeValue?(stored: FlowBlock): MadeValue | undefined;
  /** For types that run code on the server that may set variables by their names: the code. */
  serverScript?(stored: FlowBlock): string | undefined;
  /** How a walk may continue from the block. */
  ways(stored: FlowBlock): Ways;
  /** The address that the block calls from the server, as it is stored. */
  calledAddress?(stored: FlowBlock): string | undefined;
  /** For types that call out and that authors can try: whether this block changes data at the called service. */
  callsOut?(stored: FlowBlock): CallingOut;
  /** Whether the block sends all answers; answers without a variable are named by the titles of their groups. */
  listsAnswers?(stored: FlowBlock): boolean;
  /** Fields with the widget `remote`: their options come from the service that the block calls. */
  readonly remoteFields?: RemoteFields;
  prepare(stored: FlowBlock): PreparedBlock;
};

/** `isMail`: the block makes no call, but writes a mail, which a trial sends only to the author. */
export type CallingOut = { readonly writes: boolean; readonly isMail?: true };

/** `from`: the places whose variables decide what a block writes; `keepsOld`: its variable's former value, too. */
export type MadeValue = { readonly from: RegExp; readonly keepsOld?: boolean };

export type BubbleTraits = {
  /** Whether a linked flow that ends after the block pauses there until the next request. Default: false. */
  readonly holdsVisitor?: boolean;
  /** The block's text in a transcript, from the content that was shown. Bubbles without this function are left out. */
  transcript?(content: unknown): string | undefined;
};

/** Every block type that is served, by its type. */
export type BlockRegistry = ReadonlyMap<string, BlockDefinition>;

/** A registry of these block types, in this order. */
export function createRegistry(definitions: readonly BlockDefinition[]): BlockRegistry {
  return new Map(definitions.map((definition) => [definition.type, definition]));
}

/** A block whose stored fields were read, in the form for the walk. */
export type PreparedBlock = {
  readonly base: BlockBase;
  readonly definition: BlockDefinition;
  /** The variable that an input's answer is written to. */
  readonly variableId?: string;
  /** Where the flow continues when the time of an unanswered visit is over, if not after the block. */
  readonly timeoutEdgeId?: string;
  /** Clients themselves look for the step that ends the block's wait. */
  readonly isLookedFor?: true;
  /** How long a visit of the block waits. Absent: forever. */
  timer?(view: View): TimerWish | undefined;
  /** `kept`: what the input kept when it was asked before. `isSameVisit`: whether that visit is still open. */
  run(view: View, kept?: unknown, isSameVisit?: boolean): Outcome;
  /** Continues after an effect. */
  report(view: View, report: Report, memo: unknown): Outcome;
  /** Handles the client's report to a paused block before the walk continues. */
  resume(view: View, reply: Reply | null): Outcome;
  /** The outcome of a reply to an input. `kept`: the data that the input stored when it was asked. */
  reply(view: View, reply: VisitorReply | null, kept?: unknown): ReplyOutcome;
  /** The outcome of the provider's report about a payment. */
  paid(view: View, reply: PaymentReply, kept: unknown): ReplyOutcome;
  /** The outcome of that reply after the effect that it required. */
  replyReport(view: View, report: Report, memo: unknown, kept?: unknown): ReplyVerdict;
  /** For an input: asks without an effect. */
  ask?(view: View, prepared: AskedInput): Outcome;
  /** For an input: see `InputSpec`. */
  wordsOf?(view: View, reply: TextReply): string | undefined;
};

type Known<T extends TObject> = BlockBase & Static<T>;

type Described = {
  readonly type: string;
  readonly schemaName?: string;
  readonly summary: string;
  readonly examples: readonly BlockExample[];
  readonly editor: BlockEditor;
  /** If the block does not simply continue: see `BlockDefinition`. */
  ways?(stored: FlowBlock): Ways;
  calledAddress?(stored: FlowBlock): string | undefined;
  callsOut?(stored: FlowBlock): CallingOut;
  listsAnswers?(stored: FlowBlock): boolean;
  readonly remoteFields?: RemoteFields;
};

export type BubbleSpec<T extends TObject> = Described &
  BubbleTraits & {
    /** The part of `content` that the type reads. */
    readonly content: T;
    /** The schema of the value that `show` returns, if it differs from `content`. */
    readonly shown?: TSchema;
    /** Reads the content once for all visitors, and returns the function that makes the content of each visitor. */
    show(content: Static<T>): (view: View) => unknown;
    /** Whether the flow waits until the client reports back. Default: never. */
    waits?(content: Static<T>): boolean;
    resume?(content: Static<T>, view: View, reply: Reply | null): Outcome;
  };

/** A block that shows something. Without content it shows nothing. */
export function defineBubble<T extends TObject>(spec: BubbleSpec<T>): BlockDefinition {
  const { type, holdsVisitor = false, shown = spec.content } = spec;
  const contentSchema = Type.Object({ content: Type.Optional({ description: "The content.", ...spec.content }) });
  const definition: BlockDefinition = {
    ...described(spec.waits ? waiting(spec) : spec, showsAndGoesOn),
    family: "bubble",
    schema: spec.waits ? withTimeout(contentSchema) : contentSchema,
    bubble: { holdsVisitor, shown, ...(spec.transcript && { transcript: spec.transcript }) },
    prepare(stored) {
      const base = baseOf(stored);
      const content = readKnown(spec.content, stored.content);
      const show = content && spec.show(content);
      const isWaiting = content !== undefined && spec.waits?.(content);
      return {
        ...passive,
        base,
        definition,
        ...(spec.waits && timed(stored)),
        run(view) {
          if (!show) return { kind: "next" };
          return { kind: isWaiting ? "pause" : "next", messages: [{ id: base.id, type, content: show(view) }] };
        },
        resume: (view, reply) => (content && spec.resume?.(content, view, reply)) ?? { kind: "next" },
      };
    },
  };
  return definition;
}

export type BlockSpec<T extends TObject> = Described & {
  readonly schema: T;
  startProps?(block: Known<T>): StartProps;
  runsOnClient?(block: Known<T>): boolean;
  advice?(block: Known<T>): string | undefined;
  answerVariable?(block: Known<T>): string | undefined;
  computedVariable?(block: Known<T>): string | undefined;
  madeValue?(block: Known<T>): MadeValue | undefined;
  serverScript?(block: Known<T>): string | undefined;
  run(block: Known<T>, view: View): Outcome;
  report?(block: Known<T>, view: View, report: Report, memo: unknown): Outcome;
  resume?(block: Known<T>, view: View, reply: Reply | null): Outcome;
  /** Whether the block waits for an answer, so that authors may set a time-out. Default: never. */
  readonly takesTimeout?: true;
  /** Whether another program answers, which looks for the chats that wait at the block. Default: no. */
  readonly isLookedFor?: true;
  /** How long the block waits by itself. */
  timer?(block: Known<T>, view: View): TimerWish | undefined;
};

/** A block that decides where the flow continues, or sets variables. */
export function defineLogic<T extends TObject>(spec: BlockSpec<T>): BlockDefinition {
  return define("logic", spec);
}

/** A block with an effect outside of the flow. Its steps are never run inline. */
export function defineIntegration<T extends TObject>(spec: BlockSpec<T>): BlockDefinition {
  return define("integration", spec);
}

function define<T extends TObject>(family: "logic" | "integration", spec: BlockSpec<T>): BlockDefinition {
  const { schema, startProps, runsOnClient, advice, takesTimeout, isLookedFor, timer } = spec;
  const { answerVariable, computedVariable, madeValue, serverScript } = spec;
  const hasFailure = takesFailure(schema);
  const base = described(takesTimeout ? waiting(spec) : spec, actsAndGoesOn);
  const definition: BlockDefinition = {
    ...base,
    ...(hasFailure && { ways: (stored: FlowBlock) => withFailureWay(base.ways(stored), stored) }),
    family,
    schema: takesTimeout ? withTimeout(schema) : schema,
    ...(startProps && { startProps: (stored: FlowBlock) => startProps(known(schema, stored)) }),
    ...(runsOnClient && { runsOnClient: (stored: FlowBlock) => runsOnClient(known(schema, stored)) }),
    ...(advice && { advice: (stored: FlowBlock) => advice(known(schema, stored)) }),
    ...(answerVariable && { answerVariable: (stored: FlowBlock) => answerVariable(known(schema, stored)) }),
    ...(computedVariable && { computedVariable: (stored: FlowBlock) => computedVariable(known(schema, stored)) }),
    ...(madeValue && { madeValue: (stored: FlowBlock) => madeValue(known(schema, stored)) }),
    ...(serverScript && { serverScript: (stored: FlowBlock) => serverScript(known(schema, stored)) }),
    prepare(stored) {
      const block = known(schema, stored);
      const led = byFailureEdge(hasFailure ? block : undefined);
      return {
        ...passive,
        base: block,
        definition,
        ...(timer && { timer: (view: View) => timer(block, view) }),
        ...(takesTimeout && timed(stored)),
        ...(isLookedFor && { isLookedFor }),
        run: (view) => led(spec.run(block, view), view),
        report: (view, report, memo) => led(spec.report?.(block, view, report, memo) ?? { kind: "next" }, view),
        resume: (view, reply) => led(spec.resume?.(block, view, reply) ?? { kind: "next" }, view),
      };
    },
  };
  return definition;
}

export type InputSpec<T extends TObject> = Described &
  InputTraits & {
    /** The answer is written to the variable that its `options.variableId` names. */
    readonly schema: T;
    /** The schema of the value that `ask` returns, if it differs from `schema`. */
    readonly shown?: TObject;
    /** The input as the client gets it, beside `id`, `type` and `outgoingEdgeId`. */
    ask(block: Known<T>, view: View): Readonly<Record<string, unknown>>;
    /** The preparation that an input needs before it is shown: an effect, or data if no effect is needed. */
    prepareAsk?(block: Known<T>, view: View, kept: unknown, isSameVisit: boolean): Prepared;
    /** The preparation, from that effect's report. `kept`: from the previous preparation. */
    report?(block: Known<T>, view: View, report: Report, kept: unknown): Preparation;
    advice?(block: Known<T>): string | undefined;
    /** `kept`: from the preparation. An effect that the reply requires is reported to `replyReport`. */
    reply(block: Known<T>, view: View, reply: VisitorReply | null, kept: unknown): ReplyOutcome;
    /** For inputs that take payments: the outcome of the provider's report. */
    paid?(block: Known<T>, view: View, reply: PaymentReply, kept: unknown): ReplyOutcome;
    replyReport?(block: Known<T>, view: View, report: Report, memo: unknown, kept?: unknown): ReplyVerdict;
    /** The rules for a file of this MIME type, or undefined if none is taken. Inputs without this take no files. */
    uploadRules?(block: Known<T>, fileType: string): UploadRules | undefined;
    /** For inputs with few possible answers. Answers of other inputs are not counted. */
    countedValues?(block: Known<T>): CountedValues;
    offers?(block: Known<T>): RegExp | undefined;
    /** The words of items that our clients name by ids, as words would mean others, too; else undefined. */
    wordsOf?(block: Known<T>, view: View, reply: TextReply): string | undefined;
    asKnown?(shown: InputMessage): KnownInput;
    suggestions?(block: Known<T>): SuggestionSource | undefined;
  };

/** How an input is asked, or the outcome that replaces the question. */
export type Preparation = AskedInput | { readonly instead: Outcome };

/** A block that waits for the visitor's answer. */
export function defineInput<T extends TObject>(spec: InputSpec<T>): BlockDefinition {
  const { schema, uploadRules, countedValues, offers, wordsOf, asKnown, suggestions, advice, shown = schema } = spec;
  const { inputType, takesStartMessage = true, writesBeforeReplyEvent = false, hasNumbers = false } = spec;
  const definition: BlockDefinition = {
    ...described(waiting({ ...spec, ways: spec.ways ?? (() => asksAndGoesOn) }), asksAndGoesOn),
    family: "input",
    schema: withTimeout(schema),
    ...(advice && { advice: (stored: FlowBlock) => advice(known(schema, stored)) }),
    input: {
      inputType,
      takesStartMessage,
      writesBeforeReplyEvent,
      hasNumbers,
      shown,
      ...(uploadRules && {
        uploadRules: (stored: FlowBlock, fileType: string) => uploadRules(known(schema, stored), fileType),
      }),
      ...(asKnown && { asKnown }),
      ...(suggestions && { suggestions: (stored: FlowBlock) => suggestions(known(schema, stored)) }),
      ...(countedValues && { countedValues: (stored: FlowBlock) => countedValues(known(schema, stored)) }),
      ...(offers && { offers: (stored: FlowBlock) => offers(known(schema, stored)) }),
    },
    prepare(stored) {
      const block = known(schema, stored);
      const variableId = textAt(block, "options", "variableId");
      const ask = (view: View, prepared: Preparation): Outcome =>
        "instead" in prepared
          ? prepared.instead
          : asking(inputMessage(block, spec.ask(block, view), prepared.shown), prepared);
      return {
        ...passive,
        base: block,
        definition,
        ...timed(stored),
        ...(variableId !== undefined && { variableId }),
        run: (view, kept, isSameVisit = false) => {
          const prepared = spec.prepareAsk?.(block, view, kept, isSameVisit) ?? unprepared;
          return "effect" in prepared ? { kind: "perform", effect: prepared.effect, memo: kept } : ask(view, prepared);
        },
        report: (view, report, memo) => ask(view, spec.report?.(block, view, report, memo) ?? {}),
        reply: (view, reply, kept) => spec.reply(block, view, reply, kept),
        paid: (view, reply, kept) => spec.paid?.(block, view, reply, kept) ?? { kind: "invalid" },
        replyReport: (view, report, ...kept) => spec.replyReport?.(block, view, report, ...kept) ?? { kind: "invalid" },
        ask,
        ...(wordsOf && { wordsOf: (view, reply) => wordsOf(block, view, reply) }),
      };
    },
  };
  return definition;
}

/** Adds the time-out's outlet to a block. */
function waiting<Spec extends Described>(spec: Spec): Spec {
  const { ways } = spec;
  return ways ? { ...spec, ways: (stored) => withTimeoutWay(stored, ways(stored)) } : spec;
}

function described(
  { type, schemaName, summary, examples, editor, ways, calledAddress, callsOut, listsAnswers, remoteFields }: Described,
  usual: Ways,
) {
  return {
    ...{ type, summary, examples, editor, ways: ways ?? (() => usual) },
    ...(schemaName !== undefined && { schemaName }),
    ...{ ...(calledAddress && { calledAddress }), ...(listsAnswers && { listsAnswers }) },
    ...{ ...(callsOut && { callsOut }), ...(remoteFields && { remoteFields }) },
  };
}

const showsAndGoesOn: Ways = { waits: false, ways: [{ kind: "next" }] };
const actsAndGoesOn: Ways = { waits: false, ways: [{ kind: "on" }] };
const asksAndGoesOn: Ways = { waits: true, ways: [{ kind: "on" }] };

/** Defaults for blocks that require no effect, do not pause, and are not inputs. */
const passive = {
  report: (): Outcome => ({ kind: "next" }),
  resume: (): Outcome => ({ kind: "next" }),
  reply: (): ReplyOutcome => ({ kind: "skipped" }),
  paid: (): ReplyOutcome => ({ kind: "skipped" }),
  replyReport: (): ReplyVerdict => ({ kind: "skipped" }),
};

type Prepared = { readonly effect: Effect } | Preparation;
const unprepared: Preparation = {};

function asking(input: InputMessage, { produced, kept }: AskedInput): Outcome {
  if (!produced && kept === undefined) return { kind: "ask", input };
  return { ...produced, kind: "ask", input, ...(kept !== undefined && { kept }) };
}

type Fields = Readonly<Record<string, unknown>>;

function inputMessage(
  { id, type, outgoingEdgeId }: BlockBase,
  asked: Fields,
  prepared: Fields | undefined,
): InputMessage {
  return outgoingEdgeId === undefined
    ? { id, type, ...asked, ...prepared }
    : { id, outgoingEdgeId, type, ...asked, ...prepared };
}

/** Stored fields that do not fit the schema are read as if there were none. */
function known<T extends TObject>(schema: T, stored: FlowBlock): Known<T> {
  const parts = readKnown(schema, stored) ?? readKnown(schema, {});
  if (parts === undefined) throw new TypeError(`The schema of "${stored.type}" has a required part`);
  return { ...baseOf(stored), ...parts };
}

function baseOf({ id, type, outgoingEdgeId }: FlowBlock): BlockBase {
  return { id, type, ...(typeof outgoingEdgeId === "string" && { outgoingEdgeId }) };
}
