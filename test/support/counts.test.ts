import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countTests, failedFilesIn, failuresIn, faultsOf, withSecondAttempt } from "./counts.ts";

const summary =
  "(pass) a test\n 9 pass\n\n\n 2 pass\n 1 skip\n 1 todo\n 3 fail\n 1 error\n 4 expect() calls\nRan 7 tests across 4 files. [22.00ms]\n";

test("the counts of tests are read only from the summary", () => {
  expect(countTests(summary, 1)).toEqual({ passed: 2, failed: 3, skipped: 2 });
});

test("colours in the summary are ignored", () => {
  const coloured = "\n\u001b[32m 1 pass\u001b[0m\n\u001b[2m 0 fail\u001b[0m\nRan 1 test across 1 file. [1.00ms]\n";

  expect(countTests(coloured, 0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
});

test("a run that ended with an error but without a failed test is a failure", () => {
  expect(countTests("\n 5 pass\n 0 fail\nRan 5 tests across 1 file. [1.00ms]\n", 137).failed).toBe(1);
});

test("a run without a summary is a failure, even with the exit code 0", () => {
  expect(countTests("bun test v1.4.4\n", 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

describe("the printed failures", () => {
  const output =
    "a.test.ts:\n(pass) one\nwhy two\n(fail) two [1.00ms]\n(pass) three\n\nwhy four, 1\nwhy four, 2\n(fail) four\n\n2 tests failed:\n(fail) two\n(fail) four\n\n 2 pass\n 2 fail\n";

  test("the output since the previous test is printed for a failed test", () => {
    expect(failuresIn(output)).toBe("why two\n(fail) two [1.00ms]\n\n\nwhy four, 1\nwhy four, 2\n(fail) four\n");
  });

  test("only the last lines of a test with long output are printed", () => {
    expect(failuresIn(output, 2)).toBe("why two\n(fail) two [1.00ms]\n\nwhy four, 2\n(fail) four\n");
  });

  test("an error outside any test is printed", () => {
    const rule = "-------------------------------";
    const between = `(pass) one\n\n# Unhandled error between tests\n${rule}\nwhy\n${rule}\n\n(pass) two\n`;

    expect(failuresIn(between)).toBe(`# Unhandled error between tests\n${rule}\nwhy\n${rule}\n`);
  });

  test("nothing is printed if no test failed", () => {
    expect(failuresIn(summary)).toBe("");
  });
});

describe("a second run of files with failures", () => {
  const first = [
    "test/a.test.ts:\n(pass) one [1.00ms]\nwhy\n(fail) two > it is 2 [1.00ms]",
    "test/b.test.ts:\n(pass) three",
    "test/a.test.ts:\n(fail) four",
    "::group::test/web/c.test.ts:\n(pass) five\n\n# Unhandled error between tests\nwhy\n",
    "2 tests failed:\n(fail) two > it is 2 [1.00ms]\n(fail) four\n\n 3 pass\n 2 fail\n 1 error\nRan 5 tests across 3 files. [1.00ms]\n",
  ].join("\n");
  const second =
    "test/a.test.ts:\n(pass) two > it is 2 [3.00ms]\n(fail) four [2.00ms]\ntest/web/c.test.ts:\n(pass) five\n\n 2 pass\n 1 fail\nRan 3 tests across 2 files. [1.00ms]\n";

  test("a second run includes the files with failures", () => {
    expect(failedFilesIn(first)).toEqual({ again: ["test/a.test.ts", "test/web/c.test.ts"], final: [] });
    expect(failedFilesIn(summary)).toEqual({ again: [], final: [] });
  });

  test("a second run reports the name of a test that failed only once", () => {
    expect(faultsOf(first, second)).toEqual([
      "test/a.test.ts: two > it is 2",
      "test/web/c.test.ts: an error between tests",
    ]);
    expect(faultsOf(second, second)).toEqual([]);
  });

  test("a second run counts a test that failed only once as passed", () => {
    expect(withSecondAttempt(first, second, 1)).toEqual({ passed: 4, failed: 1, skipped: 0 });
    const allPass = "\n 4 pass\n 0 fail\nRan 4 tests across 2 files. [1.00ms]\n";
    expect(withSecondAttempt(first, allPass, 0)).toEqual({ passed: 5, failed: 0, skipped: 0 });
  });

  test("a second run is a failure if it ends with an error", () => {
    expect(withSecondAttempt(first, "", 137).failed).toBe(1);
  });

  test("a file in which a property test failed is not run a second time", () => {
    const counterexample = messageOf(() => fc.assert(fc.property(fc.nat(), (number) => number < 3)));
    const withProperty = first.replace("why\n(fail) two", `error: ${counterexample}\n(fail) two`);
    expect(failedFilesIn(withProperty)).toEqual({ again: ["test/web/c.test.ts"], final: ["test/a.test.ts"] });
    const pass = "\n 1 pass\n 0 fail\nRan 1 test across 1 file. [1.00ms]\n";
    expect(faultsOf(withProperty, pass)).toEqual(["test/web/c.test.ts: an error between tests"]);
    expect(withSecondAttempt(withProperty, pass, 0)).toEqual({ passed: 3, failed: 2, skipped: 0 });
  });

  test("a counterexample of a passed test does not prevent a second run", () => {
    const told = first.replace("(pass) one", "error: Property failed after 3 tests\n(pass) one");
    expect(failedFilesIn(told).final).toEqual([]);
  });
});

function messageOf(act: () => void): string {
  try {
    act();
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
  return "";
}
