import { expect, test } from "bun:test";
import { mayTryAgain, noteCall, withoutAnswerMarks } from "../../../../src/core/interpreter/step/answer-marks.ts";
import type { Step, StepRecord } from "../../../../src/core/interpreter/step/step.ts";

/** A step that asked a model, with one answer of the visitor's, and settings that allow another try. */
const allowed = { general: { isGoBackEnabled: true }, answers: { canTryAgain: true } };
const answer = { variableId: "v", value: "a" };
function step(record: object, reply: unknown = { type: "text", text: "Tell me" }): Step {
  const whole = { answers: [answer], jobs: [], actions: [], ...record } as unknown as StepRecord;
  return { record: whole, reply } as unknown as Step;
}

test("a reply is answered once more where its step had one answer or several, and nothing left the service", () => {
  expect(mayTryAgain(step({}), allowed)).toBe(true);
  expect(mayTryAgain(step({ answers: [answer, answer] }), allowed)).toBe(true);
  expect(mayTryAgain(step({}, { type: "audio" }), allowed)).toBe(true);
});

test("and not where the bot, the reply or what the step did speaks against it", () => {
  const refused: readonly [Step, object][] = [
    [step({ answers: [] }), allowed],
    [step({ jobs: [{}] }), allowed],
    [step({ actions: [{}] }), allowed],
    [step({}, { type: "call" }), allowed],
    [step({}, null), allowed],
    [step({}), { ...allowed, answers: {} }],
    [step({}), { ...allowed, general: {} }],
  ];
  expect(refused.map(([one, settings]) => mayTryAgain(one, settings))).toEqual(refused.map(() => false));
});

test("a step that called anything but models is none of models, whichever came first", () => {
  const called = (...kinds: readonly string[]) => {
    const one = step({});
    for (const kind of kinds) noteCall(one, { kind } as never);
    return one.record.calls;
  };
  expect([called(), called("transcript")]).toEqual([undefined, undefined]);
  expect([called("model"), called("model", "transcript")]).toEqual(["models", "models"]);
  expect([called("http"), called("model", "http"), called("http", "model")]).toEqual(["others", "others", "others"]);
});

test("existing clients get a response without marks, and texts that look like marks stay", () => {
  const marked = { id: "m", isAnswer: true, unfinished: "cut", text: ',"isAnswer":true' };
  const response = JSON.stringify({ messages: [marked], canTryAgain: true });
  expect(JSON.parse(withoutAnswerMarks(response))).toEqual({ messages: [{ id: "m", text: ',"isAnswer":true' }] });
});
