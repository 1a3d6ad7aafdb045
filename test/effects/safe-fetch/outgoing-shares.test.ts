import { afterEach, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { bytesPerMs, createPace } from "../../../src/effects/safe-fetch/long-answers.ts";
import { createOutgoingMetrics } from "../../../src/effects/safe-fetch/outgoing-metrics.ts";
import type { SafeFetch, SafeFetchOptions } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { longTest } from "../../support/long-test.ts";
import { outsideFetch, startOutside } from "../../support/outside.ts";
import { cleanupStack } from "../../support/service.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";

/** How long a call waits for a free slot. */
const waitMs = 5_000;
const cleanups = cleanupStack();
afterEach(cleanups.run);

/**
 * Opens the outgoing calls of a process with a clock that the test controls. The last function returns their
 * values in `/metrics`.
 */
function open(options: SafeFetchOptions = {}) {
  const metrics = createOutgoingMetrics();
  const clock = createVirtualClock();
  const safeFetch = outsideFetch({ metrics, clock, ...options });
  const told = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.registry.metrics()).matchAll(/^parley_outgoing_(\S+) (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, name = "", value]) => [name, Number(value)]));
  };
  return { safeFetch, clock, told };
}

/** Makes calls for a workspace, and collects their outcomes. The calls are aborted when the test ends. */
function caller(safeFetch: SafeFetch) {
  const workspaceId = newId();
  const outcomes: string[] = [];
  const controller = new AbortController();
  const call = (url: string): void => {
    const hops = { count: 1, workspaceId, root: null };
    safeFetch({ url, method: "GET", headers: [], timeoutMs: 60_000, hops, signal: controller.signal }).then(
      ({ text }) => outcomes.push(`read ${text.length}`),
      (error: Error) => outcomes.push(error.message),
    );
  };
  cleanups.add(async () => controller.abort());
  return { call, outcomes, breakOff: () => controller.abort() };
}

async function outside(answer: (path: string, response: ServerResponse) => void) {
  const server = await startOutside(({ path }, response) => answer(path, response));
  cleanups.add(server.close);
  return server;
}

test("600 endless calls of one workspace leave capacity for another", async () => {
  const server = await outside((path, response) => path === "/" && response.end("here"));
  const { safeFetch, clock, told } = open();
  const [attacker, victim] = [caller(safeFetch), caller(safeFetch)];

  for (let count = 0; count < 600; count++) attacker.call(server.url("/slow"));
  await waitFor(() => server.requests.length === 333);
  expect(await told()).toMatchObject({ calls: 333, calls_waiting: 200, 'refused_total{what="calls"}': 67 });
  expect(attacker.outcomes).toEqual(Array(67).fill("Too many calls are running"));
  for (let count = 0; count < 100; count++) victim.call(server.url());
  await waitFor(() => victim.outcomes.length === 100);
  expect(victim.outcomes).toEqual(Array(100).fill("read 4"));

  await clock.advance(waitMs);
  await waitFor(() => attacker.outcomes.length === 267);
  expect(await told()).toMatchObject({ calls: 333, calls_waiting: 0 });
  attacker.breakOff();
  await waitFor(async () => (await told())["calls"] === 0);
});

test("the next free slot goes to a workspace without a running call", async () => {
  const held: ServerResponse[] = [];
  const server = await outside((path, response) => (path === "/" ? response.end("here") : held.push(response)));
  const { safeFetch, told } = open({ atOnce: 3 });
  const attackers = [caller(safeFetch), caller(safeFetch), caller(safeFetch)];
  const victim = caller(safeFetch);
  for (let count = 0; count < 5; count++) for (const { call } of attackers) call(server.url("/slow"));
  await waitFor(() => held.length === 3);

  victim.call(server.url());
  expect(await told()).toMatchObject({ calls: 3, calls_waiting: 13 });
  held[0]?.end();
  await waitFor(() => victim.outcomes.length === 1);
  expect(victim.outcomes).toEqual(["read 4"]);
});

test("a workspace's long responses wait while its capacity is in use", async () => {
  const length = 9_400_000;
  const held: ServerResponse[] = [];
  const server = await outside((path, response) => {
    if (path === "/long") return response.end(Buffer.alloc(2_000_000, "b"));
    if (path === "/packed") return response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync("short"));
    return response.write(Buffer.alloc(length, "a"), () => held.push(response));
  });
  const { safeFetch, clock, told } = open({ atOnce: 50 });
  const [attacker, victim] = [caller(safeFetch), caller(safeFetch)];

  for (let count = 0; count < 20; count++) attacker.call(server.url("/slow"));
  await waitFor(async () => (await told())["answers_waiting"] === 18);
  await waitFor(() => held.length === 2);
  expect((await told())["answer_bytes"]).toBe(2 * limits.outgoing.bytes);
  for (const path of ["/long", "/packed"]) victim.call(server.url(path));
  attacker.call(server.url("/packed"));
  await waitFor(() => victim.outcomes.length === 2 && attacker.outcomes.length === 1);
  expect(victim.outcomes.toSorted()).toEqual(["read 2000000", "read 5"]);

  held[0]?.end();
  await waitFor(() => held.length === 3);
  expect(attacker.outcomes).toEqual(["read 5", `read ${length}`]);
  expect(await told()).toMatchObject({ answer_bytes: 2 * limits.outgoing.bytes, answers_waiting: 17 });
  await clock.advance(waitMs);
  await waitFor(() => attacker.outcomes.length === 19);
  expect(attacker.outcomes.slice(2)).toEqual(Array(17).fill("Too many long responses are being read"));
  attacker.breakOff();
  await waitFor(async () => (await told())["answer_bytes"] === 0);
});

longTest("a response that becomes long during decompression also waits for capacity", async () => {
  const bomb = gzipSync(Buffer.alloc(9_000_000, "a"));
  const server = await outside((path, response) => {
    if (path === "/packed") return response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb);
    return response.write(Buffer.alloc(9_400_000, "a"));
  });
  const { safeFetch, clock, told } = open({ atOnce: 50 });
  const attacker = caller(safeFetch);
  for (let count = 0; count < 2; count++) attacker.call(server.url("/slow"));
  await waitFor(async () => (await told())["answer_bytes"] === 2 * limits.outgoing.bytes);

  for (let count = 0; count < 10; count++) attacker.call(server.url("/packed"));
  await waitFor(async () => (await told())["answers_waiting"] === 10);
  const victim = caller(safeFetch);
  victim.call(server.url("/packed"));
  await waitFor(() => victim.outcomes.length === 1);

  expect(victim.outcomes).toEqual(["read 9000000"]);
  await clock.advance(waitMs);
  await waitFor(() => attacker.outcomes.length === 10);
  expect(attacker.outcomes).toEqual(Array(10).fill("Too many long responses are being read"));
});

test("calls that are aborted while they wait leave the queues", async () => {
  const server = await outside((_, response) => response.write(Buffer.alloc(9_400_000, "a")));
  const { safeFetch, clock, told } = open({ atOnce: 50 });
  const attacker = caller(safeFetch);
  for (let count = 0; count < 40; count++) attacker.call(server.url());
  await waitFor(async () => (await told())["answers_waiting"] === 31);
  expect(await told()).toMatchObject({ calls: 33, calls_waiting: 7 });

  attacker.breakOff();
  await waitFor(() => attacker.outcomes.length === 40);
  await clock.settle();
  expect(await told()).toMatchObject({ calls: 0, calls_waiting: 0, answer_bytes: 0, answers_waiting: 0 });
  expect(clock.timers()).toBe(0);
});

test("a long response is decoded in chunks", async () => {
  const length = 9_400_000;
  const server = await outside((path, response) =>
    response.end(path === "/" ? "here" : Buffer.alloc(length, path === "/long" ? "a" : "ä")),
  );
  let [asked, pieces, largest] = [0, 0, 0];
  const { safeFetch } = open({
    pace: async (bytes) => {
      asked += bytes;
      pieces++;
      largest = Math.max(largest, bytes);
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
  const { call, outcomes } = caller(safeFetch);

  call(server.url());
  await waitFor(() => outcomes.length === 1);
  expect(pieces).toBe(0);
  call(server.url("/long"));
  await waitFor(() => outcomes.length === 2);
  // Each byte counts once when it arrives and once when it is decoded, except the first bytes.
  expect(asked).toBeGreaterThan(2 * length - 2 * 1024 * 1024);
  expect(largest).toBeLessThanOrEqual(1024 * 1024);
  // Characters of several bytes cross the boundaries of pieces.
  call(server.url("/letters"));
  await waitFor(() => outcomes.length === 3);
  expect(outcomes).toEqual(["read 4", `read ${length}`, `read ${length / 2}`]);
});

longTest("long responses share a limited reading rate", async () => {
  const clock = createVirtualClock();
  const pace = createPace(clock);
  const taken: number[] = [];
  const take = async (piece: number, bytes: number) => {
    await pace(bytes);
    taken.push(piece);
  };
  const pieces = Array.from({ length: 6 }, (_, piece) => take(piece, bytesPerMs / 2));
  await clock.settle();
  expect(taken).toEqual([0, 1]);
  await clock.advance(1);
  expect(taken).toEqual([0, 1, 2, 3]);
  await clock.advance(1);
  await Promise.all(pieces);
  // A piece that is larger than the share of a millisecond leaves a debt.
  await clock.advance(2);
  await take(6, 3 * bytesPerMs);
  const late = take(7, 1);
  await clock.advance(2);
  expect(taken.at(-1)).toBe(6);
  await clock.advance(1);
  await late;
  await clock.advance(5);
  expect(clock.timers()).toBe(0);
});
