export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/**
 * What a run of `bun test` counted, read from the summary that it prints last. A run that ended badly without saying
 * which test failed, or without a summary, counts as one more failure.
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

/** What a run printed of each test that failed, at most so many lines of each: a long log hides them. */
export function failuresIn(output: string, mostLines = 40): string {
  const lines = Bun.stripANSI(output).split("\n");
  const summary = lines.findLastIndex((line) => /^\d+ tests? failed:$/.test(line));
  const failures: string[] = [];
  let begin = 0;
  for (const [index, line] of lines.slice(0, summary === -1 ? lines.length : summary).entries()) {
    if (/^\(fail\) /.test(line)) failures.push(...lines.slice(Math.max(begin, index - mostLines + 1), index + 1), "");
    // What comes before the next one belongs to that.
    if (/^\((pass|fail|skip|todo)\) /.test(line)) begin = index + 1;
  }
  return failures.join("\n");
}

/** The tests that passed only when they were tried again, a line each. */
export function secondAttemptsIn(output: string): string[] {
  return [...Bun.stripANSI(output).matchAll(/^\(pass\) (.*) \(attempt \d+\)/gm)].map(([, name = ""]) => name);
}
