import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { childrenOf } from "../../../src/platform/processes/processor-time.ts";

export const benchToken = "benchmark-administrator-token";

/** The service in a separate process on a free port. */
export type BenchedService = {
  readonly url: string;
  /** The URL of its chat pages. The builder and the management API may have another URL. */
  readonly chatUrl: string;
  readonly port: number;
  readonly pid: number;
  /** Calls the management API. The response must match the schema. */
  post<Answer extends TSchema>(path: string, body: object, answer: Answer): Promise<Static<Answer>>;
  get<Answer extends TSchema>(path: string, answer: Answer): Promise<Static<Answer>>;
  patch(path: string, body: object): Promise<void>;
  delete(path: string): Promise<void>;
  /** Returns the ids of the supervisor and the serving processes, or of the single process. */
  pids(): number[];
  /**
   * Returns the memory of the service with its threads in MB, or 0 if the system does not report it (only Linux does).
   */
  residentMegabytes(pid?: number): Promise<number>;
  /** Returns the number of log lines with the level error so far. */
  errorLines(): number;
  stop(): Promise<void>;
};

/**
 * Limits that no benchmark reaches, but that count each request. Busy keys are shared with other processes, as by
 * default.
 */
export const raisedLimits = ["address.starts", "address.steps", "address.management", "session.steps", "bot.starts"]
  .concat("workspace.starts", "token.management")
  .map((name) => `${name}=100000/s:1000`)
  .join(",");

/**
 * The environment variables of a measured service. By default, the service runs as a single process, with defaults for
 * all other settings.
 */
export type Settings = {
  readonly PROCESSES?: string;
  readonly INLINE_STEPS?: string;
  readonly WORKER_THREADS?: string;
  readonly RATE_LIMITS?: string;
  readonly ACCESS_LOG?: string;
  readonly MODEL_SERVERS?: string;
  readonly TELEGRAM_API_URL?: string;
  readonly CHAT_URL?: string;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_TRACES_SAMPLER_ARG?: string;
};

export async function startService({
  databaseUrl,
  connections,
  settings,
}: {
  databaseUrl: string;
  connections: number;
  settings: Settings;
}): Promise<BenchedService> {
  const { PROCESSES = "1" } = settings;
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "node.ts")], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: databaseUrl,
      DATABASE_POOL: String(connections),
      // The load generator counts as a proxy, and all its requests count for one address.
      TRUSTED_PROXIES: "127.0.0.1",
      RATE_LIMITS: raisedLimits,
      ...settings,
      PROCESSES,
      ADMIN_TOKEN: benchToken,
      ENCRYPTION_KEY: "the-key-of-benchmarks-for-every-node",
      HOST: "127.0.0.1",
      PORT: "0",
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let errorLines = 0;
  const said = eachError(child.stderr, (line) => {
    errorLines++;
    process.stderr.write(`${line}\n`);
  });
  const { url, chatUrl } = await readyAddresses(child.stdout, said);
  const call = async <Answer extends TSchema>(path: string, request: RequestInit, answer: Answer) => {
    const headers = { Authorization: `Bearer ${benchToken}`, "Content-Type": "application/json" };
    const response = await fetch(`${url}${path}`, { ...request, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return Value.Parse(answer, await response.json());
  };
  return {
    url,
    chatUrl,
    port: Number(new URL(url).port),
    pid: child.pid,
    post: (path, body, answer) => call(path, { method: "POST", body: JSON.stringify(body) }, answer),
    get: (path, answer) => call(path, {}, answer),
    patch: async (path, body) =>
      void (await call(path, { method: "PATCH", body: JSON.stringify(body) }, Type.Unknown())),
    delete: async (path) => void (await call(path, { method: "DELETE" }, Type.Unknown())),
    pids: () => [child.pid, ...(PROCESSES === "1" ? [] : childrenOf(child.pid))],
    async residentMegabytes(pid = child.pid) {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    errorLines: () => errorLines,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/**
 * Reads the log, which has a line for each request as by default, and reports only error lines. Returns the last
 * output.
 */
async function eachError(log: ReadableStream<Uint8Array>, onError: (line: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let [rest, last] = ["", ""];
  for await (const chunk of log) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    last = text.slice(-2_000);
    if (!text.includes('"level":"error"')) continue;
    for (const line of text.slice(0, end).split("\n")) if (line.includes('"level":"error"')) onError(line);
  }
  return last;
}

/**
 * Returns the first URL in the output of a ready service, and the URL of chat pages. `said` is the output if the
 * service never became ready.
 */
async function readyAddresses(output: ReadableStream<Uint8Array>, said: Promise<string>) {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of output) {
    printed += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/[^\s/]+/.exec(printed)?.[0];
    const chatUrl = /Chat pages: (https?:\/\/[^\s/]+)/.exec(printed)?.[1];
    if (url && chatUrl && printed.endsWith("\n")) return { url, chatUrl };
  }
  throw new Error(`The service ended before it was ready: ${printed}${await said}`);
}
