import { afterEach, describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { isPublicAddress, readOwnMachine } from "../../../src/core/flow/outgoing-rules.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import {
  createSafeFetch,
  FailedCall,
  type OutgoingRequest,
  RefusedCall,
  type SafeFetch,
} from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../src/limits/index.ts";
import { untrusted } from "../../support/certificate.ts";
import { type OutsideRequest, type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { waitFor } from "../../support/wait.ts";

const servers: OutsideServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function outside(answer: (request: OutsideRequest, response: ServerResponse) => void): Promise<OutsideServer> {
  const server = await startOutside(answer);
  servers.push(server);
  return server;
}

const says = (text: string) => outside((_, response) => response.end(text));
const get = (url: string): OutgoingRequest => ({ url, method: "GET", headers: [], timeoutMs: 5_000, hops: noHops });
const post = (url: string, body: string): OutgoingRequest => ({ ...get(url), method: "POST", body });

function firstOf(server: OutsideServer): OutsideRequest {
  const [request] = server.requests;
  if (!request) throw new Error("The server was not asked");
  return request;
}

/** Returns the status or the error of a call. */
async function outcomeOf(call: Promise<{ status: number }>): Promise<number | Error> {
  return call.then(
    ({ status }) => status,
    (error: Error) => error,
  );
}

describe("a call", () => {
  test("a call returns the status and the text, and closes its connection", async () => {
    const server = await outside((request, response) => {
      response.statusCode = 418;
      response.end(`${request.method} ${request.path} ${request.body}`);
    });

    const answer = await outsideFetch()({ ...post(server.url("/a?b=ü"), "hello"), method: "put" });

    expect(answer).toEqual({ status: 418, text: "PUT /a?b=%C3%BC hello" });
    await waitFor(async () => (await server.openConnections()) === 0);
  });

  test("a call sends default headers, unless its author set the headers", async () => {
    const server = await says("ok");

    await outsideFetch()(post(server.url(), "x"));
    await outsideFetch()({ ...post(server.url(), "x"), headers: [["content-type", "text/csv"]] });

    expect(server.requests[0]?.headers).toMatchObject({
      host: `outside.example:${server.port}`,
      "user-agent": "Parley",
      "accept-encoding": "gzip, deflate, br, zstd",
      "content-type": "text/plain;charset=UTF-8",
      "content-length": "1",
      connection: "close",
    });
    expect(server.requests[1]?.headers["content-type"]).toBe("text/csv");
  });

  test("a call drops headers that describe the connection", async () => {
    const server = await says("ok");
    const dropped = ["transfer-encoding", "upgrade", "expect", "te", "keep-alive"];

    await outsideFetch()({
      ...post(server.url(), "four"),
      headers: [
        ...["Content-Length", "Connection", ...dropped].map((name) => [name, "9"] as const),
        ["X-A", "1"],
        ["x-a", "2"],
        ["constructor", "3"],
      ],
    });

    const { headers, body } = firstOf(server);
    expect(body).toBe("four");
    expect(headers["content-length"]).toBe("4");
    expect(headers["x-a"]).toBe("2");
    expect(headers["constructor"]).toBe("3");
    expect(Object.keys(headers).filter((name) => dropped.includes(name))).toEqual([]);
  });

  test("a call sends the credentials of its address as a header", async () => {
    const server = await says("ok");

    await outsideFetch()(get(`http://user:pa%3Ass%@outside.example:${server.port}/`));

    expect(server.requests[0]?.headers["authorization"]).toBe(`Basic ${btoa("user:pa%3Ass%")}`);
  });

  test("a call replaces bytes that cannot be stored as text", async () => {
    const server = await outside((_, response) =>
      response.end(Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x00, 0xff, 0x42])),
    );

    expect((await outsideFetch()(get(server.url()))).text).toBe("A\ufffd\ufffdB");
  });

  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("a call decompresses a response in %s (%p)", async (encoding, compress) => {
    const server = await outside((_, response) => {
      response.setHeader("Content-Encoding", encoding);
      response.end(compress("hello"));
    });

    expect((await outsideFetch()(get(server.url()))).text).toBe("hello");
  });

  test.each(["HEAD", "OPTIONS", "DELETE", "PATCH", "TRACE"])("a call may have the method %s", async (method) => {
    const server = await says("ok");

    expect(await outcomeOf(outsideFetch()({ ...get(server.url()), method }))).toBe(200);
    expect(server.requests[0]?.method).toBe(method);
  });

  test.each([
    ["CONNECT", []],
    ["TRACK", []],
    ["G ET", []],
    ["GET\r\nX: 1", []],
    ["GET", [["bad name", "x"]]],
    ["GET", [["X", "a\r\nY: b"]]],
    ["GET", [["X", "日本"]]],
  ] as const)("a call with an invalid method or header fails: %s %p", async (method, headers) => {
    const server = await says("ok");

    const outcome = await outcomeOf(outsideFetch()({ ...get(server.url()), method, headers }));

    expect(outcome).toBeInstanceOf(FailedCall);
    expect(outcome).toHaveProperty("kind", "answer");
    expect(server.requests).toHaveLength(0);
  });
});

describe("a call whose connection is kept alive", () => {
  const kept = (server: OutsideServer, key = "receiver"): OutgoingRequest => ({
    ...post(server.url(), "hello"),
    keepAliveKey: key,
  });

  test("a kept-alive connection is used by later calls with the same key", async () => {
    const held: (() => void)[] = [];
    const server = await outside(({ path }, response) => {
      if (path === "/together") held.push(() => response.end("ok"));
      else response.end("ok");
    });
    let resolved = 0;
    const resolve = async () => {
      resolved++;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const safeFetch = outsideFetch({ resolve });

    for (let index = 0; index < 10; index++) await safeFetch(kept(server));
    expect([resolved, await server.openConnections()]).toEqual([1, 1]);
    const together = [1, 2, 3].map(() => safeFetch({ ...kept(server), url: server.url("/together") }));
    await waitFor(() => held.length === 3);
    for (const answer of held) answer();
    await Promise.all(together);
    expect([resolved, await server.openConnections()]).toEqual([1, 3]);
    await safeFetch(kept(server, "another"));
    expect([resolved, await server.openConnections()]).toEqual([2, 4]);
    await safeFetch(post(server.url(), "hello"));
    expect(resolved).toBe(3);
  });

  test("260 unanswered calls do not block a request to another server", async () => {
    const silent = await outside(() => {});
    const server = await says("ok");
    const controller = new AbortController();
    const safeFetch = outsideFetch();
    const calls = Array.from({ length: 260 }, (_, index) =>
      outcomeOf(safeFetch({ ...kept(silent, `receiver ${index % 10}`), signal: controller.signal })),
    );

    await waitFor(() => silent.requests.length === 260);
    expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe("ok");

    controller.abort();
    await Promise.all(calls);
  });

  test("a call is repeated if the server closes its kept-alive connection", async () => {
    const server = await says("ok");
    const safeFetch = outsideFetch();
    await safeFetch(kept(server));
    const closing = await closingServer();
    const call = () => safeFetch({ ...post(`http://outside.example:${closing.port}/`, "x"), keepAliveKey: "k" });

    expect(await outcomeOf(call())).toBe(200);
    expect(await outcomeOf(call())).toBe(200);

    expect(closing.connections()).toBe(2);
    closing.close();
  });

  test("a call with a kept-alive connection is sent only to a checked address", async () => {
    const server = await says("secret");
    const addresses = ["127.0.0.1", "10.0.0.1"];
    const safeFetch = outsideFetch({ resolve: async () => [{ address: addresses.shift() ?? "", family: 4 }] });

    expect(await outcomeOf(safeFetch(kept(server)))).toBe(200);
    expect(await outcomeOf(safeFetch(kept(server, "another")))).toBeInstanceOf(RefusedCall);
    // The second call uses the checked connection.
    expect(await outcomeOf(safeFetch(kept(server)))).toBe(200);
    expect(await outcomeOf(safeFetch({ ...kept(server), url: server.url("/", "127.0.0.2") }))).toBeInstanceOf(
      RefusedCall,
    );
  });

  test("a kept-alive connection is closed after a partial read or a time-out", async () => {
    const server = await outside(({ path }, response) => {
      if (path !== "/hanging") response.end("x".repeat(100_000));
    });
    const safeFetch = outsideFetch();

    await safeFetch({ ...kept(server), excerptBytes: 10 });
    await outcomeOf(safeFetch({ ...kept(server), url: server.url("/hanging"), timeoutMs: 50 }));

    await waitFor(async () => (await server.openConnections()) === 0);
  });

  test("a call with a kept-alive connection can be aborted by its caller", async () => {
    const server = await outside(() => {});
    const controller = new AbortController();
    const call = outsideFetch()({ ...kept(server), signal: controller.signal });
    await waitFor(() => server.requests.length === 1);

    controller.abort();

    expect(await outcomeOf(call)).toMatchObject({ kind: "network", message: "The call was aborted" });
    await waitFor(async () => (await server.openConnections()) === 0);
  });
});

/**
 * Starts a server that answers the first request of a connection, and closes the connection when a second request
 * arrives.
 */
async function closingServer(): Promise<{ port: number; connections(): number; close(): void }> {
  let connections = 0;
  const server = Bun.listen<{ requests: number }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections++;
        socket.data = { requests: 0 };
      },
      data(socket) {
        if (++socket.data.requests > 1) socket.end();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      },
    },
  });
  return { port: server.port, connections: () => connections, close: () => server.stop(true) };
}

describe("addresses that are not public", () => {
  test.each([
    ...["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]"],
    ...["[64:ff9b::7f00:1]", "localhost", "localhost.", "some.localhost"],
  ])("the local machine cannot be called as %s", async (host) => {
    const server = await says("secret");
    const resolved: string[] = [];
    const safeFetch = createSafeFetch({
      resolve: async (name) => {
        resolved.push(name);
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });

    expect(await outcomeOf(safeFetch(get(server.url("/", host))))).toBeInstanceOf(RefusedCall);
    expect(resolved).toEqual([]);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    [["127.0.0.1"]],
    [["8.8.8.8", "127.0.0.1"]],
    [["127.0.0.1", "8.8.8.8"]],
    [["::1"]],
    [["10.1.2.3"]],
    [["169.254.169.254"]],
  ])("a name that resolves to %p is not called, and the error contains no address", async (addresses) => {
    const server = await says("secret");
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

    const outcome = await outcomeOf(createSafeFetch({ resolve })(get(server.url())));

    expect(outcome).toBeInstanceOf(RefusedCall);
    // The error reveals nothing about the private network.
    expect(outcome).toHaveProperty("message", "The host's address is not public");
    expect(server.requests).toHaveLength(0);
  });

  test.each(["127.0.0.1", "::1", "169.254.169.254"])(
    "a listed name that resolves to %s is not called",
    async (address) => {
      const server = await says("secret");
      const resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
      const safeFetch = createSafeFetch({ resolve, allowedHosts: ["crm.internal"] });

      expect(await outcomeOf(safeFetch(get(server.url("/", "crm.internal"))))).toBeInstanceOf(RefusedCall);
      expect(server.requests).toHaveLength(0);
    },
  );

  test("the local machine cannot be called by a name that only the system resolves", async () => {
    const server = await says("secret");

    const outcome = await outcomeOf(createSafeFetch()(get(server.url("/", "ip6-localhost"))));

    expect(outcome).toBeInstanceOf(Error);
    expect(server.requests).toHaveLength(0);
  });

  test("a redirect is not followed if its host then resolves to a private address", async () => {
    const addresses = ["127.0.0.1", "10.0.0.1"];
    const server = await outside((_, response) => response.writeHead(302, { Location: "/again" }).end());
    const safeFetch = outsideFetch({ resolve: async () => [{ address: addresses.shift() ?? "", family: 4 }] });

    expect(await outcomeOf(safeFetch(get(server.url())))).toBeInstanceOf(RefusedCall);
    expect(server.requests.map(({ path }) => path)).toEqual(["/"]);
  });

  test.each([
    "http://localhost/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://inner.example/",
    "file:///etc/passwd",
    "//[::1]/",
  ])("a redirect to %s is refused", async (location) => {
    const server = await outside((_, response) => response.writeHead(302, { Location: location }).end());
    const resolve = async (host: string) => [
      { address: host.startsWith("inner") ? "10.0.0.1" : "127.0.0.1", family: 4 },
    ];

    expect(await outcomeOf(outsideFetch({ resolve })(get(server.url())))).toBeInstanceOf(RefusedCall);
  });

  // Maps the loopback address to a private address at which no server listens.
  const isInner = (address: string) => (address === "127.0.0.1" ? "10.0.0.1" : address);

  test("a private address is called only for a host that the operator listed", async () => {
    const server = await says("inner");
    const safeFetch = outsideFetch({
      allowedHosts: ["crm.internal"],
      permits: (address, rules) => isPublicAddress(isInner(address), rules),
    });

    expect(await outcomeOf(safeFetch(get(server.url("/", "CRM.internal."))))).toBe(200);
    expect(await outcomeOf(safeFetch(get(server.url("/", "crm.internal.example"))))).toBeInstanceOf(RefusedCall);
    expect(await outcomeOf(safeFetch(get(server.url("/", "other.internal"))))).toBeInstanceOf(RefusedCall);
  });

  test("only a listed port of the local machine is called", async () => {
    const [listed, other] = [await says("listed"), await says("other")];
    const safeFetch = createSafeFetch({ ownMachine: readOwnMachine(`crm.internal, localhost:${listed.port}`) });

    for (const host of ["localhost", "127.0.0.1"]) {
      expect(await outcomeOf(safeFetch(get(listed.url("/", host))))).toBe(200);
      expect(await outcomeOf(safeFetch(get(other.url("/", host))))).toBeInstanceOf(RefusedCall);
    }
    for (const host of ["[::1]", "127.0.0.2", "api.localhost"])
      expect(await outcomeOf(safeFetch(get(listed.url("/", host))))).toBeInstanceOf(RefusedCall);
    // Model blocks use a separate list.
    expect(await outcomeOf(safeFetch({ ...get(listed.url("/", "localhost")), trusted: "models" }))).toBeInstanceOf(
      RefusedCall,
    );
    expect(other.requests).toEqual([]);
  });

  test("another server may not redirect to a listed local port", async () => {
    const server = await outside(({ path, headers }, response) => {
      const port = String(headers["host"]).split(":")[1];
      if (path === "/there") response.end("there");
      else response.writeHead(302, { Location: path === "/here" ? "/there" : `http:/${path}:${port}/there` }).end();
    });
    const safeFetch = outsideFetch({
      ownMachine: readOwnMachine(`localhost:${server.port}`),
      permits: (address, rules) => isPublicAddress(address === "127.0.0.1" ? "93.184.216.34" : address, rules),
    });

    expect(await outcomeOf(safeFetch(get(server.url("/here", "localhost"))))).toBe(200);
    expect(await outcomeOf(safeFetch(get(server.url("/localhost", "outside.example"))))).toBeInstanceOf(RefusedCall);
    const strict = createSafeFetch({
      ownMachine: readOwnMachine(`localhost:${server.port}`),
      permits: (_, { isHostAllowed }) => isHostAllowed,
      allowedHosts: ["outside.example"],
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    expect(await outcomeOf(strict(get(server.url("/127.0.0.1", "outside.example"))))).toBeInstanceOf(RefusedCall);
    expect(server.requests.map(({ path }) => path)).toEqual(["/here", "/there", "/localhost", "/127.0.0.1"]);
  });

  test("the host of a redirect is checked, even after a call to a listed host", async () => {
    const safeFetch = outsideFetch({
      allowedHosts: ["crm.internal"],
      permits: (address, rules) => isPublicAddress(isInner(address), rules),
    });
    const server = await outside(({ path, headers }, response) => {
      const port = String(headers["host"]).split(":")[1];
      if (path === "/there") response.end("there");
      else response.writeHead(302, { Location: `http://${path.slice(1)}:${port}/there` }).end();
    });

    expect(await outcomeOf(safeFetch(get(server.url("/crm.internal", "crm.internal"))))).toBe(200);
    expect(await outcomeOf(safeFetch(get(server.url("/other.internal", "crm.internal"))))).toBeInstanceOf(RefusedCall);
    expect(server.requests.map(({ path }) => path)).toEqual(["/crm.internal", "/there", "/other.internal"]);
  });

  test.each(["Metadata", "metadata-flavor", "X-aws-ec2-metadata-token", "X-aws-ec2-metadata-token-ttl-seconds"])(
    "a call with the header %s is refused",
    async (name) => {
      const server = await says("secret");

      expect(await outcomeOf(outsideFetch()({ ...get(server.url()), headers: [[name, "true"]] }))).toBeInstanceOf(
        RefusedCall,
      );
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe("a redirect", () => {
  const redirecting = (status: number, location = "/there") =>
    outside(({ path }, response) => {
      if (path === "/there") response.end("there");
      else response.writeHead(status, { Location: location }).end("not read");
    });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [301, "PUT", "PUT"],
    [302, "PATCH", "PATCH"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
  ])("a redirect with the status %i of a %s is followed with a %s", async (status, method, then) => {
    const server = await redirecting(status);

    await outsideFetch()({ ...post(server.url(), "{}"), method, headers: [["Content-Type", "application/json"]] });

    const [first, second] = server.requests;
    expect(first?.method).toBe(method);
    expect(second?.method).toBe(then);
    expect(second?.body).toBe(then === "GET" ? "" : (first?.body ?? "-"));
    expect(second?.headers["content-type"]).toBe(then === "GET" ? undefined : "application/json");
    expect(second?.headers["content-length"] ?? "0").toBe(then === "GET" ? "0" : String(first?.body.length));
  });

  const secrets = [
    ["Authorization", "Bearer a"],
    ["Proxy-Authorization", "b"],
    ["Cookie", "c=1"],
    ["X-Plain", "d"],
  ] as const;

  test("a redirect to another origin drops the author's secret headers", async () => {
    const there = await says("there");
    const server = await redirecting(307, there.url("/there"));
    const custom = [
      ["Host", "virtual.example"],
      ["X-Api-Key", "e"],
      ["webhook-signature", "v1,f"],
    ] as const;
    const described = [
      ["Content-Type", "text/csv"],
      ["Accept", "text/plain"],
      ["ACCEPT-LANGUAGE", "de"],
      ["User-Agent", "g"],
    ] as const;
    const headers = [...secrets, ...custom, ...described];

    const answer = await outsideFetch()({ ...get(server.url()), method: "POST", body: "a;b", headers });

    expect(answer.text).toBe("there");
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: "Bearer a",
      "x-api-key": "e",
      host: "virtual.example",
    });
    expect(firstOf(there)).toMatchObject({ method: "POST", body: "a;b" });
    expect(firstOf(there).headers).toEqual({
      ...{
        "content-type": "text/csv",
        accept: "text/plain",
        "accept-language": "de",
        "parley-hops": "0",
        "user-agent": "g",
      },
      ...{ "accept-encoding": "gzip, deflate, br, zstd", "content-length": "3", connection: "close" },
      host: `outside.example:${there.port}`,
    });
  });

  test("a redirect to another origin and back does not restore secrets", async () => {
    const home = await outside(({ path }, response) => {
      if (path === "/back") response.end("back");
      else response.writeHead(302, { Location: there.url() }).end();
    });
    const there = await outside((_, response) => response.writeHead(302, { Location: home.url("/back") }).end());

    await outsideFetch()({ ...get(home.url()), headers: secrets });

    expect(home.requests[1]?.headers).not.toHaveProperty("authorization");
    expect(home.requests[1]?.headers).not.toHaveProperty("x-plain");
  });

  test("a redirect to the same origin keeps secret headers", async () => {
    const server = await redirecting(302);

    await outsideFetch()({ ...get(server.url()), headers: secrets });

    expect(server.requests[1]?.headers).toMatchObject({ authorization: "Bearer a", cookie: "c=1" });
  });

  test("a chain of ten redirects is followed, and a chain of eleven redirects fails", async () => {
    const server = await outside(({ path }, response) => {
      const left = Number(path.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { Location: `/${left - 1}` }).end();
    });

    expect((await outsideFetch()(get(server.url("/10")))).text).toBe("there");
    const outcome = await outcomeOf(outsideFetch()(get(server.url("/11"))));
    expect(outcome).toBeInstanceOf(FailedCall);
    expect(outcome).toHaveProperty("message", "There were more than 10 redirects");
  });

  test("a redirect without a location is returned as a response", async () => {
    const server = await outside((_, response) => response.writeHead(302).end("nowhere"));

    expect(await outsideFetch()(get(server.url()))).toEqual({ status: 302, text: "nowhere" });
  });
});

describe("the limits of a call", () => {
  const failing = async (safeFetch: SafeFetch, request: OutgoingRequest, kind: FailedCall["kind"]) => {
    const outcome = await outcomeOf(safeFetch(request));
    expect(outcome).toBeInstanceOf(FailedCall);
    expect(outcome).toHaveProperty("kind", kind);
    return outcome;
  };
  const letGo = (server: OutsideServer) => waitFor(async () => (await server.openConnections()) === 0);

  test("an endless body fails the call, and the connection is closed", async () => {
    const server = await outside((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", write);
      write();
    });

    await failing(outsideFetch(), get(server.url()), "answer");
    await letGo(server);
  });

  test("a body of exactly the limit is read, and a larger body is rejected", async () => {
    const server = await outside(({ path }, response) =>
      response.end(Buffer.alloc(limits.outgoing.bytes + Number(path.slice(1)), 65)),
    );

    expect((await outsideFetch()(get(server.url("/0")))).text).toHaveLength(limits.outgoing.bytes);
    await failing(outsideFetch(), get(server.url("/1")), "answer");
  });

  test.each([
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ] as const)(
    "a small %s body is rejected if its decompressed content exceeds the limit",
    async (encoding, compress) => {
      const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
      const server = await outside((_, response) => {
        response.setHeader("Content-Encoding", encoding);
        response.end(bomb);
      });

      const outcome = await failing(outsideFetch(), get(server.url()), "answer");

      expect(outcome).toHaveProperty("message", `The response is larger than ${limits.outgoing.bytes} bytes`);
    },
  );

  test("a request that is too large is not sent", async () => {
    const server = await says("ok");

    await failing(outsideFetch(), post(server.url(), "x".repeat(limits.outgoing.bytes + 1)), "answer");
    expect(server.requests).toHaveLength(0);
  });

  test.each(["never answers", "stops in its answer", "drips"])(
    "a call to a server that %s ends at the time limit",
    async (how) => {
      const server = await outside((_, response) => {
        if (how === "stops in its answer") response.write("some");
        if (how !== "drips") return;
        const drip = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(drip));
      });

      await failing(outsideFetch(), { ...get(server.url()), timeoutMs: 200 }, "timeout");
      await letGo(server);
    },
  );

  test("redirects count toward the time limit", async () => {
    const server = await outside(({ path }, response) => {
      setTimeout(() => response.writeHead(302, { Location: `${path}x` }).end(), 60);
    });

    await failing(outsideFetch(), { ...get(server.url()), timeoutMs: 200 }, "timeout");
  });

  test("looking up a name counts toward the time limit", async () => {
    const resolve = () => new Promise<never>(() => {});

    await failing(outsideFetch({ resolve }), { ...get("http://outside.example/"), timeoutMs: 50 }, "timeout");
  });
});

describe("a failing call", () => {
  const failing = async (url: string, answer?: (response: ServerResponse) => void) => {
    const server = answer && (await outside((_, response) => answer(response)));
    const outcome = await outcomeOf(outsideFetch()(get(server?.url() ?? url)));
    expect(outcome).toBeInstanceOf(FailedCall);
    return outcome;
  };

  test("a call fails if no server listens", async () => {
    const server = await says("ok");
    await server.close();

    expect(await failing(server.url())).toHaveProperty("kind", "network");
  });

  test("a call fails if the name has no address", async () => {
    const resolve = async () => [];

    expect(await outcomeOf(outsideFetch({ resolve })(get("http://outside.example/")))).toHaveProperty(
      "kind",
      "network",
    );
  });

  test("a call fails if the connection breaks before the response", async () => {
    expect(await failing("", (response) => response.socket?.destroy())).toHaveProperty("kind", "network");
  });

  test("a call fails if the connection breaks within the response", async () => {
    const outcome = await failing("", (response) => {
      response.setHeader("Content-Length", 100);
      response.write("some");
      setTimeout(() => response.socket?.destroy(), 20);
    });

    expect(outcome).toHaveProperty("kind", "network");
  });

  test("a call fails if the response is not HTTP", async () => {
    expect(await failing("", (response) => response.socket?.end("nonsense\r\n\r\n"))).toHaveProperty("kind", "network");
  });

  test("a call fails if the certificate is not trusted", async () => {
    const server = createServer(untrusted, (_, response) => response.end("secret"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;

    const outcome = await failing(`https://outside.example:${port}/`);

    server.close();
    expect(outcome).toHaveProperty("message", expect.stringContaining("certificate"));
  });

  test("a call fails if the headers are too long", async () => {
    await failing("", (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nX: ${"a".repeat(1_000_000)}\r\n\r\n`));
  });

  test("a call fails if the server switches to another protocol", async () => {
    const outcome = await failing("", (response) => {
      response.socket?.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
    });

    expect(outcome).toHaveProperty("message", "The server requests another protocol");
  });

  test.each([
    ["gzip", "no gzip", "The response cannot be decompressed"],
    ["gzip", gzipSync("hello".repeat(1_000)).subarray(0, 20), "The response cannot be decompressed"],
    ["rot13", "uryyb", 'The response\'s encoding "rot13" is not supported'],
  ])("a call fails if a response in %s cannot be decoded", async (encoding, body, message) => {
    const outcome = await failing("", (response) => {
      response.setHeader("Content-Encoding", encoding);
      response.end(body);
    });

    expect(outcome).toHaveProperty("message", message);
  });
});
