import { expect, test } from "bun:test";
import {
  createStepProgress,
  type ProgressEvent,
  type ReadPlace,
  type StepProgress,
} from "../../../src/chat/steps/step-progress.ts";

const said = '[{"id":"a"}]';
const more = '[{"id":"a"},{"id":"shown"}]';

test("a reader who reconnects gets the remaining text of an answer", () => {
  const words = ["You ", "said: ", "hello ", "there"];
  const whole = words.join("");

  for (let characters = 1; characters <= whole.length; characters++) {
    const step = progressOf(words);
    const rest = step.read(step.placeAt(`7.${characters}`));

    expect(textIn(rest)).toBe(whole.slice(characters));
    expect(rest.filter(({ event }) => event !== "delta")).toEqual([]);
  }
});

test("a reader who reconnects to a long answer gets the remaining text", () => {
  const words = Array.from({ length: 500 }, (_, index) => `${"word".repeat(index % 20)} `);
  const whole = words.join("");
  const step = progressOf([]);
  const [along, behind] = [step.placeAt(null), step.placeAt(null)];

  const read = words.map((one) => {
    step.add(one);
    return textIn(step.read(along));
  });

  expect(read.join("")).toBe(whole);
  expect(textIn(step.read(behind))).toBe(whole);
  expect(textIn(step.read(step.placeAt("7.5000")))).toBe(whole.slice(5_000));
  expect(step.answering()?.text).toBe(whole);
});

test("each later read of an answer returns only the new part", () => {
  const step = createStepProgress({ newSessionId: "s" });
  const place = step.placeAt(null);

  const before = step.read(place);
  step.say(said);
  step.answer({ attempt: 7, blockId: "shown", text: "" });
  const begun = step.read(place);
  step.add("One ");
  const first = step.read(place);
  step.say(said);
  step.add("two");
  const second = step.read(place);

  expect(before).toEqual([]);
  expect(begun).toEqual([
    { event: "said", messages: said, sessionId: "s" },
    { event: "delta", id: "7.0", blockId: "shown", text: "" },
  ]);
  expect(first).toEqual([{ event: "delta", id: "7.4", blockId: "shown", text: "One " }]);
  expect(second).toEqual([{ event: "delta", id: "7.7", blockId: "shown", text: "two" }]);
});

test("a reader who reconnects after one answer gets the next answer", () => {
  const step = progressOf(["One"]);
  const place = step.placeAt("7.2");
  step.say(more);
  step.answer({ attempt: 8, blockId: "next", text: "" });
  step.add("Two");

  expect(step.read(place)).toEqual([
    { event: "said", messages: more },
    { event: "delta", id: "8.3", blockId: "next", text: "Two" },
  ]);
});

test("an answer of another run restarts only for readers of the previous run", () => {
  const step = progressOf(["One"]);
  const [reader, newcomer] = [step.placeAt("7.2"), step.placeAt(null)];
  step.answer({ attempt: 5_000, blockId: "shown", text: "Other" });

  expect(step.read(reader).map(({ event }) => event)).toEqual(["restart", "delta"]);
  expect(step.read(newcomer).map(({ event }) => event)).toEqual(["said", "delta"]);
});

test.each(["", "7", "7.", ".7", "-7.1", "7.1.1", "x.1", `${"9".repeat(11)}.1`])(
  "a reader with the invalid id %p gets the complete progress",
  (id) => {
    const step = progressOf(["One"]);

    expect(step.read(step.placeAt(id)).map(({ event }) => event)).toEqual(["said", "delta"]);
  },
);

test("a reader who claims to have read more text than exists waits for new text", () => {
  const step = progressOf(["One"]);
  const place: ReadPlace = step.placeAt("7.5");

  const early = step.read(place);
  step.add(" two");

  expect(early).toEqual([]);
  expect(textIn(step.read(place))).toBe("wo");
});

function progressOf(words: readonly string[]): StepProgress {
  const step = createStepProgress({ newSessionId: undefined });
  step.say(said);
  step.answer({ attempt: 7, blockId: "shown", text: "" });
  for (const one of words) step.add(one);
  return step;
}

function textIn(told: readonly ProgressEvent[]): string {
  return told.map((one) => (one.event === "delta" ? one.text : "")).join("");
}
