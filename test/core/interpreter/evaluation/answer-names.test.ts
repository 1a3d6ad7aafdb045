import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { answerNames } from "../../../../src/core/interpreter/evaluation/answer-names.ts";
import type { FlowDocument } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf } from "../../../support/chat.ts";

const writing = (name: string) => ({
  id: idOf(`model ${name}`),
  type: "openai",
  options: {
    action: "Create chat completion",
    responseMapping: [{ id: "r", item: "Message content", variableId: idOf(name) }],
  },
});
const namesIn = (...list: readonly object[]) =>
  answerNames(compile("program", "bot", flowOf(list) as FlowDocument, blocks), blocks);

test("a variable holds an answer where a model alone writes it, and none where a visitor may have written it", () => {
  const program = compile("program", "bot", flowOf([writing("Name"), writing("Email")]) as FlowDocument, blocks);

  expect([...answerNames(program, blocks)]).toEqual(["Name", "Email"]);
  expect(answerNames(program, blocks)).toBe(answerNames(program, blocks));
  expect([...namesIn(writing("Name"), asks("text input", { variableId: idOf("Name") }))]).toEqual([]);
  expect([...namesIn(writing("Name"), asks("text input", { variableId: idOf("Email") }))]).toEqual(["Name"]);
  expect([...namesIn(asks("text input", { variableId: idOf("Email") }))]).toEqual([]);
});
