import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import type { Report } from "../../src/core/interpreter/program/effect.ts";
import { performHttp } from "../../src/effects/http-request.ts";
import { noHops } from "../../src/effects/safe-fetch/hops.ts";
import { createSafeFetch, RefusedCall, type SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createSafeStream, type StreamRequest } from "../../src/effects/safe-fetch/safe-fetch-stream.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import vectors from "./outgoing-vectors.json";

const servers: OutsideServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe("a redirect", () => {
  test.each(vectors.redirects)(
    "a redirect with the status $status of a $method is followed with a $then",
    async ({ status, method, then }) => {
      const server = await outside(({ path }, response) => {
        if (path === "/") response.writeHead(status, { Location: "/there" });
        response.end();
      });

      await call(outsideFetch(), { method, url: server.url() });

      expect(server.requests.map((request) => request.method)).toEqual([method, then]);
    },
  );

  test.each(vectors.secrets)(
    "a redirect keeps the headers $kept (to another origin: $isElsewhere)",
    async ({ isElsewhere, kept }) => {
      const there = await outside((_, response) => response.end());
      const server = await outside(({ path }, response) => {
        const location = isElsewhere ? there.url() : "/there";
        if (path === "/") response.writeHead(302, { Location: location });
        response.end();
      });

      await call(outsideFetch(), {
        method: "GET",
        url: server.url(),
        headers: [
          ["Authorization", "a"],
          ["Cookie", "b=1"],
          ["X-Plain", "c"],
        ],
      });

      const { headers } = (isElsewhere ? there.requests[0] : server.requests[1]) ?? { headers: {} };
      expect(["authorization", "cookie", "x-plain"].filter((name) => name in headers)).toEqual(kept);
    },
  );
});

describe("refused calls", () => {
  const refusal = { kind: "http", statusCode: 400, error: { message: expect.stringMatching(/^Security validation/) } };

  /** The listed model servers do not permit calls to other private addresses. */
  const modelServers = new Set(["http://localhost:11434"]);
  const streams = (request: Partial<StreamRequest>, options: Parameters<typeof createSafeStream>[0] = {}) => {
    const times = { firstByteMs: 5_000, silenceMs: 5_000, timeoutMs: 5_000 };
    const call = createSafeStream({ modelServers, ...options });
    const whole = { url: "http://inner.example/", method: "POST", headers: [], hops: noHops, ...times, ...request };
    return call({ ...whole, trusted: "models" });
  };

  test.each(vectors.refused)("no call is made to $url, complete or streamed", async ({ url }) => {
    expect(await call(createSafeFetch(), { method: "GET", url })).toMatchObject(refusal);
    await expect(streams({ url })).rejects.toBeInstanceOf(RefusedCall);
  });

  test.each(vectors.refusedNames)(
    "no call is made to a name that resolves to $address, complete or streamed",
    async ({ address }) => {
      const resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
      const safeFetch = createSafeFetch({ resolve });
      expect(await call(safeFetch, { method: "GET", url: "http://inner.example/" })).toMatchObject(refusal);
      await expect(streams({}, { resolve })).rejects.toBeInstanceOf(RefusedCall);
    },
  );

  test.each(vectors.refusedHeaders)("no call is made with the header $name, complete or streamed", async ({ name }) => {
    const server = await outside((_, response) => response.end());

    const report = await call(outsideFetch(), { method: "GET", url: server.url(), headers: [[name, "x"]] });

    expect(report).toMatchObject(refusal);
    await expect(streams({ url: server.url(), headers: [[name, "x"]] }, openToOutside)).rejects.toBeInstanceOf(
      RefusedCall,
    );
    expect(server.requests).toEqual([]);
  });

  test.each(vectors.redirects.map(({ status }) => status))(
    "a streamed call follows no redirect with the status %i",
    async (status) => {
      const there = await outside((_, response) => response.end());
      const server = await outside((_, response) => response.writeHead(status, { Location: there.url() }).end());

      await expect(streams({ url: server.url() }, openToOutside)).rejects.toThrow("this call follows no redirect");
      expect(there.requests).toEqual([]);
    },
  );

  test("an operator's model server is called only at its exact origin", async () => {
    const server = await outside((_, response) => response.end());
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const own = { modelServers: new Set([`http://models.example:${server.port}`]), resolve };

    expect((await streams({ url: server.url("/v1", "models.example") }, own)).status).toBe(200);
    for (const url of [
      server.url("/v1", "other.example"),
      "http://models.example/v1",
      `http://127.0.0.1:${server.port}/`,
    ]) {
      await expect(streams({ url }, own)).rejects.toBeInstanceOf(RefusedCall);
    }
    for (const address of ["169.254.169.254", "100.100.100.200", "168.63.129.16", "fe80::1", "0.0.0.0", "224.0.0.1"]) {
      const leads = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
      const call = streams({ url: server.url("/v1", "models.example") }, { ...own, resolve: leads });
      await expect(call).rejects.toBeInstanceOf(RefusedCall);
    }
    expect(server.requests).toHaveLength(1);
  });
});

/** Every address counts as public, and every name resolves to the loopback address. */
const openToOutside = {
  permits: () => true,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
};

describe("a failing request", () => {
  test.each(vectors.tries)(
    "$vector: the number of attempts of a request with the response $status and $retries allowed retries is $tries",
    async ({ status, retries, tries }) => {
      const server = await outside((_, response) => response.writeHead(status).end());

      const report = await call(outsideFetch(), { method: "GET", url: server.url(), retries });

      expect(report).toMatchObject({ statusCode: status });
      expect(server.requests).toHaveLength(tries);
    },
  );
});

type Call = {
  readonly method: string;
  readonly url: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly retries?: number;
};

function call(safeFetch: SafeFetch, { method, url, headers = [], retries = 0 }: Call): Promise<Report> {
  const effect = { kind: "http", method, url, headers, timeoutMs: 5_000, retries } as const;
  return performHttp(effect, { safeFetch, hops: noHops, idempotencyKey: "the-key", timeLeftMs: 5_000 });
}

async function outside(answer: (request: OutsideRequest, response: ServerResponse) => void): Promise<OutsideServer> {
  const server = await startOutside(answer);
  servers.push(server);
  return server;
}
