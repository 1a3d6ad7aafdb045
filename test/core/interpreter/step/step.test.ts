import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { idOf } from "../../../support/builder-ids.ts";

test("an error in a log has the block that failed, and the reason; what is no error has neither", async () => {
  const script = { variableId: idOf("Name"), expressionToEvaluate: "return missing()", isCode: true };
  const call = { webhook: { url: "https://example.com/" } };
  const flow: FlowDocument = {
    version: "6",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [
      {
        id: "group",
        title: "Group",
        blocks: [
          { id: "says", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello" }] }] } },
          { id: "sets", type: "Set variable", options: script },
          { id: "calls", type: "Webhook", options: call },
          { id: "asks", type: "text input" },
        ],
      },
    ],
    edges: [{ id: "first", to: { groupId: "group" } }],
    variables: [{ id: idOf("Name"), name: "Name" }],
  };
  const program = compile("program", "bot", flow, blocks);
  const context = {
    ...{ now: 0, seed: "0".repeat(32), isLive: true, contentFormat: "richText" as const, blocks },
    runScript: await createSandbox(),
  };
  const options = {};
  const begun = {
    kind: "start",
    resultId: "result",
    isStreamEnabled: false,
    isOnlyRegistering: false,
    reply: null,
    options,
  } as const;
  const calling = advance(context, program, () => program, begun);
  if (calling.kind !== "performing") throw new Error(`It is ${calling.kind}`);
  const report = { kind: "http", statusCode: 200, text: "{}" } as const;
  const { continuation } = calling;
  const done = advance(context, program, () => program, { kind: "report", continuation, report });

  if (done.kind !== "stepped") throw new Error(`It is ${done.kind}`);
  const facts = done.step.record.logs.map(({ status = "error", reason, blockId }) => ({ status, reason, blockId }));
  expect(facts).toEqual([
    { status: "error", reason: "script", blockId: "sets" },
    { status: "success", reason: undefined, blockId: undefined },
  ]);
});
