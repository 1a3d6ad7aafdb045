import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import type { Report } from "../../../../src/core/interpreter/program/effect.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { advance } from "../../../../src/core/interpreter/step/advance.ts";
import { closeStep } from "../../../../src/core/interpreter/step/step.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { idOf } from "../../../support/builder-ids.ts";

test("an error in a log contains the failed block and the reason", async () => {
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

test("only a linked flow of the same bot gets the session variables", async () => {
  const text = (id: string) => ({ id, type: "text", content: { plainText: id } });
  const transcript = { id: "keeps", type: "Set variable", options: { variableId: idOf("Talk"), type: "Transcript" } };
  const linking = (typebotId: string): FlowDocument => ({
    version: "6",
    events: [{ id: "start", type: "start", outgoingEdgeId: "first" }],
    groups: [
      {
        id: "group",
        title: "Group",
        blocks: [transcript, { id: "links", type: "Typebot link", options: { typebotId, groupId: "asking" } }],
      },
      { id: "asking", title: "Asking", blocks: [text("Hello"), { id: "asks", type: "text input" }] },
    ],
    edges: [{ id: "first", to: { groupId: "group" } }],
    variables: [{ id: idOf("Talk"), name: "Talk" }],
  });
  const runScript = await createSandbox();
  const idsAfter = (typebotId: string) => {
    const program = compile("program", "bot", linking(typebotId), blocks);
    const other = compile("other", "other", linking(typebotId), blocks);
    const programOf = (key: string) => (key === "other" ? other : program);
    const context = {
      now: 0,
      seed: "0".repeat(32),
      isLive: true,
      contentFormat: "richText" as const,
      blocks,
      runScript,
    };
    const begun = { isStreamEnabled: false, isOnlyRegistering: false, reply: null, options: {} };
    let advanced = advance(context, program, programOf, { kind: "start", resultId: "result", ...begun });
    while (advanced.kind === "performing") {
      const { continuation, effect } = advanced;
      const report: Report =
        effect.kind === "linkedFlow"
          ? { kind: "linkedFlow", program: "other", resultId: "linked" }
          : { kind: "transcript", text: "Hello" };
      advanced = advance(context, program, programOf, { kind: "report", continuation, report });
    }
    if (advanced.kind !== "stepped") throw new Error(`It is ${advanced.kind}`);
    return closeStep(advanced.step).queue.map(({ program, sessionVariableIds }) => [program, sessionVariableIds]);
  };

  expect(idsAfter("current")).toEqual([
    ["program", [idOf("Talk")]],
    ["program", [idOf("Talk")]],
  ]);
  expect(idsAfter("other")).toEqual([
    ["other", undefined],
    ["program", [idOf("Talk")]],
  ]);
});
