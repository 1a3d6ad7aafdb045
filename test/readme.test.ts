import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createTestApi, type TestApi } from "./support/api.ts";
import { createThreads, type Threads } from "./support/threads.ts";

const root = join(import.meta.dir, "..");
let api: TestApi;
let threads: Threads;
let server: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: api.handle });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

test("the README's walk with curl ends with a completed result in the list", async () => {
  const readme = await Bun.file(join(root, "README.md")).text();
  const walk = /## A first chat, with curl\n+```sh\n([\s\S]*?)```/.exec(readme)?.[1];
  if (walk === undefined) throw new Error("README.md has no walk");
  const { token } = await api.makeUser();
  const shell = Bun.spawn(["sh", "-eu", "-c", walk], {
    cwd: root,
    env: { PATH: process.env["PATH"], PARLEY: `http://127.0.0.1:${server.port}`, TOKEN: token },
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = await new Response(shell.stdout).text();

  expect(await new Response(shell.stderr).text()).toBe("");
  expect(await shell.exited).toBe(0);
  expect(printed).toContain("Noted, dear fan.");
  expect(printed).toContain('"isCompleted":true');
  expect(walk.trim().split("\n").length).toBeLessThanOrEqual(10);
});
