import { expect, test } from "bun:test";
import { dueKinds } from "../../../src/chat/due/take-due-step.ts";
import { readText } from "../../support/tidy/project.ts";

test("kinds of due steps, and the mark of a call that waits, have the names that are stored", () => {
  expect([...dueKinds.keys()].sort()).toEqual(["call", "keptCall", "payment", "timeout", "wait"]);
  expect(readText("src/chat/saves/postponed-calls.sql.ts")).toContain("'keptCall'");
  expect(readText("src/core/interpreter/program/state.ts")).toContain("hasKeptCalls?:");
});
