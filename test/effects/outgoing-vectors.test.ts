import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { noHops } from "../../src/effects/hops.ts";
import { performHttp } from "../../src/effects/http-request.ts";
import { createSafeFetch, type SafeFetch } from "../../src/effects/safe-fetch.ts";
import type { Report } from "../../src/interpreter/effect.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import vectors from "./outgoing-vectors.json";

const servers: OutsideServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe("a redirect", () => {
  test.each(vectors.redirects)("$status turns a $method into a $then", async ({ status, method, then }) => {
    const server = await outside(({ path }, response) => {
      if (path === "/") response.writeHead(status, { Location: "/there" });
      response.end();
    });

    await call(outsideFetch(), { method, url: server.url() });

    expect(server.requests.map((request) => request.method)).toEqual([method, then]);
  });

  test.each(vectors.secrets)("elsewhere ($isElsewhere) is followed with $kept", async ({ isElsewhere, kept }) => {
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
  });
});

describe("nobody is called", () => {
  const refusal = { kind: "http", statusCode: 400, error: { message: expect.stringMatching(/^Security validation/) } };

  test.each(vectors.refused)("at $url", async ({ url }) => {
    expect(await call(createSafeFetch(), { method: "GET", url })).toMatchObject(refusal);
  });

  test.each(vectors.refusedNames)("by a name that leads to $address", async ({ address }) => {
    const resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    const safeFetch = createSafeFetch({ resolve });
    expect(await call(safeFetch, { method: "GET", url: "http://inner.example/" })).toMatchObject(refusal);
  });

  test.each(vectors.refusedHeaders)("with the header $name", async ({ name }) => {
    const server = await outside((_, response) => response.end());

    const report = await call(outsideFetch(), { method: "GET", url: server.url(), headers: [[name, "x"]] });

    expect(report).toMatchObject(refusal);
    expect(server.requests).toEqual([]);
  });
});

describe("a failing request", () => {
  test.each(vectors.tries)(
    "$vector: answered $status, with $retries retries, is made $tries times",
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
