import { expect, test } from "bun:test";
import { createSandbox } from "../../../src/platform/sandbox/index.ts";
import { plainRequest, resultOf, runnerOf } from "./scripts.ts";

const run = runnerOf(await createSandbox());

test("a network call ends the run, and the outcome describes the call", () => {
  const outcome = run("const answer = await fetch('https://example.com/a?b=c'); return answer");
  expect(outcome).toEqual({ kind: "fetch", ticks: expect.any(Number), url: "https://example.com/a?b=c", init: {} });
});

test("the method, headers and body of a network call are passed as strings", () => {
  const init = "{ method: 'POST', headers: { 'X-Number': 5, Accept: 'text/plain' }, body: 'é', mode: 'cors' }";
  expect(run(`await fetch(new String('https://example.com'), ${init})`)).toMatchObject({
    kind: "fetch",
    url: "https://example.com",
    init: { method: "POST", headers: { "X-Number": "5", Accept: "text/plain" }, body: "é" },
  });
});

test("the headers of a network call can be a list of pairs", () => {
  const outcome = run("await fetch('https://example.com', { headers: [['A', 1], ['B', 2]] })");
  expect(outcome).toMatchObject({ init: { headers: { A: "1", B: "2" } } });
});

test("a network call accepts empty options", () => {
  const outcome = run("await fetch('x', { headers: {}, body: null, method: undefined })");
  expect(outcome).toEqual({ kind: "fetch", ticks: expect.any(Number), url: "x", init: {} });
});

test("a run repeated with a response gets the response body as text", () => {
  const outcome = run("const body = await fetch('x'); return JSON.parse(body).name", {
    fetched: [{ body: '{"name":"Ana\\u0000"}' }],
  });
  expect(resultOf(outcome)).toBe("Ana\0");
});

test("a network call is rejected if the run is repeated with an error", () => {
  const source = "try { await fetch('x') } catch (error) { return [error instanceof Error, error.message] }";
  expect(resultOf(run(source, { fetched: [{ error: "fetch failed" }] }))).toEqual([true, "fetch failed"]);
});

test("network calls get their responses in the order in which they were made", () => {
  const source = "const a = await fetch('first'); const b = await fetch('second?' + a); return a + b";
  expect(run(source)).toMatchObject({ kind: "fetch", url: "first" });
  expect(run(source, { fetched: [{ body: "A" }] })).toMatchObject({ kind: "fetch", url: "second?A" });
  expect(resultOf(run(source, { fetched: [{ body: "A" }, { body: "B" }] }))).toBe("AB");
});

test("concurrent network calls are made one after another", () => {
  const source = "return (await Promise.all(['a', 'b', 'c'].map((url) => fetch(url)))).join()";
  const fetched: { body: string }[] = [];
  for (const url of ["a", "b", "c"]) {
    expect(run(source, { fetched })).toMatchObject({ kind: "fetch", url });
    fetched.push({ body: url.toUpperCase() });
  }
  expect(resultOf(run(source, { fetched }))).toBe("A,B,C");
});

test("no code of a script runs after a network call without a response", () => {
  const source =
    "try { setVariable('A', 1); await fetch('x') } catch { return 'caught' } finally { setVariable('B', 1) }";
  const outcome = run(source);
  expect(outcome.kind).toBe("fetch");
  expect(outcome).not.toHaveProperty("assignments");
});

test("a run repeated with a response sees the same time, random values and variables", () => {
  const source = "const before = [Date.now(), Math.random(), count]; await fetch('x'); return [before, Math.random()]";
  const request = { globals: [["count", 3]] as const, seed: "1".repeat(32) };
  const first = run(source, { ...request, fetched: [{ body: "" }] });
  const again = run(source, { ...request, fetched: [{ body: "" }] });
  expect(resultOf(first)).toEqual(resultOf(again));
  expect(resultOf(first)).toMatchObject([[plainRequest.now, expect.any(Number), 3], expect.any(Number)]);
});

test("a stopped script leaves no global variable for the next script", () => {
  run("globalThis.left = 1; await fetch('x')");
  expect(resultOf(run("return typeof left"))).toBe("undefined");
});
