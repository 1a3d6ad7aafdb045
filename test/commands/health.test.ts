import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { createTestDatabase } from "../support/database.ts";
import { cleanupStack, runCommand, startService } from "../support/service.ts";
import { waitFor } from "../support/wait.ts";

setDefaultTimeout(60_000);

const database = await createTestDatabase();
const cleanups = cleanupStack();
afterEach(cleanups.run);
afterAll(() => database.close());

test("the exit code of health reports whether a node is up", async () => {
  const environment = {
    DATABASE_URL: database.url,
    DRAIN_SECONDS: "600",
    CHAT_URL: "https://chat.example.com",
  };
  const service = await startService({ environment });
  cleanups.add(() => {
    service.signal("SIGKILL");
    return service.exited;
  });
  const ask = (...words: string[]) =>
    runCommand(["health", ...words], { environment: { ...environment, PORT: new URL(service.url).port } });

  expect(await ask()).toMatchObject({ exitCode: 0, stdout: '{"status":"ok"}\n' });
  expect(await ask("--ready")).toMatchObject({ exitCode: 0, stdout: '{"status":"ok"}\n' });

  service.signal("SIGTERM");
  await waitFor(async () => (await fetch(`${service.url}/api/readyz`)).status === 503);

  expect(await ask()).toMatchObject({ exitCode: 0 });
  const draining = await ask("--ready");
  expect(draining).toMatchObject({ exitCode: 1, stdout: "" });
  expect(draining.stderr).toContain('/api/readyz answers 503: {"code":"server.stopping"');
});

test("health reports a port on which no service listens", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = other;
  await other.stop(true);

  const { exitCode, stderr } = await runCommand(["health"], { environment: { PORT: String(port) } });

  expect(exitCode).toBe(1);
  expect(stderr).toStartWith(`No service responds at http://127.0.0.1:${port}/api/healthz: `);
});

test("health rejects PORT 0 with a message", async () => {
  const { exitCode, stderr } = await runCommand(["health"], { environment: { PORT: "0" } });

  expect(exitCode).toBe(1);
  expect(stderr).toBe("PORT must be the port of the running service, not 0.\n");
});
