import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { type Client, createClient } from "../../support/client.ts";
import { cleanupStack, endService, type Service, startService } from "../../support/service.ts";
import { waitFor } from "../../support/wait.ts";

/** The timeout is long, because a database and several processes start. */
setDefaultTimeout(240_000);

const token = "an administrator's token";
const cleanups = cleanupStack();
let service: Service;
let client: Client;

beforeAll(async () => {
  service = await startService({
    environment: {
      DATA_DIR: cleanups.folder(),
      ARCHIVE_TO: cleanups.folder(),
      ADMIN_TOKEN: token,
      METRICS_PUBLIC: "true",
      PROCESSES: "2",
      WORKER_THREADS: "2",
    },
  });
  cleanups.add(() => endService(service));
  client = createClient({ baseUrl: service.url });
}, 240_000);
afterAll(cleanups.run);

async function read(): Promise<string> {
  return await (await fetch(`${service.url}/metrics`)).text();
}

async function sum(name: string, ...labels: readonly string[]): Promise<number> {
  const lines = (await read()).split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines
    .filter((line) => labels.every((label) => line.includes(label)))
    .reduce((all, line) => all + Number(line.slice(line.lastIndexOf(" "))), 0);
}

test("docs/metrics.md lists exactly the printed metrics, with their types", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/metrics.md")).text();
  const documented = [...page.matchAll(/^\| `(\w+)` +\| (\w+) /gm)].map(([, name, type]) => `${name} ${type}`);
  const printed = [...(await read()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`);

  expect(documented.toSorted()).toEqual(printed.toSorted());
  expect(printed.length).toBeGreaterThan(30);
});

test("metrics count the outcomes of a chat's steps", async () => {
  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Counted" } });
  const owner = { token, workspaceId: workspace.text("workspace.id") };
  const webhook = { url: "http://127.0.0.1:9/", method: "GET" };
  const calls = { id: "calls", type: "Webhook", options: { isAdvancedConfig: true, isCustomBody: false, webhook } };
  const { publicId } = await publish(client, owner, flowOf([asks("text input"), calls, asks("email input")]));
  const sessionId = (await start(client, publicId)).text("sessionId");
  const path = `/api/v1/sessions/${sessionId}/continueChat`;
  const key = { "Idempotency-Key": crypto.randomUUID() };
  await client.post(path, { body: { message: "Ana" }, headers: key });
  await client.post(path, { body: { message: "Ana" }, headers: key });
  const unknown = await client.post(path.replace(sessionId, `${sessionId.slice(0, 20)}aaaaaa`), { body: {} });
  expect(unknown.status).toBe(404);

  expect(await sum("parley_step_outcomes_total", 'outcome="saved"')).toBe(2);
  expect(await sum("parley_step_outcomes_total", 'outcome="replayed"')).toBe(1);
  expect(await sum("parley_step_outcomes_total", 'outcome="refused"')).toBe(1);
  expect(await sum("parley_step_runs_total", 'outcome="stepped"')).toBe(2);
  expect(await sum("parley_step_runs_total", 'place="shared"')).toBeGreaterThan(0);
  expect(await sum("parley_effects_total", 'kind="http"')).toBe(1);
  expect(await sum("parley_claims_total", 'outcome="taken"')).toBe(1);
  expect(await sum("parley_step_phase_seconds_count", 'phase="save"')).toBe(2);
  expect(await sum("parley_step_phase_seconds_count", 'phase="effect"')).toBe(1);
  expect(await sum("parley_batch_rows_sum", 'of="start_saves"')).toBe(1);
  expect(await sum("parley_batch_rows_sum", 'of="step_saves"')).toBe(1);
});

test("/metrics reports the processes, the database and its disk", async () => {
  const text = await read();
  for (const name of ["parley_event_loop_lag_seconds", "process_cpu_seconds_total", "process_start_time_seconds"])
    for (const process of ["supervisor", "1", "2"]) expect(text).toContain(`\n${name}{process="${process}"} `);
  expect(await sum("parley_processes")).toBe(2);
  expect(await sum("parley_database_up")).toBe(1);
  expect(await sum("parley_database_connections", 'pool="general"')).toBeGreaterThanOrEqual(2);
  expect(await sum("parley_database_round_trip_seconds")).toBeGreaterThan(0);
  expect(await sum("parley_database_size_bytes")).toBeGreaterThan(1_000_000);
  expect(await sum("parley_disk_free_bytes")).toBeGreaterThan(0);
  expect(await sum("parley_disk_size_bytes")).toBeGreaterThan(await sum("parley_disk_free_bytes"));
});

test("jobs are counted by queue and outcome, and waiting jobs by queue", async () => {
  const queues = [...(await read()).matchAll(/^parley_jobs_waiting\{queue="([\w-]+)"\} \d+$/gm)].map(
    ([, name]) => name,
  );
  expect(queues.toSorted()).toEqual([
    "calls",
    "calls-dead",
    "clean-up",
    "email",
    "email-dead",
    "events",
    "events-dead",
    "exports",
  ]);

  const workspace = await client.post("/api/v1/workspaces", { token, body: { name: "Mails" } });
  const owner = { token, workspaceId: workspace.text("workspace.id") };
  const mails = {
    id: "mails",
    type: "Email",
    options: { credentialsId: "default", recipients: ["ana@example.com"], body: "Hello" },
  };
  await start(client, (await publish(client, owner, flowOf([mails]))).publicId);
  // The mail fails, because there is no mail server.
  const ends = await waitFor(async () => {
    const lines = (await read()).split("\n").filter((line) => line.startsWith('parley_jobs_total{queue="email"'));
    return lines.length > 0 && lines;
  });
  expect(ends).toEqual(['parley_jobs_total{queue="email",outcome="given_up"} 1']);
});
