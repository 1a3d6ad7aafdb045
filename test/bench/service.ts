import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const adminToken = "benchmark-administrator-token";

/** The service as a process of its own on a free port. */
export type BenchedService = {
  readonly url: string;
  readonly port: number;
  residentMegabytes(): Promise<number>;
  stop(): Promise<void>;
};

export async function startService({
  databaseUrl,
  connections,
}: {
  databaseUrl: string;
  connections: number;
}): Promise<BenchedService> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../src/cli.ts"), "serve"], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: String(connections),
      ADMIN_TOKEN: adminToken,
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "warn",
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const url = await readyAddress(child.stdout);
  return {
    url,
    port: Number(new URL(url).port),
    async residentMegabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8");
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** A call of the management API, whose answer must fit the schema. */
export async function api<Answer extends TSchema>(
  url: string,
  path: string,
  body: object,
  answer: Answer,
): Promise<Static<Answer>> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return Value.Parse(answer, await response.json());
}

/** The first address in what the service prints when it is ready. */
async function readyAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    printed += decoder.decode(chunk, { stream: true });
    const address = /http:\/\/[^\s/]+/.exec(printed)?.[0];
    if (address && printed.includes("\n")) return address;
  }
  throw new Error(`The service ended before it was ready: ${printed}`);
}
