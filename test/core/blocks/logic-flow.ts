import { blocks } from "../../../src/core/blocks/index.ts";
import type { FlowBlock, FlowDocument, FlowEvent } from "../../../src/core/interpreter/flow.ts";
import type { Value } from "../../../src/core/interpreter/language/values.ts";
import type { Effect, Report } from "../../../src/core/interpreter/program/effect.ts";
import type { Job } from "../../../src/core/interpreter/program/job.ts";
import type { ClientAction, StepLog } from "../../../src/core/interpreter/program/outcome.ts";
import { withoutFailure } from "../../../src/core/interpreter/program/outcome.ts";
import { compile, type Program } from "../../../src/core/interpreter/program/program.ts";
import type { Reply, SessionState } from "../../../src/core/interpreter/program/state.ts";
import type { View } from "../../../src/core/interpreter/program/view.ts";
import { type AdvanceInput, advance } from "../../../src/core/interpreter/step/advance.ts";
import { initialState } from "../../../src/core/interpreter/step/start.ts";
import {
  closeStep,
  currentFrame,
  openStep,
  type Step,
  type StepContext,
} from "../../../src/core/interpreter/step/step.ts";
import { viewOf } from "../../../src/core/interpreter/step/step-view.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { idOf, type Renamed, withBuilderIds } from "../../support/builder-ids.ts";

const runScript = await createSandbox();

/**
 * A flow in short form: groups by id, starting with the first group, edges by id, and variables by name. A variable's
 * id is `vName` unless `variableIds` contains another id. Without `variableIds`, the flow runs with ids of the builder,
 * but results contain the ids of the short form.
 */
export type TinyFlow = {
  readonly groups: Readonly<Record<string, readonly FlowBlock[]>>;
  readonly titles?: Readonly<Record<string, string>>;
  readonly edges?: Readonly<Record<string, string | { readonly groupId: string; readonly blockId?: string }>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly variableIds?: Readonly<Record<string, string>>;
  readonly events?: readonly FlowEvent[];
};

export type ChatOptions = {
  readonly now?: number;
  readonly seed?: string;
  readonly resultId?: string | null;
  /** Returns the result of each effect. */
  readonly perform?: (effect: Effect) => Report;
};

export type Turn = {
  /** Text bubbles as Markdown. */
  readonly said: readonly string[];
  readonly actions: readonly ClientAction[];
  readonly logs: readonly StepLog[];
  /** The id of the input that waits for a reply. */
  readonly asks: string | undefined;
  readonly isEnded: boolean;
  readonly visitedEdgeIds: readonly string[];
  readonly effects: readonly Effect[];
  readonly jobs: readonly Job[];
  readonly state: SessionState;
  readonly sessionVariableIds: readonly string[];
  /** Returns the value of a variable after the step. */
  valueOf(name: string): Value;
};

export const aSeed = "0123456789abcdef0123456789abcdef";
/** The time 2026-11-20T09:38:30.123Z. `Date.UTC` counts months from 0. */
export const aNow = Date.UTC(2026, 10, 20, 9, 38, 30, 123);

export function bubble(id: string, text: string, outgoingEdgeId?: string): FlowBlock {
  const content = { richText: [{ type: "p", children: [{ text }] }] };
  return { id, type: "text", content, ...(outgoingEdgeId !== undefined && { outgoingEdgeId }) };
}

export function question(id: string): FlowBlock {
  return { id, type: "text input" };
}

function documentOf({
  groups,
  titles = {},
  edges = {},
  variables = {},
  variableIds = {},
  events = [],
}: TinyFlow): FlowDocument {
  const [first = ""] = Object.keys(groups);
  return {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "edge-start" }, ...events],
    groups: Object.entries(groups).map(([id, list]) => ({ id, title: titles[id] ?? id, blocks: list })),
    edges: [
      { id: "edge-start", to: { groupId: first } },
      ...Object.entries(edges).map(([id, to]) => ({ id, to: typeof to === "string" ? { groupId: to } : to })),
    ],
    variables: Object.entries(variables).map(([name, value]) => ({
      id: (Object.hasOwn(variableIds, name) ? variableIds[name] : undefined) ?? `v${name}`,
      name,
      value,
    })),
  };
}

function compiled(document: FlowDocument): Program {
  return compile("program", "bot", document, blocks);
}

export function chatWith(
  flow: TinyFlow,
  options: ChatOptions = {},
): { readonly start: Turn; say(text: string | null): Turn } {
  const written = documentOf(flow);
  const { document, original } = flow.variableIds ? asWritten(written) : withBuilderIds(written);
  const program = compiled(document);
  const { resultId = null } = options;
  const started = turn(program, options, {
    kind: "start",
    resultId,
    isStreamEnabled: false,
    isOnlyRegistering: false,
    reply: null,
    options: {},
  });
  const turnOf = (told: Turn): Turn => ({
    ...original(told),
    valueOf: (name) => original(told.valueOf(flow.variableIds ? `v${name}` : idOf(`v${name}`))),
  });
  let { state } = started;
  return {
    start: turnOf(started),
    say(text) {
      const reply: Reply | null = text === null ? null : { type: "text", text };
      const next = turn(program, options, { kind: "reply", state, reply });
      ({ state } = next);
      return turnOf(next);
    },
  };
}

function asWritten(document: FlowDocument): Renamed<FlowDocument> {
  return { document, original: (value) => value };
}

/** Returns a block's view with the given variables. */
export function viewWith(variables: Readonly<Record<string, unknown>>): View {
  const program = compiled(documentOf({ groups: { g: [] }, variables }));
  const state = initialState(program, { resultId: null, isStreamEnabled: false });
  return viewOf(openStep(contextOf({}), state, { programOf: () => program, reply: null }));
}

function contextOf({ now = aNow, seed = aSeed, resultId = null }: ChatOptions): StepContext {
  return { now, seed, isLive: resultId !== null, contentFormat: "markdown", blocks, runScript };
}

function turn(program: Program, options: ChatOptions, input: AdvanceInput): Turn {
  const effects: Effect[] = [];
  const context = contextOf(options);
  let advanced = advance(context, program, () => program, input);
  while (advanced.kind === "performing") {
    effects.push(advanced.effect);
    const report = options.perform?.(advanced.effect) ?? { kind: "refused", reason: "nobody performs it" };
    // The continuation is converted to JSON and back, as between the service and its threads.
    const continuation = JSON.parse(JSON.stringify(advanced.continuation));
    advanced = advance(context, program, () => program, { kind: "report", continuation, report });
  }
  if (advanced.kind === "refused") throw new Error(`${advanced.code} ${JSON.stringify(advanced.data)}`);
  return told(advanced.step, advanced.isEnded, effects);
}

function told(step: Step, isEnded: boolean, effects: readonly Effect[]): Turn {
  const { record } = step;
  const { variables, sessionVariableIds } = currentFrame(step);
  return {
    said: record.messages.filter(({ type }) => type === "text").map(({ content }) => textOf(content)),
    actions: record.actions,
    logs: record.logs.map(withoutFailure),
    asks: record.input?.id,
    isEnded,
    visitedEdgeIds: record.visitedEdgeIds,
    effects,
    jobs: record.jobs,
    state: JSON.parse(JSON.stringify(closeStep(step))),
    sessionVariableIds: [...sessionVariableIds],
    valueOf: (id) => variables.get(id),
  };
}

function textOf(content: unknown): string {
  const isMarkdown = typeof content === "object" && content !== null && "markdown" in content;
  return isMarkdown ? String(content.markdown) : "";
}
