import { expect, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());

const errors: [title: string, source: string, error: { description: string; details?: string }][] = [
  ["an unknown name", "foo.bar", { description: "[undefined] foo is not defined" }],
  ["an error of the author", "throw new Error('mine')", { description: "[undefined] mine" }],
  [
    "an error of a class of the author",
    "throw new (class Mine extends Error {})('mine')",
    { description: "[undefined] mine" },
  ],
  [
    "an error with a cause",
    "throw new Error('outer', { cause: new Error('inner') })",
    { description: "[inner] outer", details: "inner" },
  ],
  [
    "an error with a text as cause",
    "throw new Error('outer', { cause: 'why' })",
    { description: "[undefined] outer", details: "why" },
  ],
  [
    "an error with an object as cause",
    "throw new Error('outer', { cause: { code: 7 } })",
    { description: "[undefined] outer", details: '{"code":7}' },
  ],
  ["a thrown text", "throw 'just text'", { description: "just text" }],
  ["a thrown number", "throw 5", { description: "5" }],
  ["a thrown object", "throw { code: 7 }", { description: "An object that is not an Error was thrown." }],
  [
    "an error that cannot be read",
    "throw Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
    { description: "[undefined] The error could not be read." },
  ],
];

test.each(errors)("the report of an error describes %s", (_title, source, error) => {
  expect(run(source)).toMatchObject({ kind: "failed", error: { context: "While executing function", ...error } });
});

test("an error without a cause has no details", () => {
  expect(run("throw new Error('mine')")).not.toHaveProperty("error.details");
});

test("a syntax error is reported as an error of the script", () => {
  expect(run("return return")).toMatchObject({ kind: "failed", error: { context: "While executing function" } });
});

test("a script can end with a comment", () => {
  expect(run("return 1 // one")).toMatchObject({ kind: "returned", value: 1 });
});

test("a long error and its cause are each truncated to 10,000 characters", () => {
  const outcome = run("throw new Error('x'.repeat(100000), { cause: 'y'.repeat(100000) })");
  expect(outcome).toMatchObject({
    error: { description: expect.stringMatching(/^.{10000}$/), details: expect.stringMatching(/^.{10000}$/) },
  });
});
