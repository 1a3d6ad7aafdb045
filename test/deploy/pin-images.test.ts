import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folder.ts";

const root = join(import.meta.dir, "../..");
const files = ["Dockerfile", "docker-compose.yml"] as const;

/** Runs the script on copies of the files, with a registry that returns `answer` for each tag. */
function pin(folder: string, answer: string) {
  const docker = join(folder, "docker");
  writeFileSync(docker, `#!/bin/sh\n[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo "${answer}"\n`);
  chmodSync(docker, 0o755);
  const environment = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
  const { exitCode, stderr } = Bun.spawnSync(["sh", join(root, "scripts/pin-images.sh"), folder], { env: environment });
  return { exitCode, stderr: stderr.toString(), texts: files.map((file) => readFileSync(join(folder, file), "utf8")) };
}

function copies(): string {
  const { path } = temporaryFolder();
  for (const file of files) copyFileSync(join(root, file), join(path, file));
  return path;
}

test("pin-images.sh pins every image to the digest of its tag", () => {
  const folder = copies();
  const [first, second] = [`sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`];
  const before = files.map((file) => readFileSync(join(root, file), "utf8").replaceAll(/@sha256:[0-9a-f]{64}/g, ""));

  const pinned = pin(folder, first);
  expect({ exitCode: pinned.exitCode, stderr: pinned.stderr }).toEqual({ exitCode: 0, stderr: "" });
  const images = pinned.texts.flatMap((text) =>
    [...text.matchAll(/^(?:FROM| +image:) (\S+:\S+)/gm)].map(([, image]) => image),
  );
  expect(images.length).toBeGreaterThanOrEqual(4);
  expect(images.filter((image) => !image?.endsWith(`@${first}`))).toEqual([]);
  expect(pinned.texts.map((text) => text.replaceAll(`@${first}`, ""))).toEqual(before);

  expect(pin(folder, second).texts).toEqual(pinned.texts.map((text) => text.replaceAll(first, second)));
});

test("pin-images.sh fails if the registry returns no digest, and changes no file", () => {
  const folder = copies();
  const { exitCode, stderr, texts } = pin(folder, "unauthorized");
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("has no digest: unauthorized")]);
  expect(texts).toEqual(files.map((file) => readFileSync(join(root, file), "utf8")));
});
