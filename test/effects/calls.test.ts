import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { isPublicAddress } from "../../src/core/flow/outgoing-rules.ts";
import type { Effect } from "../../src/core/interpreter/program/effect.ts";
import { performFetch } from "../../src/effects/fetch.ts";
import { performHttp } from "../../src/effects/http-request.ts";
import { createProviderMetrics } from "../../src/effects/providers/provider-metrics.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import type { StepCredentials } from "../../src/effects/step-credentials.ts";
import { startFakeProxy } from "../fake-providers/connect-proxy.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";

const servers: OutsideServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function outside(answer: (request: OutsideRequest, response: ServerResponse) => void): Promise<OutsideServer> {
  const server = await startOutside(answer);
  servers.push(server);
  return server;
}

/** Starts a server that responds with the given statuses in turn, and then with 200. */
function answering(...statuses: readonly number[]): Promise<OutsideServer> {
  const left = [...statuses];
  return outside((_, response) => {
    response.statusCode = left.shift() ?? 200;
    response.end(`{"status":${response.statusCode}}`);
  });
}

const context = { safeFetch: outsideFetch(), hops: noHops, idempotencyKey: "the-key", timeLeftMs: 60_000 };

function http(url: string, more: Partial<Extract<Effect, { kind: "http" }>> = {}) {
  return { kind: "http", url, method: "GET", headers: [], timeoutMs: 5_000, retries: 2, ...more } as const;
}

describe("the request of a block", () => {
  test("the request of a block is sent through the proxy of the block", async () => {
    const [server, proxy] = [await answering(), await startFakeProxy({ user: "ana:secret" })];
    const problems: unknown[] = [];
    const account = { url: `http://proxy.example:${proxy.port}`, username: "ana" };
    const credentials: StepCredentials = {
      find: async ({ type, credentialsId: id }) => {
        if (type !== "http proxy" || id === "gone") return undefined;
        return id === "unreadable" ? id : { ...account, password: id === "right" ? "secret" : "wrong-planted" };
      },
      noteUse: async () => {},
      noteProblem: async (refused) => void problems.push(refused),
    };
    const asked = (proxyCredentialsId: string) =>
      performHttp(http(server.url(), { proxyCredentialsId }), { ...context, credentials });

    expect(await asked("right")).toHaveProperty("statusCode", 200);
    expect([server.requests.length, proxy.asked.length]).toEqual([1, 1]);
    for (const [id, message] of [
      ["gone", "Could not find the credentials of the proxy"],
      ["unreadable", "No key of this instance decrypts the credentials of the proxy"],
    ] as const)
      expect(await asked(id)).toEqual({ kind: "http", statusCode: 400, error: { message } });
    const refused = "The proxy rejects its user name and password (407)";
    expect(await asked("wrong")).toEqual({
      ...{ kind: "http", statusCode: 500, error: { description: `[${refused}] The request failed` } },
    });
    expect(problems).toEqual([{ credentialsId: "wrong", problem: refused }]);
    expect([server.requests.length, proxy.asked.length]).toEqual([1, 2]);
    await proxy.close();
  });

  test("the request of a block can use a local proxy of the operator", async () => {
    const [server, proxy] = [await answering(), await startFakeProxy()];
    const find = async () => ({ url: proxy.origin });
    const asked = async (name: string) => {
      const providers = { urls: new Map([[name, proxy.origin]]), metrics: createProviderMetrics() };
      const safeFetch = outsideFetch({
        providerServers: new Set([proxy.origin]),
        permits: (address, rules) => address === "127.0.0.2" || isPublicAddress(address, rules),
        resolve: async () => [{ address: "127.0.0.2", family: 4 }],
      });
      const credentials: StepCredentials = { find, noteUse: async () => {} };
      const effect = http(server.url(), { proxyCredentialsId: "ours", retries: 0 });
      return performHttp(effect, { ...context, safeFetch, providers, credentials });
    };

    expect(await asked("stripe")).toMatchObject({ error: { message: expect.stringContaining("is not public") } });
    expect(proxy.asked).toEqual([]);
    await asked("http-proxy");
    expect(proxy.asked).toMatchObject([{ target: `127.0.0.2:${server.port}` }]);
    await proxy.close();
  });

  test("the request of a block reports the status and the body of the response", async () => {
    const server = await answering(404);

    const report = await performHttp(http(server.url(), { method: "POST", body: "{}" }), context);

    expect(report).toEqual({ kind: "http", statusCode: 404, text: '{"status":404}' });
    expect(server.requests).toMatchObject([{ method: "POST", body: "{}" }]);
  });

  test("the request of a block is sent at most three times (F23)", async () => {
    const server = await answering(500, 500, 500, 200);

    const report = await performHttp(http(server.url()), context);

    expect(report).toEqual({ kind: "http", statusCode: 500, text: '{"status":500}' });
    expect(server.requests).toHaveLength(3);
  });

  test.each([408, 413, 429, 500, 502, 503, 504])(
    "the request of a block is sent again after the status %i",
    async (status) => {
      const server = await answering(status);

      expect(await performHttp(http(server.url()), context)).toHaveProperty("statusCode", 200);
      expect(server.requests).toHaveLength(2);
    },
  );

  test.each([400, 401, 404, 409, 501])(
    "the request of a block is not sent again after the status %i",
    async (status) => {
      const server = await answering(status);

      expect(await performHttp(http(server.url()), context)).toHaveProperty("statusCode", status);
      expect(server.requests).toHaveLength(1);
    },
  );

  test("the request of a block is sent again after a broken connection", async () => {
    let isFirst = true;
    const server = await outside((_, response) => {
      if (isFirst) response.socket?.destroy();
      else response.end("ok");
      isFirst = false;
    });

    expect(await performHttp(http(server.url()), context)).toEqual({ kind: "http", statusCode: 200, text: "ok" });
  });

  test("the request of a block is sent once if it may not be retried (F23)", async () => {
    const server = await answering(500);

    expect(await performHttp(http(server.url(), { method: "POST", retries: 0 }), context)).toHaveProperty(
      "statusCode",
      500,
    );
    expect(server.requests).toHaveLength(1);
  });

  test("the request of a block is not retried beyond its time limit", async () => {
    const server = await answering(500, 500);

    expect(await performHttp(http(server.url(), { timeoutMs: 300 }), context)).toHaveProperty("statusCode", 500);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["the time of the block", { timeoutMs: 1_000 }, 60_000],
    ["the remaining time of the step", { timeoutMs: 60_000 }, 400],
  ])("the request of a block ends after %s", async (_, own, timeLeftMs) => {
    const server = await outside(() => {});

    const report = await performHttp(http(server.url(), own), { ...context, timeLeftMs });

    const message = `Request timed out. (${own.timeoutMs / 1_000}s)`;
    expect(report).toEqual({ kind: "http", statusCode: 408, error: { message } });
    expect(server.requests).toHaveLength(1);
  });

  test("the request of a block to a private address is refused", async () => {
    const resolved: string[] = [];
    const safeFetch = createSafeFetch({
      resolve: async (host) => {
        resolved.push(host);
        return [{ address: "10.0.0.1", family: 4 }];
      },
    });

    const report = await performHttp(http("http://inner.example/"), { ...context, safeFetch });

    const message = "Security validation failed: The host's address is not public";
    expect(report).toEqual({ kind: "http", statusCode: 400, error: { message } });
    expect(resolved).toEqual(["inner.example"]);
  });

  test("the request of a block reports a refused connection", async () => {
    const server = await answering();
    await server.close();

    const report = await performHttp(http(server.url(), { retries: 0 }), context);

    const description = expect.stringMatching(/^\[.*ECONNREFUSED.*\] The request failed$/);
    expect(report).toEqual({ kind: "http", statusCode: 500, error: { description } });
  });

  test.each([
    ["POST", [], "the-key"],
    ["PATCH", [], "the-key"],
    ["POST", [["idempotency-key", "own"]], "own"],
    ["PUT", [], undefined],
    ["GET", [], undefined],
  ] as const)(
    "a request with the method %s and the headers %p has the idempotency key %s",
    async (method, headers, key) => {
      const server = await answering();

      await performHttp(http(server.url(), { method, headers }), context);

      expect(server.requests[0]?.headers["idempotency-key"]).toBe(key);
    },
  );

  test("a programming error in the request of a block is rethrown", async () => {
    const safeFetch = () => Promise.reject(new TypeError("a bug"));

    await expect(performHttp(http("http://outside.example/"), { ...context, safeFetch })).rejects.toThrow("a bug");
  });
});

describe("the call of a script", () => {
  const fetch = (url: string, init = {}) => performFetch({ kind: "fetch", url, init }, context);

  test("the call of a script returns the body even if the status is an error", async () => {
    const server = await answering(500);

    expect(await fetch(server.url("/a"))).toEqual({ kind: "fetch", answer: { body: '{"status":500}' } });
    expect(server.requests).toMatchObject([{ method: "GET", path: "/a" }]);
  });

  test("the call of a script sends its method, headers and body", async () => {
    const server = await answering();

    await fetch(server.url(), { method: "post", headers: { "X-A": "1" }, body: "hello" });

    expect(server.requests).toMatchObject([{ method: "POST", body: "hello" }]);
    expect(server.requests[0]?.headers["x-a"]).toBe("1");
  });

  test("a POST or PATCH of a script has an idempotency key, and a GET has none", async () => {
    const server = await answering();

    await fetch(server.url(), { method: "post", body: "hello" });
    await fetch(server.url(), { method: "PATCH", headers: { "idempotency-key": "the author's" } });
    await fetch(server.url());

    expect(server.requests.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "the-key",
      "the author's",
      undefined,
    ]);
  });

  test("a GET of a script is sent without the body that the script sets", async () => {
    const server = await answering();

    expect(await fetch(server.url(), { body: "hello" })).toHaveProperty("answer.body");
    expect(server.requests).toMatchObject([{ method: "GET", body: "" }]);
  });

  test("the call of a script returns an error if it is forbidden or fails", async () => {
    const server = await answering();
    await server.close();

    expect(await fetch("http://localhost/")).toEqual({
      kind: "fetch",
      answer: { error: "Security validation failed: This host cannot be called" },
    });
    expect(await fetch(server.url())).toHaveProperty("answer.error", expect.stringContaining("ECONNREFUSED"));
  });

  test("the call of a script ends after the remaining time of the step", async () => {
    const server = await outside(() => {});

    const report = await performFetch({ kind: "fetch", url: server.url(), init: {} }, { ...context, timeLeftMs: 50 });

    expect(report).toHaveProperty("answer.error", "The response was not complete within 50 ms");
  });
});
