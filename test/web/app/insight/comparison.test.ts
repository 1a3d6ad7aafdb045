import { expect, test } from "bun:test";
import { isWithoutChats, passingIn, questionsBeside } from "../../../../src/web/app/insight/beside.ts";
import {
  comparisonOf,
  oldestCounted,
  type Version,
  versionBefore,
} from "../../../../src/web/app/insight/comparison.ts";
import type { Insight } from "../../../../src/web/app/insight/rates.ts";
import { flowAddress, insightAddress, readWindow } from "../../../../src/web/app/insight/window.ts";
import { comparisonChoice } from "../../../../src/web/app/screens/insight/comparison-choice.ts";
import { funnelQuestions } from "../../../../src/web/app/screens/insight/funnel-rows.ts";
import insightWords from "../../../../src/web/app/words/en/insight.json";
import { useWords } from "../../../../src/web/app/words/index.ts";

const version = (number: number, more: Partial<Version> = {}): Version => {
  const createdAt = `2026-11-${String(number).padStart(2, "0")}T10:00:00.000Z`;
  return { number, createdAt, isOnlyCanary: false, isCanary: false, hasChats: true, ...more };
};
const tried = { isOnlyCanary: true } as const;
const live = { isOnlyCanary: true, isCanary: true } as const;
const quiet = { hasChats: false } as const;
const from = (day: number) => ({ from: `2026-11-${String(day).padStart(2, "0")}T00:00:00.000Z`, to: null });
const shown = (query: string) => readWindow(new URLSearchParams(query));

test("a chosen version is compared with the previous version", () => {
  const versions = [version(5), version(4, quiet), version(3, tried), version(2), version(1)];
  const beside = (query: string) => comparisonOf(shown(query), { versions, window: from(20) });
  expect(beside("version=5")).toEqual([2]);
  expect(beside("version=3")).toEqual([2]);
  expect(beside("version=1")).toBe("before");
  expect(beside("version=5&beside=1")).toEqual([1]);
  expect(beside("version=5&beside=before")).toBe("before");
  expect(beside("version=5&beside=5")).toBe("before");
  expect(versionBefore(3, [version(3), version(2, tried)])).toBe(2);
  // The list of versions does not contain this older version.
  expect(comparisonOf(shown("version=9"), { versions: [], window: from(1) })).toBe("before");
});

test("without a chosen version, the two newest versions are compared", () => {
  const beside = (versions: readonly Version[], day: number, query = "") =>
    comparisonOf(shown(query), { versions, window: from(day) });
  const two = [version(2), version(1)];
  expect(beside(two, 2)).toEqual([2, 1]);
  expect(beside(two, 3)).toBe("before");
  expect(beside(two, 3, "beside=2")).toEqual([2, 1]);
  expect(beside([version(1)], 1)).toBe("before");
  expect(beside([version(2, quiet), version(1)], 1)).toBe("before");
  expect(beside([version(3, live), version(2), version(1)], 1)).toEqual([3, 2]);
  // A canary that was rolled back is only compared on request.
  expect(beside([version(3, tried), version(2), version(1)], 1)).toEqual([2, 1]);
  expect(beside([version(3, tried), version(2), version(1)], 1, "beside=3")).toEqual([3, 2]);
  expect(comparisonOf(shown(""), { versions: two, window: undefined })).toBe("before");
  expect(comparisonOf(shown(""), { versions: two, window: { from: null, to: null } })).toEqual([2, 1]);
  const past = { from: null, to: "2026-11-02T00:00:00.000Z" };
  expect(comparisonOf(shown(""), { versions: two, window: past })).toBe("before");
});

test("the oldest counted version was live at the start of the period", () => {
  const versions = [version(9), version(7, tried), version(6), version(4), version(2, quiet)];
  expect([oldestCounted(from(8).from, versions), oldestCounted(from(5).from, versions)]).toEqual([6, 4]);
  expect([oldestCounted(from(1).from, versions), oldestCounted(null, versions), oldestCounted(null, [])]).toEqual([
    4,
    4,
    undefined,
  ]);
});

test("the addresses of the Insight screen and of the flow preserve the comparison", () => {
  expect(insightAddress("bot", shown("version=3&beside=1"))).toBe("/bots/bot/insight?version=3&beside=1");
  expect(flowAddress("bot", shown("beside=before"))).toBe("/bots/bot?beside=before&insight=on");
  expect([shown("beside=x").beside, shown("beside=0").beside]).toEqual([undefined, undefined]);
});

test("the comparison offers the previous period and the other versions", () => {
  const versions = [version(3), version(2), version(1)];
  const words = useWords(insightWords);
  const choice = (query: string) => {
    const window = shown(query);
    const comparison = comparisonOf(window, { versions, window: from(1) });
    const { value, options } = comparisonChoice({ window, versions, comparison, words, onChange: () => {} });
    return [value, ...options.map(({ label }) => label)];
  };
  expect(choice("")).toEqual(["3", "Previous period", "Versions 3 and 2", "Versions 2 and 1"]);
  expect(choice("version=2")).toEqual(["1", "Previous period", "Version 3", "Version 1"]);
  expect(choice("version=2&beside=8")).toEqual(["8", "Previous period", "Version 8", "Version 3", "Version 1"]);
  expect(choice("beside=before")[0]).toBe("before");
});

const figures = { answers: 0, good: 0, bad: 0, values: [] };
const question = (blockId: string, counts: readonly [number, number, number, number], isStanding = true) => {
  const [reached = 0, answered = 0, left = 0, silent = 0] = counts;
  const place = isStanding
    ? { groupId: "g", groupTitle: `Title of ${blockId}`, type: "text input" }
    : { groupId: null, groupTitle: null, type: null };
  return { ...figures, ...place, blockId, reached, answered, left, silent };
};
const insightOf = (views: number, blocks: Insight["blocks"]): Insight => ({
  ...{ asOf: null, from: null, to: null, pageViews: 0, views, starts: views, completions: 0 },
  ...{ medianSeconds: null, p90Seconds: null, payments: [], blocks, edges: [] },
});

test("a comparison lists the questions of both versions", () => {
  const words = useWords(insightWords);
  const now = insightOf(10, [question("a", [10, 8, 2, 0]), question("new", [8, 7, 1, 0])]);
  const earlier = insightOf(100, [
    question("a", [100, 40, 60, 10]),
    question("old", [40, 30, 10, 0]),
    question("moved", [5, 4, 1, 0], false),
  ]);
  const beside = [{ number: 1, insight: earlier }];
  const names = ({ blockId }: { blockId: string }) => blockId;
  const rows = funnelQuestions({ insight: now, beside, names, words });
  expect(rows.map(({ key, note, passing, versions }) => [key, note, passing?.left, versions[0]?.passing])).toEqual([
    ["", undefined, 0, { reached: 100, answered: 100, left: 0 }],
    ["a", undefined, 2, { reached: 90, answered: 40, left: 50 }],
    ["new", undefined, 1, null],
    ["old", "Only in version 1", undefined, { reached: 40, answered: 30, left: 10 }],
  ]);
  // Moved chats left at a question that their first version lacks.
  expect(passingIn({ number: 1, insight: earlier }, "moved")).toEqual({ reached: 5, answered: 4, left: 1 });
  const waiting = funnelQuestions({ insight: now, beside: [{ number: 1, insight: undefined }], names, words });
  expect(waiting.map(({ versions }) => versions[0]?.passing)).toEqual([undefined, undefined, undefined]);
});

test("a question that exists only in the canary is not marked as removed", () => {
  const words = useWords(insightWords);
  const all = insightOf(10, [question("a", [10, 8, 2, 0]), question("tried", [3, 2, 1, 0], false)]);
  const canary = insightOf(4, [question("a", [4, 3, 1, 0]), question("tried", [3, 2, 1, 0])]);
  const names = ({ groupTitle }: { groupTitle: string | null }) => groupTitle ?? "gone";
  const rows = funnelQuestions({ insight: all, beside: [{ number: 2, insight: canary }], names, words });
  expect(rows.map(({ name, note }) => [name, note])).toEqual([
    ["Opened", undefined],
    ["Title of a", undefined],
    ["Title of tried", "Only in version 2"],
  ]);
  expect(questionsBeside(new Set(["a", "tried"]), [{ number: 2, insight: canary }])).toEqual([]);
});

test("a version has no chats only if its figures contain no opened chat", () => {
  expect(isWithoutChats({ number: 1, insight: insightOf(0, []) })).toBe(true);
  expect(isWithoutChats({ number: 1, insight: insightOf(1, []) })).toBe(false);
  expect(isWithoutChats({ number: 1, insight: undefined })).toBe(false);
});
