import { describe, expect, test } from "bun:test";
import type { Report } from "../../../src/core/interpreter/program/effect.ts";
import type { ModelEffect, ModelFailure, SpeechEffect } from "../../../src/core/interpreter/program/model.ts";
import { type CallWatch, type FinishedCall, type PlannedCall, withinBudgets } from "../../../src/effects/model-use.ts";

const effect: ModelEffect = {
  kind: "model",
  credentialsType: "openai",
  credentialsId: "c",
  model: "m",
  messages: [{ role: "user", content: "x".repeat(30) }],
  timeoutMs: 1_000,
};

type SpeechReport = Extract<Report, { kind: "speech" }>;
type ModelReport = Extract<Report, { kind: "model" }>;

/** Makes a call whose result is the given report. Returns the tokens that were reserved and settled. */
async function call(asked: ModelEffect, report: ModelReport, tries = 1) {
  const planned: PlannedCall[] = [];
  const finished: FinishedCall[] = [];
  const models = {
    async reserve(one: PlannedCall) {
      planned.push(one);
      return { settle: async (settled: FinishedCall) => void finished.push(settled) };
    },
  };
  const make = async (watch: CallWatch) => {
    for (let each = 0; each < tries; each++) watch.tried(["a key"]);
    return report;
  };
  const given = await withinBudgets<ModelReport>(asked, { models }, { make, refuse: failed });
  expect(given).toBe(report);
  return { taken: planned[0]?.tokens, finished: finished[0] };
}

const failed = (failure: ModelFailure): ModelReport => ({ kind: "model", failure });
const tokens = { in: 7, cached: 2, out: 3, isEstimated: false };
const answered: ModelReport = { kind: "model", answer: { text: "Yes", ended: "stop", tokens } };

describe("the budget before a call", () => {
  test.each<[string, Partial<ModelEffect>, { in: number; out: number }]>([
    ["its characters and its maximum answer", { maxTokens: 50 }, { in: 10, out: 50 }],
    ["its characters and the default maximum answer", {}, { in: 10, out: 16_384 }],
    [
      "a thousand tokens per file, and its text once",
      {
        maxTokens: 1,
        messages: [
          {
            role: "user",
            content: "abc",
            parts: [{ text: "abc" }, { address: "https://a.example/1" }, { address: "https://a.example/2" }],
          },
        ],
      },
      { in: 2_001, out: 1 },
    ],
    [
      "its tools and earlier tool calls",
      {
        maxTokens: 1,
        messages: [{ role: "assistant", content: "", calls: [{ id: "1", name: "t", arguments: "x".repeat(300) }] }],
        tools: [
          { name: "t", parameters: { type: "object", properties: {}, required: [], additionalProperties: false } },
        ],
      },
      { in: 135, out: 1 },
    ],
  ])("the tokens that a call reserves include %s", async (_, more, taken) => {
    expect((await call({ ...effect, ...more }, answered)).taken).toEqual(taken);
  });

  test("an exhausted budget prevents a call", async () => {
    const models = { reserve: async () => ({ refusedBy: "Of this bot" }) };
    const make = () => Promise.reject(new Error("It was made"));

    const report = await withinBudgets<ModelReport>(effect, { models }, { make, refuse: failed });

    expect(report).toEqual(failed({ reason: "budget", details: "Of this bot" }));
  });
});

test("an exhausted budget prevents the generation of speech", async () => {
  const models = { reserve: async () => ({ refusedBy: "Of this bot" }) };
  const make = () => Promise.reject(new Error("It was made"));
  const place = { credentialsType: "openai", credentialsId: "c", model: "m", timeoutMs: 1_000 };
  const speech: SpeechEffect = { kind: "speech", ...place, blockId: "b", input: "Hello", voice: "v" };
  const refuse = (failure: ModelFailure): SpeechReport => ({ kind: "speech", failure });

  const report = await withinBudgets<SpeechReport>(speech, { models }, { make, refuse });

  expect(report).toEqual(refuse({ reason: "budget", details: "Of this bot" }));
});

describe("the record of a call", () => {
  test("the record of a call contains the reported usage", async () => {
    const { finished } = await call(effect, answered);

    expect(finished).toMatchObject({ ended: "stop", isMade: true, tokens, tries: 1, keys: ["a key"] });
    expect(finished?.answer).toEqual({ text: "Yes" });
    expect(JSON.parse(JSON.stringify(finished?.request))).toEqual({ model: "m", messages: effect.messages });
  });

  test.each<[ModelFailure["reason"], boolean]>([
    ["credentials", false],
    ["address", false],
    ["busy", false],
    ["key", true],
    ["overloaded", true],
    ["empty", true],
  ])("a call that failed (%s) is recorded with its attempts, and counts as made: %p", async (reason, isMade) => {
    const { finished } = await call(effect, { ...failed({ reason }), tokens }, 3);

    expect(finished).toMatchObject({ ended: reason, isMade, tokens, tries: 3 });
    expect((await call(effect, failed({ reason }))).finished?.tokens).toBeNull();
  });

  test.each<[ModelFailure["reason"], number | undefined]>([
    ["credentials", undefined],
    ["overloaded", undefined],
    ["time", 23],
  ])(
    "the tokens of a failed call of speech are estimated only if its attempts may be charged (%s: %p)",
    async (reason, read) => {
      const finished: FinishedCall[] = [];
      const models = { reserve: async () => ({ settle: async (one: FinishedCall) => void finished.push(one) }) };
      const place = { credentialsType: "openai", credentialsId: "c", model: "m", timeoutMs: 1_000 };
      const speech: SpeechEffect = { kind: "speech", ...place, blockId: "b", input: "x".repeat(30), voice: "v" };
      const refuse = (failure: ModelFailure): SpeechReport => ({ kind: "speech", failure });
      await withinBudgets<SpeechReport>(
        speech,
        { models },
        {
          make: async (watch) => {
            for (let each = 0; each < 3; each++) watch.tried([]);
            return refuse({ reason });
          },
          refuse,
        },
      );

      expect(finished[0]?.tokens?.in).toBe(read);
    },
  );
});
