import { afterAll, beforeAll, expect, test } from "bun:test";
import { at } from "../../src/web/conversation/read.ts";
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

browserTest("the documentation shows its operations without internet", async (visit) => {
  const { page, outside, problems } = visit;

  await page.goto(new URL("/docs", server.url).href);

  await page.locator("#operations-tag-Chat").click();
  await page.getByText("/api/v1/sessions/{sessionId}/continueChat").first().waitFor();
  await page.locator(".opblock-summary-control", { hasText: "continueChat" }).click();
  // The fields and responses of the operation are references in the document, and so are their parts.
  const operation = page.locator(".opblock.is-open");
  await operation.locator(".responses-wrapper").getByText("Session not found.").first().waitFor();
  await operation.locator(".responses-wrapper").getByRole("tab", { name: "Schema" }).first().click();
  await operation.getByText("Step", { exact: true }).first().waitFor();
  expect(outside).toEqual([]);
  expect(problems).toEqual([]);
});

test("no part of the API document references itself, even through other parts", async () => {
  const response = await fetch(new URL("/docs/json", server.url));
  const document: unknown = await response.json();
  const visit = (value: unknown, around: readonly string[]): void => {
    if (value === null || typeof value !== "object") return;
    if (!("$ref" in value) || typeof value.$ref !== "string") {
      for (const item of Object.values(value)) visit(item, around);
      return;
    }
    expect(around).not.toContain(value.$ref);
    const part = at(document, ...value.$ref.slice(2).split("/"));
    expect(part).toBeDefined();
    visit(part, [...around, value.$ref]);
  };

  visit(document, []);
});
