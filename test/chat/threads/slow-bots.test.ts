import { expect, test } from "bun:test";
import { createSlowBots } from "../../../src/chat/threads/slow-bots.ts";

test("slow bots are remembered, the last ones longest", () => {
  const slowBots = createSlowBots({ max: 2, ms: 60_000 });
  for (const botId of ["a", "b", "a", "c"]) slowBots.add(botId);

  expect(["a", "b", "c", "d"].map((botId) => slowBots.has(botId))).toEqual([true, false, true, false]);
});

test("a slow bot is forgotten a while after its last slow step", () => {
  let time = 0;
  const slowBots = createSlowBots({ max: 2, ms: 60_000, now: () => time });
  slowBots.add("a");
  time = 50_000;
  slowBots.add("a");
  time = 109_999;
  expect(slowBots.has("a")).toBe(true);
  time = 110_000;

  expect(slowBots.has("a")).toBe(false);
});
