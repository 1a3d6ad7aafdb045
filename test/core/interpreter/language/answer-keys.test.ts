import { expect, test } from "bun:test";
import { blocks as served } from "../../../../src/core/blocks/index.ts";
import { compile } from "../../../../src/core/interpreter/program/program.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { chatWith, question } from "../../blocks/logic-flow.ts";

type Question = { readonly id: string; readonly variable?: string };

/** Returns the keys of questions in groups with the given titles. */
function keysOf(...groups: readonly (readonly [title: string, ...questions: Question[]])[]): Record<string, string> {
  const flow = {
    version: "6.1",
    groups: groups.map(([title, ...questions], index) => ({
      id: `g${index}`,
      title,
      blocks: questions.map(({ id, variable }) => ({
        id,
        type: "text input",
        ...(variable !== undefined && { options: { variableId: idOf(variable) } }),
      })),
    })),
    edges: [],
    variables: ["Name", "Ask"].map((name) => ({ id: idOf(name), name })),
  };
  return Object.fromEntries(compile("key", "bot", flow, served).answerKeys);
}

test("a group's first question has the group's title as its key, numbered if repeated", () => {
  expect(keysOf(["Ask", { id: "a" }], ["Ask", { id: "b" }], ["Other", { id: "c" }], ["Ask", { id: "d" }])).toEqual({
    a: "Ask",
    b: "Ask (2)",
    c: "Other",
    d: "Ask (3)",
  });
});

test("later questions of a group are numbered from 1", () => {
  const keys = keysOf(["Ask", { id: "a" }, { id: "b" }, { id: "c" }], ["Ask", { id: "d" }, { id: "e" }]);

  expect(keys).toEqual({ a: "Ask", b: "Ask (1)", c: "Ask (2)", d: "Ask (3)", e: "Ask (1) (2)" });
});

test("a numbered key does not equal the title of a later group", () => {
  expect(keysOf(["Ask", { id: "a" }], ["Ask", { id: "b" }], ["Ask (2)", { id: "c" }])).toEqual({
    a: "Ask",
    b: "Ask (3)",
    c: "Ask (2)",
  });
});

test("a variable's name is the key of its questions", () => {
  expect(keysOf(["G", { id: "a", variable: "Name" }, { id: "b", variable: "Name" }], ["Name", { id: "c" }])).toEqual({
    a: "Name",
    b: "Name",
    c: "Name (2)",
  });
  expect(keysOf(["Ask", { id: "a" }], ["H", { id: "b", variable: "Ask" }])).toEqual({ a: "Ask (2)", b: "Ask" });
});

test("a question with a variable counts in the numbering of its group", () => {
  expect(keysOf(["Ask", { id: "a", variable: "Name" }, { id: "b" }])).toEqual({ a: "Name", b: "Ask (1)" });
});

const call = { id: "h", type: "Webhook", options: { webhook: { url: "https://api.example.com/x" } } };
const mail = { id: "m", type: "Email", options: { credentialsId: "default", recipients: ["a@example.com"] } };

test("a request body and a mail contain the answers of groups with equal titles", () => {
  const flow = {
    groups: { g1: [{ ...question("p"), outgoingEdgeId: "e" }], g2: [question("q"), call, mail] },
    titles: { g1: "Ask", g2: "Ask" },
    edges: { e: "g2" },
  };
  const chat = chatWith(flow, {
    resultId: "r",
    perform: () => ({ kind: "http", statusCode: 200, text: "" }),
  });
  chat.say("Ann");
  const { effects, jobs } = chat.say("Berlin");
  const [effect] = effects;

  expect(JSON.parse((effect?.kind === "http" && effect.body) || "{}")).toMatchObject({
    Ask: "Ann",
    "Ask (2)": "Berlin",
  });
  expect(JSON.stringify(jobs)).toContain("Ask (2)");
});

test("a question that is answered again overwrites its earlier answer", () => {
  const flow = {
    groups: { g1: [question("p"), call, { ...question("again"), outgoingEdgeId: "back" }] },
    titles: { g1: "Ask" },
    edges: { back: "g1" },
  };
  const chat = chatWith(flow, { perform: () => ({ kind: "http", statusCode: 200, text: "" }) });
  chat.say("first");
  chat.say("more");
  const [effect] = chat.say("second").effects;

  expect(JSON.parse((effect?.kind === "http" && effect.body) || "{}")).toMatchObject({
    Ask: "second",
    "Ask (1)": "more",
  });
});
