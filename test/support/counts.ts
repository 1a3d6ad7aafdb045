export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/**
 * Parses the counts of a `bun test` run from its summary. A run that failed without a counted failure, or that has no
 * summary, counts as one failure.
 */
export function countTests(output: string, exitCode: number): Counts {
  const lines = Bun.stripANSI(output).trimEnd().split("\n");
  const end = lines.findLastIndex((line) => /^Ran \d+ tests? across \d+ files?\./.test(line));
  const start = lines.lastIndexOf("", Math.max(end, 0));
  const counted = new Map<string, number>();
  for (const line of lines.slice(start + 1, Math.max(end, 0))) {
    const [, number, word] = /^ (\d+) (pass|fail|skip|todo)$/.exec(line) ?? [];
    if (word !== undefined) counted.set(word, Number(number));
  }
  const failed = counted.get("fail") ?? 0;
  const isUnexplained = failed === 0 && (exitCode !== 0 || end === -1);
  return {
    passed: counted.get("pass") ?? 0,
    failed: failed + (isUnexplained ? 1 : 0),
    skipped: (counted.get("skip") ?? 0) + (counted.get("todo") ?? 0),
  };
}

const errorLine = "# Unhandled error between tests";

/** Returns the output of each failed test and of each error outside tests, at most the last `mostLines` lines. */
export function failuresIn(output: string, mostLines = 40): string {
  const lines = Bun.stripANSI(output).split("\n");
  const summary = lines.findLastIndex((line) => /^\d+ tests? failed:$/.test(line));
  const failures: string[] = [];
  let begin = 0;
  let isBetween = false;
  for (const [index, line] of lines.slice(0, summary === -1 ? lines.length : summary).entries()) {
    if (line === errorLine) [begin, isBetween] = [index, true];
    // The output of an error is enclosed in lines of dashes.
    const isErrorOver = isBetween && index > begin + 1 && /^-{20,}$/.test(line);
    if (isErrorOver) isBetween = false;
    if (isErrorOver || /^\(fail\) /.test(line))
      failures.push(...lines.slice(Math.max(begin, index - mostLines + 1), index + 1), "");
    // The output of the next test begins on the next line.
    if (isErrorOver || /^\((pass|fail|skip|todo)\) /.test(line)) begin = index + 1;
  }
  return failures.join("\n");
}

/** Matches the line that Bun prints before the tests of a file, and again after output of another worker. */
const fileLine = /^(?:::group::)?(test\/\S+\.test\.tsx?):$/;

export function filesIn(output: string): Set<string> {
  return new Set(output.split("\n").flatMap((line) => fileLine.exec(Bun.stripANSI(line).trim())?.[1] ?? []));
}

const betweenTests = "an error between tests";

/** Matches a line of fast-check's message about a counterexample. */
const counterexampleLine = /\bProperty failed after \d+ tests?$/;

type Failure = { readonly file: string; readonly what: string; readonly isCounterexample: boolean };

/** Returns the failures of each file before the summary: tests by their names, and errors outside tests. */
function failedIn(output: string): Failure[] {
  const lines = Bun.stripANSI(output).split("\n");
  const summary = lines.findLastIndex((line) => /^\d+ tests? failed:$/.test(line));
  const failed: Failure[] = [];
  let file = "";
  let isCounterexample = false;
  for (const line of lines.slice(0, summary === -1 ? lines.length : summary)) {
    file = fileLine.exec(line)?.[1] ?? file;
    isCounterexample ||= counterexampleLine.test(line);
    const [, name] = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/.exec(line) ?? [];
    const what = line === errorLine ? betweenTests : name;
    if (what !== undefined && file !== "") failed.push({ file, what, isCounterexample });
    if (/^\((pass|fail|skip|todo)\) /.test(line)) isCounterexample = false;
  }
  return failed;
}

export type FailedFiles = {
  /** The failed files that may pass in a second attempt. */
  readonly again: readonly string[];
  /** The failed files with a counterexample. Seeds differ between runs, so a second attempt would test other values. */
  readonly final: readonly string[];
};

export function failedFilesIn(output: string): FailedFiles {
  const failed = failedIn(output);
  const final = new Set(failed.flatMap(({ file, isCounterexample }) => (isCounterexample ? [file] : [])));
  const again = new Set(failed.flatMap(({ file }) => (final.has(file) ? [] : [file])));
  return { again: [...again], final: [...final] };
}

/**
 * Returns the failures that the second attempt did not repeat, one line each. Files with a counterexample are left out.
 */
export function faultsOf(first: string, second: string): string[] {
  const nameOf = ({ file, what }: Failure) => `${file}: ${what}`;
  const again = new Set(failedIn(second).map(nameOf));
  const { final } = failedFilesIn(first);
  const forgivable = failedIn(first).filter(({ file }) => !final.includes(file));
  return [...new Set(forgivable.map(nameOf))].filter((name) => !again.has(name));
}

/** Returns the counts of a run after a second attempt. Tests that failed only in the first attempt count as passed. */
export function withSecondAttempt(first: string, second: string, exitCode: number): Counts {
  const { final } = failedFilesIn(first);
  const isTest = ({ what }: { readonly what: string }) => what !== betweenTests;
  const ofFinal = failedIn(first).filter((failure) => final.includes(failure.file) && isTest(failure)).length;
  const recovered = faultsOf(first, second).filter((fault) => !fault.endsWith(`: ${betweenTests}`)).length;
  const { passed, skipped } = countTests(first, 1);
  return { passed: passed + recovered, failed: countTests(second, exitCode).failed + ofFinal, skipped };
}
