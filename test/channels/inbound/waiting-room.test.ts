import { expect, test } from "bun:test";
import { roomFor } from "../../../src/channels/inbound/inbound.ts";

test("a process limits the waiting messages in memory, and always accepts some messages of each connection", () => {
  expect(roomFor({ own: 0, all: 0 })).toBe(1_000);
  expect(roomFor({ own: 5_000, all: 19_900 })).toBe(100);
  expect(roomFor({ own: 5_000, all: 20_000 })).toBe(0);
  expect(roomFor({ own: 150, all: 30_000 })).toBe(50);
});
