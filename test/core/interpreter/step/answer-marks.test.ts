import { expect, test } from "bun:test";
import type { Effect } from "../../../../src/core/interpreter/program/effect.ts";
import { mayTryAgain, noteCall, withoutAnswerMarks } from "../../../../src/core/interpreter/step/answer-marks.ts";
import type { Step, StepRecord } from "../../../../src/core/interpreter/step/step.ts";
import { idOf } from "../../../support/builder-ids.ts";

const allowed = { general: { isGoBackEnabled: true }, answers: { canTryAgain: true } };
const answer = {
  ...{ resultId: null, botId: "bot", blockId: idOf("asks"), groupId: idOf("group") },
  ...{ variableId: null, content: "Tell me", attachedFileUrls: null },
};
const call = {
  ...{ type: "segment", credentialsId: "ours", blockId: idOf("calls"), content: {} },
  ...{ resultId: "result", botId: "bot" },
};
const said: Step["reply"] = { type: "text", text: "Tell me" };

/** A step with one answer of the visitor, without jobs and without actions for the browser. */
const step = (record: Partial<Pick<StepRecord, "answers" | "jobs" | "actions">> = {}, reply: Step["reply"] = said) => ({
  record: { answers: [answer], jobs: [], actions: [], ...record },
  reply,
});

test("a reply can be retried if its step recorded only answers", () => {
  expect(mayTryAgain(step(), allowed)).toBe(true);
  expect(mayTryAgain(step({ answers: [answer, answer] }), allowed)).toBe(true);
  expect(mayTryAgain(step({}, { type: "audio", url: "https://example.com/a.webm" }), allowed)).toBe(true);
});

test("a reply cannot be retried if the bot, the reply or the step forbids a retry", () => {
  const refused = [
    mayTryAgain(step({ answers: [] }), allowed),
    mayTryAgain(step({ jobs: [{ queue: "calls", data: call }] }), allowed),
    mayTryAgain(step({ actions: [{ type: "redirect" }] }), allowed),
    mayTryAgain(step({}, null), allowed),
    mayTryAgain(step(), { ...allowed, answers: {} }),
    mayTryAgain(step(), { ...allowed, general: {} }),
  ];
  expect(refused).toEqual(refused.map(() => false));
});

test("a step counts as models-only if it calls models and no other service", () => {
  const called = (...kinds: readonly Effect["kind"][]) => {
    const record: Pick<StepRecord, "calls"> = {};
    for (const kind of kinds) noteCall({ record }, { kind });
    return record.calls;
  };
  expect([called(), called("transcript")]).toEqual([undefined, undefined]);
  expect([called("model"), called("model", "transcript")]).toEqual(["models", "models"]);
  expect([called("http"), called("model", "http"), called("http", "model")]).toEqual(["others", "others", "others"]);
});

test("responses to existing clients omit the marks of answers and retries", () => {
  const marked = { id: "m", isAnswer: true, unfinished: "cut", text: ',"isAnswer":true' };
  const response = JSON.stringify({ messages: [marked], canTryAgain: true });
  expect(JSON.parse(withoutAnswerMarks(response))).toEqual({ messages: [{ id: "m", text: ',"isAnswer":true' }] });
});
