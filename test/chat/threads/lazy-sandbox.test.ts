import { expect, test } from "bun:test";
import { createLazySandbox } from "../../../src/chat/threads/lazy-sandbox.ts";
import type { RunScript } from "../../../src/core/interpreter/language/script.ts";

test("if a sandbox cannot be created, later scripts try again and create only one", async () => {
  const runScript: RunScript = () => {
    throw new Error("No script is run here");
  };
  let made = 0;
  const sandbox = createLazySandbox(async () => {
    made++;
    if (made === 1) throw new Error("There is no memory left");
    return runScript;
  });

  await expect(Promise.all([sandbox.load(), sandbox.load()])).rejects.toThrow("no memory");
  expect({ made, isLoading: sandbox.isLoading() }).toEqual({ made: 1, isLoading: false });

  await Promise.all([sandbox.load(), sandbox.load()]);
  await sandbox.load();
  expect(made).toBe(2);
});
