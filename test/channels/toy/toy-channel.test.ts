import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isLong } from "../../support/campaigns.ts";

setDefaultTimeout(90_000);

/** The number of tests. The form in the builder is tested only in the long run. */
const tests = isLong ? 2 : 1;

test("a toy channel passes its tests once it is registered", async () => {
  const files = ["--preload", join(import.meta.dir, "register.ts"), join(import.meta.dir, "conversation.ts")];
  // The test runs in a child process. A process reads its channels only once, and the additional channel must not
  // affect other tests.
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...files], {
    stdout: "pipe",
    stderr: "pipe",
    env: process.env,
  });
  const [exitCode, output] = await Promise.all([child.exited, child.stderr.text()]);
  expect(exitCode === 0 ? "" : output).toBe("");
  expect(output).toContain(` ${tests} pass`);
  expect(output).toContain(" 0 fail");
});
