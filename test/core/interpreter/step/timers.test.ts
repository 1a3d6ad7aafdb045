import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { timerChangeOf } from "../../../../src/core/interpreter/step/timers.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";

test("a question that was asked before its step called out has its whole time when the call is over", async () => {
  const flow: FlowDocument = {
    version: "6.1",
    events: [
      { id: "start", type: "start", outgoingEdgeId: "first" },
      { id: "replied", type: "reply", options: {}, outgoingEdgeId: "second" },
    ],
    groups: [
      { id: "asking", title: "", blocks: [{ id: "asks", type: "email input", options: { timeout: { after: 60 } } }] },
      {
        ...{ id: "calling", title: "" },
        blocks: [
          { id: "calls", type: "Webhook", options: { webhook: { url: "https://example.com/" } } },
          { id: "returns", type: "Return" },
        ],
      },
    ],
    edges: [
      { id: "first", to: { groupId: "asking" } },
      { id: "second", to: { groupId: "calling" } },
    ],
    variables: [],
  };
  const program = compile("program", "bot", flow, blocks);
  const before = {
    ...{ now: 1_000, seed: "0".repeat(32), isLive: true, contentFormat: "richText" as const, blocks },
    runScript: await createSandbox(),
  };
  const calling = advance(before, program, () => program, {
    ...{ kind: "start", resultId: "result", isStreamEnabled: false, isOnlyRegistering: false, options: {} },
    reply: { type: "text", text: "no e-mail" },
  });
  if (calling.kind !== "performing") throw new Error(`It is ${calling.kind}`);

  const after = { ...before, askedAt: 41_000 };
  const report = { kind: "http", statusCode: 200, text: "{}" } as const;
  const { continuation } = calling;
  const asked = advance(after, program, () => program, { kind: "report", continuation, report });

  if (asked.kind !== "stepped") throw new Error(`It is ${asked.kind}`);
  expect(asked.step.record.input?.id).toBe("asks");
  expect(timerChangeOf(asked.step, { isEnded: false })).toMatchObject({ open: { due: 101_000, inMs: 60_000 } });
});
