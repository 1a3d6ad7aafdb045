import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { currentFrame } from "../../../../src/core/interpreter/step/step.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { idOf } from "../../../support/builder-ids.ts";

const answer = String.raw`\int and \neq`;
const runScript = await createSandbox();

/** Returns the value of the variable that stores a model's answer. */
function kept({ readsGfm, typed }: { readonly readsGfm: boolean | undefined; readonly typed: string }): unknown {
  const model = {
    ...{ action: "Create chat completion", credentialsId: "ours", model: "any" },
    messages: [{ role: "user", content: "Hello" }],
    responseMapping: [{ variableId: idOf("answer") }],
  };
  const flow: FlowDocument = {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [
      {
        ...{ id: "group", title: "" },
        blocks: [
          { id: "model", type: "openai", options: model },
          { id: "asks", type: "text input", options: { variableId: idOf(typed) } },
        ],
      },
    ],
    edges: [{ id: "first", to: { groupId: "group" } }],
    variables: ["answer", "other"].map((name) => ({ id: idOf(name), name })),
  };
  const program = compile("program", "bot", flow, blocks);
  const context = {
    ...{ now: 0, seed: "0".repeat(32), isLive: true, contentFormat: "richText" as const, blocks, runScript },
    ...(readsGfm !== undefined && { readsGfm }),
  };
  const asking = advance(context, program, () => program, {
    ...{ kind: "start", resultId: "result", isStreamEnabled: false, isOnlyRegistering: false, options: {} },
    reply: null,
  });
  if (asking.kind !== "performing" || asking.effect.kind !== "model") throw new Error(`It is ${asking.kind}`);
  const tokens = { in: 1, cached: 0, out: 1, isEstimated: false };
  const said = { text: answer, ended: "stop" as const, tokens };
  const { continuation } = asking;
  const report = { kind: "model", answer: said } as const;
  const done = advance(context, program, () => program, { kind: "report", continuation, report });
  if (done.kind !== "stepped") throw new Error(`It is ${done.kind}`);
  return currentFrame(done.step).variables.get(idOf("answer"));
}

test("a model's answer that is read as Markdown is preserved exactly", () => {
  expect(kept({ readsGfm: true, typed: "other" })).toBe(answer);
  expect(kept({ readsGfm: true, typed: "answer" })).toBe(`\\${answer}`);
  expect(kept({ readsGfm: false, typed: "other" })).toBe(`\\${answer}`);
  expect(kept({ readsGfm: undefined, typed: "other" })).toBe(`\\${answer}`);
});
