import { afterEach, expect, test } from "bun:test";
import { modelsOf } from "../../../src/web/app/screens/form-context.ts";
import { waitFor } from "../../support/wait.ts";

const { fetch: ownFetch } = globalThis;
let calls: string[] = [];

afterEach(() => {
  globalThis.fetch = ownFetch;
  calls = [];
});

/** Simulates a service with one response to every request. */
function answerWith(status: number, body: object): void {
  const answer = async (address: RequestInfo | URL) => {
    calls.push(String(address instanceof Request ? address.url : address));
    return Response.json(body, { status });
  };
  globalThis.fetch = Object.assign(answer, { preconnect: ownFetch.preconnect });
}

test("the models of an account are requested once for all forms", async () => {
  answerWith(200, { models: ["small", "large"] });
  expect(modelsOf("w", "once").names).toBeUndefined();
  modelsOf("w", "other");
  expect(calls).toEqual([]);
  modelsOf("w", "once").ask();
  modelsOf("w", "once").ask();
  await waitFor(() => modelsOf("w", "once").names !== undefined);
  modelsOf("w", "once").ask();
  expect(modelsOf("w", "once").names).toEqual(["small", "large"]);
  expect(modelsOf("elsewhere", "once").names).toBeUndefined();
  expect(calls).toHaveLength(1);
});

test("the models of an account are requested again after a failure", async () => {
  answerWith(502, { code: "models.unreachable", message: "No answer" });
  modelsOf("w", "again").ask();
  await waitFor(() => modelsOf("w", "again").names !== undefined);
  expect(modelsOf("w", "again").names).toEqual([]);
  answerWith(200, { models: ["small"] });
  modelsOf("w", "again").ask();
  await waitFor(() => modelsOf("w", "again").names?.length === 1);
  expect(calls).toHaveLength(2);
});
