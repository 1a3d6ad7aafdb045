import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { asks, flowOf, publish, start } from "../support/chat.ts";
import { createClient } from "../support/client.ts";
import { createEmptyDatabase } from "../support/database.ts";
import { longTest } from "../support/long-test.ts";
import { cleanupStack, startService } from "../support/service.ts";
import { upload } from "../support/uploads.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

const Script = Type.Tuple([Type.Literal("sh"), Type.Literal("-ec"), Type.String()]);
const NodeScript = Type.Tuple([...Script.items, Type.Literal("parley")]);
const Compose = Type.Object({
  services: Type.Object({
    "node-1": Type.Object({
      entrypoint: NodeScript,
      command: Type.Array(Type.String()),
      environment: Type.Record(Type.String(), Type.String()),
    }),
    secrets: Type.Object({ entrypoint: Script }),
  }),
});

const text = readFileSync(join(import.meta.dir, "../../docker-compose.yml"), "utf8");
const { services } = Value.Parse(Compose, Bun.YAML.parse(text));
const node = services["node-1"];

/** Runs a script as the container does, with the folder `secrets` as its /secrets. */
async function run(entrypoint: readonly string[], { secrets, path = "" }: { secrets: string; path?: string }) {
  const [shell = "", flags = "", script = "", ...rest] = entrypoint;
  const words = [shell, flags, script.replaceAll("$$", "$").replaceAll("/secrets", secrets), ...rest];
  const child = Bun.spawn(words, { env: { PATH: `${path}:${process.env["PATH"]}` }, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, exitCode: child.exitCode };
}

test("the secrets script in docker-compose.yml generates two keys only once", async () => {
  const secrets = cleanups.folder();
  const read = (name: string) => readFileSync(join(secrets, name), "utf8");

  expect(await run(services.secrets.entrypoint, { secrets })).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  const made = [read("database"), read("encryption")];
  expect(await run(services.secrets.entrypoint, { secrets })).toEqual({ stdout: "", stderr: "", exitCode: 0 });

  expect([read("database"), read("encryption")]).toEqual(made);
  for (const key of made) expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(made[0]).not.toBe(made[1]);
});

test("the entrypoint in docker-compose.yml passes both secrets to commands", async () => {
  const secrets = cleanups.folder();
  writeFileSync(join(secrets, "database"), "password");
  writeFileSync(join(secrets, "encryption"), "key");
  const program = join(secrets, "parley");
  writeFileSync(program, '#!/bin/sh\necho "$DATABASE_URL $ENCRYPTION_KEY" "$@"\n');
  chmodSync(program, 0o755);

  const served = await run([...node.entrypoint, ...node.command], { secrets, path: secrets });
  const backedUp = await run([...node.entrypoint, "backup", "/data/a backup"], { secrets, path: secrets });

  expect(served.stdout).toBe("postgres://parley:password@database/parley key serve\n");
  expect(backedUp.stdout).toBe("postgres://parley:password@database/parley key backup /data/a backup\n");
});

longTest("three nodes that share a folder can start simultaneously", async () => {
  const database = await createEmptyDatabase();
  cleanups.add(database.close);
  const folder = cleanups.folder();
  const settings = Object.entries(node.environment).map(([name, value]) => [
    name,
    value.replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1"),
  ]);
  const environment = {
    ...Object.fromEntries(settings),
    DATABASE_URL: database.url,
    DATABASE_POOL: "4",
    ENCRYPTION_KEY: "0".repeat(64),
    DATA_DIR: folder,
    WORKER_THREADS: "1",
  };
  const nodes = await Promise.all(
    [1, 2, 3].map(async () => {
      const service = await startService({ environment });
      cleanups.add(() => {
        service.signal("SIGKILL");
        return service.exited;
      });
      return service;
    }),
  );
  const [first, second, third] = nodes.map(({ url }) => createClient({ baseUrl: url }));
  if (!first || !second || !third) throw new Error("There are fewer nodes than three.");
  const token = readFileSync(join(folder, "admin-token"), "utf8").trim();

  const made = await first.post("/api/v1/workspaces", { token, body: { name: "Nodes" } });
  const flow = flowOf([asks("file input")]);
  const { publicId } = await publish(second, { token, workspaceId: made.text("workspace.id") }, flow);
  const chat = await start(second, publicId);
  const fileUrl = await upload(third, chat.text("sessionId"), "what the visitor sent");
  const file = await fetch(`${nodes[0]?.url}${new URL(fileUrl).pathname}`, {
    headers: { authorization: `Bearer ${token}` },
  });

  expect(nodes.flatMap((service) => service.stdout().match(/parley_[\w-]{43}/g) ?? [])).toEqual([token]);
  expect(file.status).toBe(200);
  expect(await file.text()).toBe("what the visitor sent");
});
