import { describe, expect, test } from "bun:test";
import { countTests, failuresIn, secondAttemptsIn } from "./counts.ts";

const summary =
  "(pass) a test\n 9 pass\n\n\n 2 pass\n 1 skip\n 1 todo\n 3 fail\n 1 error\n 4 expect() calls\nRan 7 tests across 4 files. [22.00ms]\n";

test("the counts are those of the summary, not of what tests printed before", () => {
  expect(countTests(summary, 1)).toEqual({ passed: 2, failed: 3, skipped: 2 });
});

test("colours in the summary don't matter", () => {
  const coloured = "\n\u001b[32m 1 pass\u001b[0m\n\u001b[2m 0 fail\u001b[0m\nRan 1 test across 1 file. [1.00ms]\n";

  expect(countTests(coloured, 0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
});

test("a run that ended badly without a failed test is a failure", () => {
  expect(countTests("\n 5 pass\n 0 fail\nRan 5 tests across 1 file. [1.00ms]\n", 137).failed).toBe(1);
});

test("a run without a summary is a failure, whatever its exit code", () => {
  expect(countTests("bun test v1.4.4\n", 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

describe("of what failed", () => {
  const output =
    "a.test.ts:\n(pass) one\nwhy two\n(fail) two [1.00ms]\n(pass) three\n\nwhy four, 1\nwhy four, 2\n(fail) four\n\n2 tests failed:\n(fail) two\n(fail) four\n\n 2 pass\n 2 fail\n";

  test("everything since the test before is told", () => {
    expect(failuresIn(output)).toBe("why two\n(fail) two [1.00ms]\n\n\nwhy four, 1\nwhy four, 2\n(fail) four\n");
  });

  test("only the last lines are told of a test that printed many", () => {
    expect(failuresIn(output, 2)).toBe("why two\n(fail) two [1.00ms]\n\nwhy four, 2\n(fail) four\n");
  });

  test("nothing is told where nothing failed", () => {
    expect(failuresIn(summary)).toBe("");
  });
});

test("tests that were tried again are named", () => {
  expect(
    secondAttemptsIn("(pass) one [1.00ms]\nwhy\n(pass) two (attempt 2) [0.02ms]\n(fail) three (attempt 2)\n"),
  ).toEqual(["two"]);
});
