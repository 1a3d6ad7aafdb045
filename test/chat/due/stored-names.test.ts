import { expect, test } from "bun:test";
import { dueKinds } from "../../../src/chat/due/take-due-step.ts";
import { readText } from "../../support/tidy/project.ts";

test("the stored names of due-step kinds and of kept calls do not change", () => {
  expect([...dueKinds.keys()].sort()).toEqual(["call", "keptCall", "payment", "timeout", "wait"]);
  expect(readText("src/chat/saves/postponed-calls.sql.ts")).toContain("'keptCall'");
  expect(readText("src/core/interpreter/program/state.ts")).toContain("hasKeptCalls?:");
});
