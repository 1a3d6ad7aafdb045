import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { queueNames } from "../../../src/platform/queue/queues.ts";
import type { Worker } from "../../../src/platform/queue/workers.ts";
import { createTestBoard, type TestBoard } from "../../support/board.ts";
import { valueAt } from "../../support/client.ts";
import { waitFor } from "../../support/wait.ts";

let board: TestBoard;
const workers: Worker[] = [];

beforeAll(async () => {
  board = await createTestBoard();
});
afterAll(() => board.close());
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  for (const name of ["email", "events", "clean-up"] as const) {
    await board.call("PUT", `/queues/${name}/resume`);
  }
  for (const name of queueNames) {
    await board.queue.boss.deleteAllJobs(name);
  }
});

async function put(data: object = { mailId: "one" }, options: object = {}): Promise<string> {
  const id = await board.queue.boss.send("email", data, options);
  if (id === null) throw new Error("The job was not taken.");
  return id;
}

/** Starts a worker that fails each job until `mend` is called. Records the jobs that it completes afterwards. */
function startFailing(isRetryable = false) {
  let isMended = false;
  const done: unknown[] = [];
  const worker = board.work("email", async ({ data }) => {
    if (!isMended) return { kind: "failed", message: "The mail server refused it", isRetryable };
    done.push(data);
    return { kind: "done", message: "Delivered" };
  });
  workers.push(worker);
  return {
    done,
    mend: () => {
      isMended = true;
    },
  };
}

/** Starts a worker that completes each job. Returns the completed jobs, and the function that counts its polls. */
function startDoing() {
  const done: unknown[] = [];
  const worker = board.work("email", async ({ data }) => {
    done.push(data);
    return { kind: "done", message: "Delivered" };
  });
  workers.push(worker);
  return { done, looks: worker.looks };
}

describe("the job board", () => {
  test("the job board lists all queues, including dead letter queues", async () => {
    await put();
    await put({ mailId: "later" }, { startAfter: 3600 });

    const answer = await board.call("GET", "/queues");

    expect(answer.at("queues.*.name")).toEqual([
      ...["email", "events", "exports", "calls", "clean-up", "email-dead", "events-dead", "calls-dead"],
    ]);
    expect(answer.at("queues.0.statuses")).toEqual(["latest", "active", "waiting", "completed", "failed", "delayed"]);
    expect(answer.at("queues.0.counts")).toMatchObject({ waiting: 1, delayed: 1, active: 0, completed: 0, failed: 0 });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("the job board pages through a queue's jobs of one state", async () => {
    const ids = [await put(), await put(), await put()];
    const page = (number: string) =>
      board.call("GET", "/queues", {
        query: { activeQueue: "email", status: "waiting", page: number, jobsPerPage: "2" },
      });

    const [first, second] = [await page("1"), await page("2")];

    expect(first.at("queues.0.jobs.*.id")).toEqual(ids.slice(0, 2));
    expect(second.at("queues.0.jobs.*.id")).toEqual(ids.slice(2));
    expect(second.at("queues.0.pagination.pageCount")).toBe(2);
  });

  test("the job board shows the data and error of a failed job", async () => {
    const id = await put({ mailId: "seven" });
    startFailing();

    const job = await board.jobIn("failed", "email", id);

    expect(job).toMatchObject({
      id,
      name: "email",
      data: { mailId: "seven" },
      attempts: 1,
      failedReason: "The mail server refused it",
      isFailed: true,
      opts: { deadLetterQueue: "email-dead" },
    });
  });

  test("the job board shows why a job waits for its next attempt", async () => {
    const id = await put();
    startFailing(true);

    const job = await board.jobIn("delayed", "email", id);

    expect(job).toMatchObject({ attempts: 1, failedReason: "The mail server refused it", opts: { attempts: 12 } });
  });

  test("the job board lists the history of a job in the job's logs", async () => {
    const id = await put();
    startFailing();
    await board.jobIn("failed", "email", id);

    // The log of the worker is written a moment after the job's end.
    const logs = await waitFor(async () => {
      const answer = await board.call("GET", `/queues/email/${id}/logs`);
      return JSON.stringify(answer.at("")).includes("Attempt 1 failed") && answer;
    });

    const lines = logs.at("");
    expect(Array.isArray(lines) ? lines.map((line) => String(line).replace(/^\S+ /, "")) : lines).toEqual([
      "Created",
      expect.stringMatching(/^Attempt 1 of \d+ started$/),
      expect.stringMatching(/^Attempt 1 failed, no more retries: The mail server refused it$/),
    ]);
  });

  test("the job board returns an empty page for invalid or too large page numbers", async () => {
    await put();
    for (const query of [
      { page: "1e300", jobsPerPage: "1e300" },
      { page: "99999999", jobsPerPage: "10" },
      { page: "1.5", jobsPerPage: "7.3" },
    ]) {
      const answer = await board.call("GET", "/queues", {
        query: { activeQueue: "email", status: "waiting", ...query },
      });
      expect({ query, status: answer.status, jobs: answer.at("queues.0.jobs") }).toEqual({
        query,
        status: 200,
        jobs: [],
      });
    }
  });

  test("the job board limits the number of jobs per page", async () => {
    await board.queue.boss.insert(
      "email",
      Array.from({ length: 120 }, () => ({ data: {} })),
    );

    const query = { activeQueue: "email", status: "waiting", page: "1", jobsPerPage: "5000" };
    const answer = await board.call("GET", "/queues", { query });

    expect(answer.at("queues.0.jobs")).toHaveLength(100);
  });
});

describe("retrying", () => {
  test("retrying a failed job runs it again and removes its dead letter", async () => {
    const id = await put({ mailId: "again" });
    const { done, mend } = startFailing();
    await board.jobIn("failed", "email", id);
    expect(await board.counts("email-dead")).toMatchObject({ failed: 1 });
    mend();

    const answer = await board.call("PUT", `/queues/email/${id}/retry`);

    expect(answer.status).toBe(204);
    await board.jobIn("completed", "email", id);
    expect(done).toEqual([{ mailId: "again" }]);
    expect(await board.counts("email-dead")).toMatchObject({ failed: 0 });
  });

  test("all failed jobs of a queue run again on request", async () => {
    const ids = [await put(), await put(), await put()];
    const { done, mend } = startFailing();
    for (const id of ids) await board.jobIn("failed", "email", id);
    mend();

    const answer = await board.call("PUT", "/queues/email/retry/failed");

    expect(answer.status).toBe(200);
    for (const id of ids) await board.jobIn("completed", "email", id);
    expect(done).toHaveLength(3);
  });

  test("a retried dead letter returns to its original queue under the id of its job", async () => {
    const id = await put({ mailId: "dead" });
    const { done, mend } = startFailing();
    await board.jobIn("failed", "email", id);
    const list = await board.call("GET", "/queues", { query: { activeQueue: "email-dead", status: "failed" } });
    expect(list.at("queues.5.jobs.0")).toMatchObject({
      name: "email",
      data: { mailId: "dead" },
      attempts: 1,
      failedReason: "The mail server refused it",
      opts: { failedJob: { queue: "email", id } },
    });
    mend();

    const answer = await board.call("PUT", `/queues/email-dead/${String(list.at("queues.5.jobs.0.id"))}/retry`);

    expect(answer.status).toBe(204);
    await board.jobIn("completed", "email", id);
    expect(done).toEqual([{ mailId: "dead" }]);
    expect(await board.counts("email-dead")).toMatchObject({ failed: 0 });
  });

  test("a retried dead letter runs even if its failed job was removed", async () => {
    const id = await put({ mailId: "kept" });
    const { done, mend } = startFailing();
    await board.jobIn("failed", "email", id);
    await board.queue.boss.deleteJob("email", id);
    mend();

    const answer = await board.call("PUT", "/queues/email-dead/retry/failed");

    expect(answer.status).toBe(200);
    await waitFor(() => done.length === 1);
    expect(done).toEqual([{ mailId: "kept" }]);
    expect(await board.counts("email-dead")).toMatchObject({ failed: 0 });
  });

  test("a cancelled job counts as failed, and runs when it is retried", async () => {
    const id = await put();
    await board.queue.boss.cancel("email", id);
    expect(await board.jobIn("failed", "email", id)).toMatchObject({ failedReason: "Cancelled" });

    await board.call("PUT", `/queues/email/${id}/retry`);

    startDoing();
    await board.jobIn("completed", "email", id);
  });

  test("a waiting job cannot be retried", async () => {
    const id = await put();

    const answer = await board.call("PUT", `/queues/email/${id}/retry`);

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
  });

  test("a failed job is not retried while another job of its kind waits", async () => {
    const failed = await board.queue.boss.send("clean-up", { task: "one" }, { retryLimit: 0, singletonKey: "one" });
    await board.queue.boss.fetch("clean-up");
    await board.queue.boss.fail("clean-up", String(failed));
    await board.queue.boss.send("clean-up", { task: "one" }, { singletonKey: "one" });

    const answer = await board.call("PUT", `/queues/clean-up/${failed}/retry`);
    const all = await board.call("PUT", "/queues/clean-up/retry/failed");

    expect({ status: answer.status, message: answer.at("message") }).toEqual({
      status: 409,
      message: "Another job of its kind is waiting or running.",
    });
    expect(all.status).toBe(200);
    expect(await board.counts("clean-up")).toMatchObject({ failed: 1, waiting: 1 });
  });

  test("a request to retry completed jobs is refused", async () => {
    const answer = await board.call("PUT", "/queues/email/retry/completed");

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
  });
});

describe("pausing", () => {
  test("no worker claims jobs of a paused queue until the queue is resumed", async () => {
    const { done, looks } = startDoing();
    await board.jobIn("completed", "email", await put({ mailId: "before" }));

    await board.call("PUT", "/queues/email/pause");

    const id = await put({ mailId: "meanwhile" });
    const looksThen = looks();
    await waitFor(() => looks() > looksThen + 2);
    expect(done).toEqual([{ mailId: "before" }]);
    expect(await board.counts("email")).toMatchObject({ waiting: 1, completed: 1 });
    expect((await board.call("GET", "/queues")).at("queues.0.isPaused")).toBe(true);
    await board.call("PUT", "/queues/email/resume");
    await board.jobIn("completed", "email", id);
    expect(done).toEqual([{ mailId: "before" }, { mailId: "meanwhile" }]);
  });

  test("all queues are paused and resumed together", async () => {
    await board.call("PUT", "/queues/pause");
    const paused = (await board.call("GET", "/queues")).at("queues.*.isPaused");

    await board.call("PUT", "/queues/resume");

    expect(paused).toEqual(queueNames.map(() => true));
    expect((await board.call("GET", "/queues")).at("queues.*.isPaused")).toEqual(queueNames.map(() => false));
  });
});

describe("promoting", () => {
  test("a delayed job runs immediately when it is promoted", async () => {
    const id = await put({ mailId: "early" }, { startAfter: 3600 });
    const { done } = startDoing();

    const answer = await board.call("PUT", `/queues/email/${id}/promote`);

    expect(answer.status).toBe(204);
    await board.jobIn("completed", "email", id);
    expect(done).toEqual([{ mailId: "early" }]);
  });

  test("all delayed jobs run immediately when they are promoted", async () => {
    const ids = [await put({}, { startAfter: 3600 }), await put({}, { startAfter: 7200 })];
    startDoing();

    await board.call("PUT", "/queues/email/promote");

    for (const id of ids) await board.jobIn("completed", "email", id);
  });

  test("a job that is not delayed cannot be promoted", async () => {
    const id = await put();

    const answer = await board.call("PUT", `/queues/email/${id}/promote`);

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
  });
});

describe("removing", () => {
  test("removing a job keeps the other jobs of its queue", async () => {
    const [id, other] = [await put(), await put()];

    const answer = await board.call("PUT", `/queues/email/${id}/clean`);

    expect(answer.status).toBe(204);
    expect((await board.call("GET", `/queues/email/${id}`)).status).toBe(404);
    expect((await board.call("GET", `/queues/email/${other}`)).status).toBe(200);
  });

  test("removing the failed jobs of a queue keeps delayed jobs and dead letters", async () => {
    const ids = [await put(), await put()];
    startFailing();
    for (const id of ids) await board.jobIn("failed", "email", id);
    await put({}, { startAfter: 3600 });

    await board.call("PUT", "/queues/email/clean/failed");

    expect(await board.counts("email")).toMatchObject({ failed: 0, delayed: 1 });
    expect(await board.counts("email-dead")).toMatchObject({ failed: 2 });
  });

  test.each([
    ["completed", { completed: 0, delayed: 1 }],
    ["delayed", { completed: 1, delayed: 0 }],
  ])("only the %s jobs of a queue are removed", async (state, left) => {
    const id = await put();
    startDoing();
    await board.jobIn("completed", "email", id);
    await put({}, { startAfter: 3600 });

    await board.call("PUT", `/queues/email/clean/${state}`);

    expect(await board.counts("email")).toMatchObject(left);
  });

  test("emptying a queue removes waiting jobs and keeps delayed jobs", async () => {
    await put();
    await put({}, { startAfter: 3600 });

    await board.call("PUT", "/queues/email/empty");

    expect(await board.counts("email")).toMatchObject({ waiting: 0, delayed: 1 });
  });

  test("only a paused queue can be cleared, and its running jobs stay", async () => {
    await put();
    await put({}, { startAfter: 3600 });
    await board.queue.boss.fetch("email");
    await put();
    const tooEarly = await board.call("PUT", "/queues/email/obliterate");
    await board.call("PUT", "/queues/email/pause");

    const answer = await board.call("PUT", "/queues/email/obliterate");

    expect({ status: tooEarly.status, code: tooEarly.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
    expect(answer.status).toBe(200);
    expect(await board.counts("email")).toMatchObject({ waiting: 0, delayed: 0, active: 1 });
  });

  test("a running job cannot be removed", async () => {
    const id = await put();
    await board.queue.boss.fetch("email");

    const one = await board.call("PUT", `/queues/email/${id}/clean`);
    const all = await board.call("PUT", "/queues/email/clean/active");

    expect([one.status, all.status]).toEqual([409, 409]);
    expect(await board.counts("email")).toMatchObject({ active: 1 });
  });
});

describe("changing and adding", () => {
  test("a failed job uses changed data when it is retried", async () => {
    const id = await put({ mailId: "wrong" });
    const { done, mend } = startFailing();
    await board.jobIn("failed", "email", id);
    mend();

    await board.call("PATCH", `/queues/email/${id}/update-data`, { body: { jobData: { mailId: "right" } } });
    await board.call("PUT", `/queues/email/${id}/retry`);

    await board.jobIn("completed", "email", id);
    expect(done).toEqual([{ mailId: "right" }]);
  });

  test("a change to the data of a completed job is refused", async () => {
    const id = await put({ mailId: "done" });
    startDoing();
    await board.jobIn("completed", "email", id);

    const answer = await board.call("PATCH", `/queues/email/${id}/update-data`, { body: { jobData: { mailId: "x" } } });

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
    expect(await board.jobIn("completed", "email", id)).toMatchObject({ data: { mailId: "done" } });
  });

  test("a job can be added with a delay", async () => {
    const body = { name: "email", data: { mailId: "added" }, options: { delay: 3_600_000, attempts: 3 } };

    const answer = await board.call("POST", "/queues/email/add", { body });

    expect(answer.at("job")).toMatchObject({ data: { mailId: "added" }, opts: { attempts: 3 } });
    expect(await board.counts("email")).toMatchObject({ delayed: 1, waiting: 0 });
  });

  test("adding a job that already exists in the queue is refused", async () => {
    const body = { name: "clean-up", data: {}, options: {} };
    await board.call("POST", "/queues/clean-up/add", { body });

    const answer = await board.call("POST", "/queues/clean-up/add", { body });

    expect({ status: answer.status, message: answer.at("message") }).toEqual({
      status: 409,
      message: "This queue already has such a job.",
    });
  });

  test.each([
    ["email", { name: "email", data: "text", options: {} }],
    ["email-dead", { name: "email-dead", data: {}, options: {} }],
  ])("a job that a queue does not accept is refused: %s %o", async (queue, body) => {
    const answer = await board.call("POST", `/queues/${queue}/add`, { body });

    expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 409, code: "job.not_possible" });
  });
});

describe("a missing object", () => {
  test.each([
    ["GET", "/queues/nowhere/00000000-0000-7000-8000-000000000000", "queue.not_found"],
    ["PUT", "/queues/nowhere/pause", "queue.not_found"],
    ["PUT", "/queues/nowhere/retry/failed", "queue.not_found"],
    ["GET", "/queues/email/00000000-0000-7000-8000-000000000000", "job.not_found"],
    ["GET", "/queues/email/nonsense", "job.not_found"],
    ["GET", "/queues/email/00000000-0000-7000-8000-000000000000/logs", "job.not_found"],
    ["GET", "/redis/stats", "route.not_found"],
    ["GET", "/queues/%E0%A4%A/x", "route.not_found"],
    ["GET", "/unheard/of", "route.not_found"],
    ["DELETE", "/queues", "route.method_not_allowed"],
    ["POST", "/queues/email/pause", "route.method_not_allowed"],
  ])("a request for a missing object, address or method is refused: %s %s: %s", async (method, path, code) => {
    const answer = await board.call(method, path);

    expect(answer.at("code")).toBe(code);
    expect(answer.at("requestId")).toBe(answer.headers.get("x-request-id"));
  });

  test("a board action that pg-boss does not support is refused", async () => {
    const answer = await board.call("PUT", "/queues/email/concurrency", { body: { concurrency: 3 } });

    expect(answer.at("code")).toBe("job.not_possible");
  });
});

test("pg-boss has the version for which the adapter's statements were written", async () => {
  const manifest: unknown = await Bun.file(
    new URL("../../../node_modules/pg-boss/package.json", import.meta.url),
  ).json();

  expect(valueAt(manifest, "version")).toBe("12.35.0");
});
