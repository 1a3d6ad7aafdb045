import { readConfig } from "../../src/config.ts";
import { createOutageWatch } from "../../src/platform/database/outages/outage-watch.ts";
import { isErrorCode } from "../../src/platform/http/validation.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { openQueue, type Queue } from "../../src/platform/queue/queue.sql.ts";
import type { QueueName } from "../../src/platform/queue/queues.ts";
import { type Handler, startWorker, type Worker } from "../../src/platform/queue/workers.ts";
import { createBoard } from "../../src/service/job-board.ts";
import { createTestApi, type TestApi, type TestApiOptions } from "./api.ts";
import { valueAt } from "./client.ts";
import { noteError } from "./contract.ts";
import { waitFor } from "./wait.ts";

/** The job board with a separate queue and an administrator's token. */
export type TestBoard = {
  readonly api: TestApi;
  readonly queue: Queue;
  readonly token: string;
  /** Calls the board's API like its page. The default token belongs to an administrator. */
  call(method: string, path: string, options?: CallOptions): Promise<BoardAnswer>;
  /** Returns the board's data of the job once the job has this state. */
  jobIn(state: string, queue: QueueName, id: string): Promise<unknown>;
  /** Returns the number of jobs in each state. */
  counts(queue: QueueName): Promise<unknown>;
  /**
   * Runs the jobs of a queue until the worker is stopped, which `close` also does. `looks` returns the number of polls.
   */
  work(name: QueueName, handler: Handler): Worker & { looks(): number };
  close(): Promise<void>;
};

type CallOptions = { readonly body?: object; readonly token?: string | null; readonly query?: Record<string, string> };

export type BoardAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the value at a path such as `queues.0.counts.failed`. */
  at(path: string): unknown;
};

export async function createTestBoard(config: TestApiOptions["config"] = {}): Promise<TestBoard> {
  const log = createLog("silent");
  let opened: Queue | undefined;
  const api = await createTestApi({
    config,
    board: async ({ sql, url }) => {
      opened = await openQueue({ url, log });
      return createBoard({ sql, queue: opened, retries: readConfig({}).EVENT_RETRY_SECONDS });
    },
  });
  const queue = opened;
  if (queue === undefined) throw new Error("The board was made without its queue.");
  const { token } = await api.makeUser({ scope: "admin" });
  const workers: Worker[] = [];

  const call: TestBoard["call"] = async (method, path, options = {}) => {
    const url = new URL(`/admin/queues/api${path}`, "http://localhost");
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
    const headers = new Headers();
    const sent = options.token === undefined ? token : options.token;
    if (sent !== null) headers.set("Authorization", `Bearer ${sent}`);
    if (options.body) headers.set("Content-Type", "application/json");
    const body = options.body ? { body: JSON.stringify(options.body) } : {};
    const response = await api.handle(new Request(url, { method, headers, ...body }));
    const text = await response.text();
    const answer: unknown = text === "" ? undefined : JSON.parse(text);
    const code = valueAt(answer, "code");
    if (!response.ok && isErrorCode(code)) noteError(code);
    return { status: response.status, headers: response.headers, at: (place) => valueAt(answer, place) };
  };
  const listed = async (name: QueueName) => {
    const answer = await call("GET", "/queues");
    const queues = answer.at("queues");
    return Array.isArray(queues) ? queues.find((entry) => valueAt(entry, "name") === name) : undefined;
  };

  return {
    api,
    queue,
    token,
    call,
    async jobIn(state, name, id) {
      return waitFor(
        async () => {
          const answer = await call("GET", `/queues/${name}/${id}`);
          return answer.at("status") === state && answer.at("job");
        },
        { what: `job ${id} to be ${state}` },
      );
    },
    counts: async (name) => valueAt(await listed(name), "counts"),
    work(name, handler) {
      let looks = 0;
      // In each poll, a worker checks whether its queue is paused, which is its only query on this pool.
      const sql = new Proxy(api.deps.sql, {
        apply(target, self, args) {
          looks += 1;
          return Reflect.apply(target, self, args);
        },
      });
      const worker = startWorker(
        { sql, queue, log, outage: createOutageWatch(sql, log) },
        { name, atOnce: 2, pollMs: 20, handler },
      );
      workers.push(worker);
      return { ...worker, looks: () => looks };
    },
    async close() {
      for (const worker of workers) await worker.stop();
      await queue.stop();
      await api.close();
    },
  };
}
