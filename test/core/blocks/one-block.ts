import { expect } from "bun:test";
import { blocks as servedBlocks } from "../../../src/core/blocks/index.ts";
import { isJsonObject } from "../../../src/core/interpreter/flow.ts";
import type { Value } from "../../../src/core/interpreter/language/values.ts";
import type { BlockRegistry } from "../../../src/core/interpreter/program/block.ts";
import type { BlockExample } from "../../../src/core/interpreter/program/block-editor.ts";
import type { Effect, Report } from "../../../src/core/interpreter/program/effect.ts";
import { withoutFailure } from "../../../src/core/interpreter/program/outcome.ts";
import { compile } from "../../../src/core/interpreter/program/program.ts";
import type { Reply } from "../../../src/core/interpreter/program/state.ts";
import { createVariables } from "../../../src/core/interpreter/program/variables.ts";
import { type Advanced, type AdvanceInput, advance } from "../../../src/core/interpreter/step/advance.ts";
import { closeStep, type Step } from "../../../src/core/interpreter/step/step.ts";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { idOf, withBuilderIds } from "../../support/builder-ids.ts";

/** 2024-05-31 is a Friday. */
export const now = Date.parse("2024-05-31T09:41:30.123Z");

/** A flow of one block. Each edge of the block leads to a bubble with the edge's id. */
export type Scene = {
  readonly block: BlockExample["block"] & { readonly type: string };
  readonly variables?: NonNullable<BlockExample["variables"]>;
  readonly settings?: Record<string, unknown>;
  /** The result of every effect of the block, or a function of the effect. By default effects are refused. */
  readonly report?: Report | ((effect: Effect) => Report);
  /** Edges of the block that are missing in the flow. */
  readonly missingEdges?: readonly string[];
};

/** The part of a step that the visitor receives, and the stored part. */
export type Scened = {
  readonly messages: readonly unknown[];
  readonly actions: readonly unknown[];
  readonly logs: readonly unknown[];
  readonly input: unknown;
  /** The stored value, or null if no value is stored. */
  readonly answer: string | null;
  readonly variables: Record<string, Value>;
  /** The edge that was followed, or null if none was followed. */
  readonly edge: string | null;
  readonly lastMessageNewFormat: string | null;
  readonly effects: readonly Effect[];
};

const runScript = await createSandbox();

/** Starts the flow. `say` replies to the waiting block. */
export function play(scene: Scene, blocks: BlockRegistry = servedBlocks) {
  const { block, variables = {}, settings = {}, report = { kind: "refused", reason: "not in this test" } } = scene;
  const edgeIds = [...new Set(edgeIdsOf(block))];
  // The variables of the flow have ids of the builder. The results contain the ids of the scene.
  const { document, original } = withBuilderIds(
    {
      version: "6",
      groups: [
        { id: "group", title: "Group", blocks: [{ id: "block", ...block }] },
        ...edgeIds.map((id) => ({
          id: `after ${id}`,
          title: id,
          blocks: [{ id, type: "text", content: { plainText: id } }],
        })),
      ],
      events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
      edges: [
        { id: "first", to: { groupId: "group" } },
        ...edgeIds
          .filter((id) => !scene.missingEdges?.includes(id))
          .map((id) => ({ id, to: { groupId: `after ${id}` } })),
      ],
      variables: Object.entries(variables).map(([name, value]) => ({ id: `v_${name}`, name, value })),
      settings,
    },
    ["variables"],
  );
  const program = compile("program", "bot", document, blocks);
  const context = { now, seed: "0".repeat(32), isLive: true, contentFormat: "richText" as const, blocks, runScript };
  const effects: Effect[] = [];

  const run = (input: AdvanceInput): Step => {
    let advanced: Advanced = advance(context, program, () => program, input);
    while (advanced.kind === "performing") {
      effects.push(advanced.effect);
      advanced = advance(context, program, () => program, {
        kind: "report",
        continuation: advanced.continuation,
        report: typeof report === "function" ? report(advanced.effect) : report,
      });
    }
    if (advanced.kind === "refused") throw new Error(`Refused: ${advanced.code} ${JSON.stringify(advanced.data)}`);
    return advanced.step;
  };

  const sceneOf = (step: Step): Scened => {
    const { record } = step;
    const frame = step.frames.at(0);
    const held = frame?.variables ?? createVariables(program, []);
    const last = record.messages.at(-1);
    const told = original({
      messages: record.messages,
      actions: record.actions,
      logs: record.logs.map(withoutFailure),
      input: record.input ?? null,
      answer: record.answers.at(-1)?.content ?? null,
      variables: Object.fromEntries(Object.keys(variables).map((name) => [name, held.get(idOf(`v_${name}`))])),
      edge: last && edgeIds.includes(last.id) ? last.id : null,
      lastMessageNewFormat: record.lastMessageNewFormat ?? null,
    });
    return { ...told, effects };
  };

  const started = run({
    kind: "start",
    resultId: "result",
    isStreamEnabled: false,
    isOnlyRegistering: false,
    reply: null,
    options: {},
  });
  const state = closeStep(started);
  return {
    asked: sceneOf(started),
    say: (reply: string | Reply | null): Scened =>
      sceneOf(run({ kind: "reply", state, reply: typeof reply === "string" ? { type: "text", text: reply } : reply })),
  };
}

/** Plays a documented example, and compares it with its expected outcome. */
export function expectExample(type: string, example: BlockExample, blocks: BlockRegistry = servedBlocks): void {
  const { block, variables, reply, expect: wanted } = example;
  const scene = play({ block: { ...block, type }, ...(variables && { variables }) }, blocks);
  const { asked } = scene;
  const last = reply === undefined ? asked : scene.say(reply);

  if (wanted.input) expect(asked.input).toMatchObject({ ...wanted.input });
  if (wanted.messages) expect([...last.messages]).toMatchObject([...wanted.messages]);
  if (wanted.actions) expect([...last.actions]).toMatchObject([...wanted.actions]);
  if (wanted.variables) expect(last.variables).toMatchObject({ ...wanted.variables });
  if (wanted.answer !== undefined) expect(last.answer).toBe(wanted.answer);
  if (wanted.answer === null) expect(last.input).toEqual(asked.input);
}

function edgeIdsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(edgeIdsOf);
  if (!isJsonObject(value)) return [];
  const own = value["outgoingEdgeId"];
  return [...(typeof own === "string" ? [own] : []), ...Object.values(value).flatMap(edgeIdsOf)];
}
