import { expect, test } from "bun:test";
import { blocks } from "../../../../src/core/blocks/index.ts";
import { answerNames } from "../../../../src/core/interpreter/evaluation/answer-names.ts";
import type { FlowBlock } from "../../../../src/core/interpreter/flow.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { idOf } from "../../../support/builder-ids.ts";

const programOf = (...list: readonly FlowBlock[]) => {
  const groups = [{ id: idOf("group"), blocks: list }];
  const variables = ["Name", "Email"].map((name) => ({ id: idOf(name), name }));
  return compile("program", "bot", { version: "6.1", groups, edges: [], variables }, blocks);
};
const namesIn = (...list: readonly FlowBlock[]) => [...answerNames(programOf(...list), blocks)];
const asking = (name: string): FlowBlock => ({
  id: idOf(`asks ${name}`),
  type: "text input",
  options: { variableId: idOf(name) },
});
const writing = (name: string): FlowBlock => ({
  id: idOf(`model ${name}`),
  type: "openai",
  options: {
    action: "Create chat completion",
    responseMapping: [{ id: "r", item: "Message content", variableId: idOf(name) }],
  },
});

test("a variable counts as a model's answer only if no input writes it", () => {
  expect(namesIn(writing("Name"), writing("Email"))).toEqual(["Name", "Email"]);
  expect(namesIn(writing("Name"), asking("Name"))).toEqual([]);
  expect(namesIn(writing("Name"), asking("Email"))).toEqual(["Name"]);
  expect(namesIn(asking("Email"))).toEqual([]);
  const program = programOf(writing("Name"));
  expect(answerNames(program, blocks)).toBe(answerNames(program, blocks));
});
