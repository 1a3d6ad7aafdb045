import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isLong } from "../../support/campaigns.ts";

setDefaultTimeout(90_000);

/** The builder draws its form in the long run alone. */
const tests = isLong ? 2 : 1;

test("a channel in one folder, with form bodies and no buttons, works and is drawn without any other change", async () => {
  const files = ["--preload", join(import.meta.dir, "register.ts"), join(import.meta.dir, "conversation.ts")];
  // The kinds of messengers are read once in a process: those of other tests must not have another one.
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
