import { afterAll, beforeAll, expect } from "bun:test";
import { createTestApi, type TestApi } from "../support/api.ts";
import { browserTests } from "../support/browser.ts";

const browserTest = browserTests();
let api: TestApi;
let server: Bun.Server<undefined>;

beforeAll(async () => {
  api = await createTestApi();
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
});

browserTest("without internet the documentation shows its operations, and needs nothing else", async (visit) => {
  const { page, outside, problems } = visit;
  // The viewer works for seconds on a document of all operations: the time that a machine has for it is the only reason to wait long.
  page.setDefaultTimeout(150_000);

  await page.goto(new URL("/docs", server.url).href);

  await page.locator("#operations-tag-Chat").click();
  await page.getByText("/api/v1/sessions/{sessionId}/continueChat").first().waitFor();
  expect(outside).toEqual([]);
  expect(problems).toEqual([]);
});
