import { expect, test } from "bun:test";
import { dueKinds } from "../../../src/chat/due/take-due-step.ts";
import { readText } from "../../support/tidy/project.ts";

test("kinds of due steps and the mark of a waiting call keep their stored names", () => {
  expect([...dueKinds.keys()].sort()).toEqual(["call", "keptCall", "payment", "timeout", "wait"]);
  expect(readText("src/chat/saves/postponed-calls.sql.ts")).toContain("'keptCall'");
  expect(readText("src/core/interpreter/program/state.ts")).toContain("hasKeptCalls?:");
});
