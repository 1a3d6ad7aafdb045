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

/** The fields that all blocks share, in addition to the fields in the schema of the block type. */
export type BlockBase = { readonly id: string; readonly type: string; readonly outgoingEdgeId?: string };

export type BlockDefinition = {
  readonly type: string;
  /** The name of the schema in the documentation, such as `HttpRequest`, if the type's own name is unsuitable. */
  readonly schemaName?: string;
  readonly family: BlockFamily;
  /** A one-sentence description for the documentation. */
  readonly summary: string;
  /** The schema of `content`, `options` and `items`, used for validation, for parsing and in the documentation. */
  readonly schema: TObject;
  readonly examples: readonly BlockExample[];
  readonly editor: BlockEditor;
  /** Present only for inputs. */
  readonly input?: Required<InputTraits> & {
    /** The schema of the parts that the visitor's client receives. */
    readonly shown: TObject;
    uploadRules?(stored: FlowBlock, fileType: string): UploadRules | undefined;
    countedValues?(stored: FlowBlock): CountedValues;
    /** Returns a pattern for the paths of the answers that the block offers, or undefined if it offers none. */
    offers?(stored: FlowBlock): RegExp | undefined;
    /** For types that older clients and messengers do not support: returns an input that replaces the block's input. */
    asKnown?(shown: InputMessage): KnownInput;
    /** Returns the source of suggestions while the visitor types, or undefined if the block has no suggestions. */
    suggestions?(stored: FlowBlock): SuggestionSource | undefined;
  };
  /** Present only for bubbles. */
  readonly bubble?: BubbleTraits & {
    /** The schema of the content that the visitor's client receives. */
    readonly shown: TSchema;
  };
  /** Returns scripts and elements that the visitor's page loads before the first message. */
  startProps?(stored: FlowBlock): StartProps;
  /** For types that contain the author's code: returns whether the visitor's client runs the code. */
  runsOnClient?(stored: FlowBlock): boolean;
  /** Returns a note, if any, about something in the block that its author may overlook when publishing. */
  advice?(stored: FlowBlock): string | undefined;
  /** For types that call a model: returns the id of the variable that stores the answer, if any. */
  answerVariable?(stored: FlowBlock): string | undefined;
  /** For types that compute a value: returns the id of the variable that stores the value, if any. */
  computedVariable?(stored: FlowBlock): string | undefined;
  /** For types that derive values from parts of their own block and from variables: see `MadeValue`. */
  madeValue?(stored: FlowBlock): MadeValue | undefined;
  /** For types that run code on the server that may set variables by name: returns the code, if any. */
  serverScript?(stored: FlowBlock): string | undefined;
  /** Returns the possible continuations of a walk after the block. */
  ways(stored: FlowBlock): Ways;
  /** Returns the stored address that the service calls for the block, if any. */
  calledAddress?(stored: FlowBlock): string | undefined;
  /** For types that authors can test: describes the call that the block makes. */
  callsOut?(stored: FlowBlock): CallingOut;
  /** Whether the block sends all answers. Answers without a variable are named after their groups. */
  listsAnswers?(stored: FlowBlock): boolean;
  /** Fields with the widget `remote`, whose options are loaded from the service that the block calls. */
  readonly remoteFields?: RemoteFields;
  prepare(stored: FlowBlock): PreparedBlock;
};

/** A call of a block. `writes`: whether it changes data. `isMail`: whether it is a mail. A trial mails the author. */
export type CallingOut = { readonly writes: boolean; readonly isMail?: true };

/** `from`: paths whose variables determine the value. `keepsOld`: whether the previous value is also used. */
export type MadeValue = { readonly from: RegExp; readonly keepsOld?: boolean };

export type BubbleTraits = {
  /** Whether the chat pauses after this bubble if the walk then returns from a linked flow. Ignored on messengers. */
  readonly holdsVisitor?: boolean;
  /** Returns the block's text in a transcript, if any. Bubbles without this function are omitted. */
  transcript?(content: unknown): string | undefined;
};

/** Block types by name. */
export type BlockRegistry = ReadonlyMap<string, BlockDefinition>;

/** Creates a registry of the given block types in order. */
export function createRegistry(definitions: readonly BlockDefinition[]): BlockRegistry {
  return new Map(definitions.map((definition) => [definition.type, definition]));
}

/** A block with its parsed fields. */
export type PreparedBlock = {
  readonly base: BlockBase;
  readonly definition: BlockDefinition;
  /** The variable in which an input's answer is stored. */
  readonly variableId?: string;
  /** The edge by which the flow continues after a time-out. If absent, the flow continues after the block. */
  readonly timeoutEdgeId?: string;
  /** Whether clients poll for the step that ends the block's wait. */
  readonly isLookedFor?: true;
  /**
   * Returns the time limit of the wait. If this function is absent, or returns undefined or `none`, the block waits
   * indefinitely.
   */
  timer?(view: View): TimerWish | undefined;
  /** `kept`: the data of the last display. `isSameVisit`: whether that display was in the same visit of the block. */
  run(view: View, kept?: unknown, isSameVisit?: boolean): Outcome;
  report(view: View, report: Report, memo: unknown): Outcome;
  /** Continues a paused block with a client's report or another program's call. The reply may be null. */
  resume(view: View, reply: Reply | null): Outcome;
  /** Returns the outcome of a reply to an input. `kept`: the data that the input stored when it was shown. */
  reply(view: View, reply: VisitorReply | null, kept?: unknown): ReplyOutcome;
  /** Returns the outcome of a payment report from the provider. */
  paid(view: View, reply: PaymentReply, kept: unknown): ReplyOutcome;
  /** Returns the outcome of a reply after the effect that the reply required. */
  replyReport(view: View, report: Report, memo: unknown, kept?: unknown): ReplyVerdict;
  /** For an input: shows the input without an effect. */
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
  /** Overrides the default continuation after the block: see `BlockDefinition`. */
  ways?(stored: FlowBlock): Ways;
  calledAddress?(stored: FlowBlock): string | undefined;
  callsOut?(stored: FlowBlock): CallingOut;
  listsAnswers?(stored: FlowBlock): boolean;
  readonly remoteFields?: RemoteFields;
};

export type BubbleSpec<T extends TObject> = Described &
  BubbleTraits & {
    /** The schema of the part of `content` that the type reads. */
    readonly content: T;
    /** The schema of the value that `show` returns, if it differs from `content`. */
    readonly shown?: TSchema;
    /** Parses the content once for all visitors and returns a function that creates the content for each visitor. */
    show(content: Static<T>): (view: View) => unknown;
    /** Whether the flow waits for a report from the client. Defaults to false. */
    waits?(content: Static<T>): boolean;
    resume?(content: Static<T>, view: View, reply: Reply | null): Outcome;
  };

/** Defines a block that shows content. A block without content shows nothing. */
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
  /** Whether the block waits for an answer, so that authors may set a time-out. Default: false. */
  readonly takesTimeout?: true;
  /** Whether the answer comes from another program, so that clients poll for the end of the wait. Default: false. */
  readonly isLookedFor?: true;
  /** Returns the time limit of the wait, if any. A time-out that the author has set replaces this limit. */
  timer?(block: Known<T>, view: View): TimerWish | undefined;
};

/** Defines a block that determines where the flow continues, or that sets variables. */
export function defineLogic<T extends TObject>(spec: BlockSpec<T>): BlockDefinition {
  return define("logic", spec);
}

/** Defines a block with an effect outside of the flow. A step that reaches such a block does not run inline. */
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
    /** The schema of the stored fields. The answer is stored in the variable `options.variableId`. */
    readonly schema: T;
    /** The schema of the value that `ask` returns, if it differs from `schema`. */
    readonly shown?: TObject;
    /** Returns the input for the client, except for `id`, `type` and `outgoingEdgeId`. */
    ask(block: Known<T>, view: View): Readonly<Record<string, unknown>>;
    /** Prepares the input before it is shown. Returns an effect, or the preparation if no effect is needed. */
    prepareAsk?(block: Known<T>, view: View, kept: unknown, isSameVisit: boolean): Prepared;
    /** Completes the preparation with the report of the effect. `kept`: the data of the previous preparation. */
    report?(block: Known<T>, view: View, report: Report, kept: unknown): Preparation;
    advice?(block: Known<T>): string | undefined;
    /** Handles a reply. `kept`: the data of the preparation. `replyReport` receives the report of a required effect. */
    reply(block: Known<T>, view: View, reply: VisitorReply | null, kept: unknown): ReplyOutcome;
    /** For payment inputs: returns the outcome of the provider's report. */
    paid?(block: Known<T>, view: View, reply: PaymentReply, kept: unknown): ReplyOutcome;
    replyReport?(block: Known<T>, view: View, report: Report, memo: unknown, kept?: unknown): ReplyVerdict;
    /** Returns the rules for files of a MIME type, or undefined if the input does not accept such files. */
    uploadRules?(block: Known<T>, fileType: string): UploadRules | undefined;
    /** For inputs with few possible answers: returns how to count them. Other inputs are not counted. */
    countedValues?(block: Known<T>): CountedValues;
    offers?(block: Known<T>): RegExp | undefined;
    /** Returns the values or contents of items that the reply identifies by id, or undefined for any other reply. */
    wordsOf?(block: Known<T>, view: View, reply: TextReply): string | undefined;
    asKnown?(shown: InputMessage): KnownInput;
    suggestions?(block: Known<T>): SuggestionSource | undefined;
  };

/** The data for showing an input, or an outcome that replaces the input. */
export type Preparation = AskedInput | { readonly instead: Outcome };

/** Defines a block that waits for the visitor's answer. */
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

/** Adds the time-out's outlet to the block's continuations. */
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

/** Parses the stored fields of a block. Fields that do not match the schema are treated as absent. */
function known<T extends TObject>(schema: T, stored: FlowBlock): Known<T> {
  const parts = readKnown(schema, stored) ?? readKnown(schema, {});
  if (parts === undefined) throw new TypeError(`The schema of "${stored.type}" has a required part`);
  return { ...baseOf(stored), ...parts };
}

function baseOf({ id, type, outgoingEdgeId }: FlowBlock): BlockBase {
  return { id, type, ...(typeof outgoingEdgeId === "string" && { outgoingEdgeId }) };
}
