import { expect, test } from "bun:test";
import type { Report } from "../../../src/core/interpreter/program/effect.ts";
import { idOf } from "../../support/builder-ids.ts";
import { chatWith } from "./logic-flow.ts";
import { play } from "./one-block.ts";

const mail = {
  action: "Send email",
  credentialsId: "ours",
  to: "bob@example.com, cy@example.com",
  subject: "Hi {{Name}}",
};
const mapped = { responseMapping: [{ item: "Thread ID", variableId: "v_Thread" }] };

function gmail(options: object, more: { variables?: Record<string, string | null>; report?: Report } = {}) {
  return play({ block: { type: "gmail", options, outgoingEdgeId: "on" }, ...more }).asked;
}

test("a mail whose thread is not saved is not sent within the step", () => {
  const groups = { g1: [{ id: "m", type: "gmail", options: { ...mail, body: "Hello" } }] };
  const { start } = chatWith({ groups, edges: {}, variables: { Name: "Ana" } }, { resultId: "r" });
  expect(start.effects).toEqual([]);
});

test("a mail whose thread is saved in a variable is sent within the step", () => {
  const report: Report = { kind: "gmail", threadId: "t1", notes: ["It has no label"] };
  const variables = { Name: "Ana", Thread: null };
  const scene = gmail({ ...mail, ...mapped, body: "Hello" }, { variables, report });
  expect(scene.effects).toMatchObject([
    { kind: "gmail", mail: { to: ["bob@example.com", "cy@example.com"], subject: "Hi Ana", body: { text: "Hello" } } },
  ]);
  expect(scene.variables).toMatchObject({ Thread: "t1" });
  expect(scene.logs).toMatchObject([
    { status: "success", description: "Email successfully sent" },
    { status: "info", description: "It has no label" },
  ]);
});

test.each([
  ["Dear {{Name}}", { text: "Dear <b>" }],
  ["<p>Dear {{Name}}</p>", { html: "<p>Dear &lt;b&gt;</p>" }],
])("the mail body %p is sent as %p", (body, sent) => {
  const scene = gmail({ ...mail, ...mapped, body }, { variables: { Name: "<b>", Thread: null } });
  expect(scene.effects).toMatchObject([{ mail: { body: sent } }]);
});

test("the attachments of a mail are the comma-separated addresses in a variable", () => {
  const options = { ...mail, attachments: idOf("v_Files") };
  const scene = gmail(options, { variables: { Files: "https://a.example/1, https://a.example/2" } });
  expect(scene.effects).toMatchObject([{ mail: { attachments: ["https://a.example/1", "https://a.example/2"] } }]);
});

test("a failed mail leads to the failure edge and leaves its variable unchanged", () => {
  const report: Report = { kind: "gmail", failure: { reason: "credentials", status: 400, details: "invalid_grant" } };
  const failure = { outgoingEdgeId: "failed" };
  const scene = gmail({ ...mail, ...mapped, failure }, { variables: { Thread: "before" }, report });
  expect(scene.edge).toBe("failed");
  expect(scene.variables).toEqual({ Thread: "before" });
  expect(gmail({ ...mail, ...mapped, to: " , " }).logs).toMatchObject([{ description: "The mail has no recipients" }]);
});
