import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPublicAddress } from "../../../src/core/flow/outgoing-rules.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { FailedCall, type HttpProxy, RefusedCall } from "../../../src/effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../../src/limits/index.ts";
import { startFakeProxy } from "../../fake-providers/connect-proxy.ts";
import { untrusted } from "../../support/certificate.ts";
import { type OutsideRequest, outsideFetch, startOutside } from "../../support/outside.ts";

// A separate folder, because other tests open tunnels at the same time.
const [folder, before] = [await mkdtemp(join(tmpdir(), "parley-tunnels-")), process.env["TMPDIR"]];
beforeAll(() => {
  process.env["TMPDIR"] = folder;
});
afterAll(async () => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await rm(folder, { recursive: true });
});

const closed: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
});

async function outside(answer: (request: OutsideRequest, response: ServerResponse) => void) {
  const server = await startOutside(answer);
  closed.push(server.close);
  return server;
}
async function proxied(options?: Parameters<typeof startFakeProxy>[0]) {
  const proxy = await startFakeProxy(options);
  closed.push(proxy.close);
  return { ...proxy, url: `http://proxy.example:${proxy.port}` };
}
const says = (text: string) => outside((_, response) => void response.end(text));
const get = (url: string, proxy: HttpProxy) =>
  ({
    ...{ url, method: "GET", headers: [["X-Key", "planted"] as const], timeoutMs: 60_000, hops: noHops },
    proxy,
  }) as const;

/** The private addresses of this test, by name. All other names resolve to the loopback address. */
const places: Readonly<Record<string, string>> = { "inner.example": "10.0.0.7", "proxy-inner.example": "10.0.0.8" };
const calls = outsideFetch({ resolve: async (host) => [{ address: places[host] ?? "127.0.0.1", family: 4 }] });

const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => new Error("It succeeded"),
    (error: Error) => error,
  );

describe("a call through a proxy", () => {
  test("a call through a proxy hides its headers from the proxy", async () => {
    const target = await says("hello");
    const proxy = await proxied({ user: "ana:se:cret" });

    const account = { url: proxy.url, username: "ana", password: "se:cret" };
    expect(await calls(get(target.url("/a?b=1"), account))).toEqual({ status: 200, text: "hello" });

    expect(proxy.asked.map(({ target }) => target)).toEqual([`127.0.0.1:${target.port}`]);
    expect(proxy.asked[0]?.head).not.toMatch(/outside\.example|planted|x-key/i);
    expect(target.requests).toMatchObject([
      { path: "/a?b=1", headers: { host: `outside.example:${target.port}`, "x-key": "planted" } },
    ]);
    expect(JSON.stringify(target.requests)).not.toMatch(/proxy-|se:cret|YW5h/i);
    expect(await readdir(folder)).toEqual([]);
  });

  test("a call through a proxy transfers a body in both directions", async () => {
    const last = await outside((request, response) => void response.end(request.body.toUpperCase()));
    const first = await outside((_, response) => {
      response.writeHead(307, { location: last.url("/next", "other.example") }).end();
    });
    const proxy = await proxied();
    const text = "word ".repeat(100_000);
    const request = { ...get(first.url(), { url: proxy.url }), method: "POST", body: text };
    expect((await calls(request)).text).toBe(text.toUpperCase());
    expect(proxy.asked.map(({ target }) => target)).toEqual([`127.0.0.1:${first.port}`, `127.0.0.1:${last.port}`]);
  });

  test("a call through a proxy checks the target's certificate", async () => {
    const server = createServer(untrusted, (_, response) => void response.end("secret"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    closed.push(() => new Promise((resolve) => server.close(resolve)));
    const { port } = Object(server.address());
    const proxy = await proxied();
    const error = await failure(calls(get(`https://outside.example:${port}/`, { url: proxy.url })));
    expect(error).toBeInstanceOf(FailedCall);
    expect(error.message).toMatch(/certificate/i);
    expect(proxy.asked).toHaveLength(1);
  });

  test.each(["outside.example", "127.0.0.1"])(
    "a call through a proxy reaches a target over TLS whose certificate is trusted: %s",
    async (host) => {
      const server = createServer(
        untrusted,
        (request, response) => void response.end(`${request.headers.host} says hello`),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
      closed.push(() => new Promise((resolve) => server.close(resolve)));
      const { port } = Object(server.address());
      const proxy = await proxied({ user: "ana:secret" });
      const authority = join(folder, "authority.pem");
      await Bun.write(authority, untrusted.cert);
      // The test runs in a child process, because a process reads its certificate authorities only at startup.
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../support/call-through-proxy.ts")], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
        ipc: resolve,
      });
      child.send({ ...get(`https://${host}:${port}/a`, { url: proxy.url, username: "ana", password: "secret" }) });
      expect(await Promise.race([promise, child.exited])).toEqual({
        ...{ status: 200, text: `${host}:${port} says hello` },
      });
      await child.exited;
      expect(proxy.asked.map(({ target }) => target)).toEqual([`127.0.0.1:${port}`]);
      expect(proxy.asked[0]?.head).not.toMatch(/outside\.example|planted/);
    },
  );

  test("a call through a TLS proxy checks the proxy's certificate", async () => {
    const server = createServer(untrusted);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
    closed.push(() => new Promise((resolve) => server.close(resolve)));
    const target = await says("hello");
    const url = `https://outside.example:${Object(server.address()).port}`;
    expect((await failure(calls(get(target.url(), { url })))).message).toMatch(
      /^The proxy cannot be reached: .*certificate/i,
    );
    expect(target.requests).toEqual([]);
  });
});

describe("proxies", () => {
  test.each<[string, string, string, typeof FailedCall | typeof RefusedCall]>([
    ["requires a login", "HTTP/1.1 407 No\r\n\r\n", "The proxy rejects its user name and password (407)", FailedCall],
    ["forbids the call", "HTTP/1.1 403 Forbidden\r\n\r\n", "The proxy responded with status 403", FailedCall],
    ["cannot reach the target", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "The proxy responded with status 502", FailedCall],
    [
      "redirects",
      "HTTP/1.1 302 Found\r\nLocation: http://x\r\n\r\n",
      "The proxy responded with status 302",
      FailedCall,
    ],
    ["does not use HTTP", "SSH-2.0-x\r\n\r\n", "The proxy's response cannot be read", FailedCall],
    [
      "sends data after its response",
      "HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
      "The proxy's response cannot be read",
      FailedCall,
    ],
    [
      "sends an endless header",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}`,
      "The proxy's response cannot be read",
      FailedCall,
    ],
    ["closes the connection", "HTTP", "The proxy closed the connection", FailedCall],
  ])("a call through a proxy that %s fails", async (_, answer, message, kind) => {
    const target = await says("hello");
    const proxy = await proxied({ answer });
    const error = await failure(calls(get(target.url(), { url: proxy.url })));
    expect([error.message, error.constructor === kind || error instanceof kind]).toEqual([message, true]);
    expect(target.requests).toEqual([]);
  });

  test.each([
    [
      "whose address is private",
      "http://proxy-inner.example:3128",
      "The proxy cannot be used: The host's address is not public",
    ],
    ["whose name is a private address", "http://10.1.2.3:3128", "The proxy cannot be used: This address is not public"],
    ["at the port of another service", "http://proxy.example:25", "The proxy cannot be used: Port 25 cannot be called"],
    ["without HTTP", "socks5://proxy.example", "The proxy cannot be used: Only http and https can be called"],
  ])("a call through a proxy %s fails", async (_, url, message) => {
    const target = await says("hello");
    const error = await failure(calls(get(target.url(), { url })));
    expect([error.message, error instanceof RefusedCall]).toEqual([message, true]);
    expect(target.requests).toEqual([]);
  });

  test("a listed proxy gives no access to a private target", async () => {
    const target = await says("hello");
    const proxy = await proxied();
    const listed = outsideFetch({
      ...{ allowedHosts: ["proxy.example"] },
      permits: (address, rules) => (address === "127.0.0.1" && rules.isHostAllowed) || isPublicAddress(address, rules),
    });
    // The target is also on the loopback address, but is not listed.
    expect((await failure(listed(get(target.url(), { url: proxy.url })))).message).toContain("not public");
    expect(proxy.asked).toEqual([]);
  });

  test("a local proxy is used only if the operator lists its origin", async () => {
    const target = await says("hello");
    const [proxy, other] = [await startFakeProxy(), await startFakeProxy()];
    closed.push(proxy.close, other.close);
    const listed = outsideFetch({
      ...{ providerServers: new Set([proxy.origin]), resolve: async () => [{ address: "127.0.0.2", family: 4 }] },
      permits: (address, rules) => address === "127.0.0.2" || isPublicAddress(address, rules),
    });
    const through = (url: string, trusted?: "providers" | "models") =>
      listed(get(target.url(), { url, ...(trusted && { trusted }) }));

    // No server listens at the target's address, and the proxy reports the failure.
    expect((await failure(through(proxy.origin, "providers"))).message).toBe("The proxy responded with status 502");
    expect(proxy.asked.map(({ target }) => target)).toEqual([`127.0.0.2:${target.port}`]);
    const refused = "The proxy cannot be used: This address is not public";
    expect((await failure(through(proxy.origin))).message).toBe(refused);
    expect((await failure(through(proxy.origin, "models"))).message).toBe(refused);
    expect((await failure(through(other.origin, "providers"))).message).toBe(refused);
    expect(
      (await failure(listed(get("http://127.0.0.1:8080/", { url: proxy.origin, trusted: "providers" })))).message,
    ).toBe("This address is not public");
    expect([proxy.asked.length, other.asked.length, target.requests.length]).toEqual([1, 0, 0]);
  });

  test.each(["http://inner.example/", "http://10.0.0.7/", "http://169.254.169.254/latest"])(
    "the target %s is forbidden, and the proxy is not called",
    async (url) => {
      const proxy = await proxied();
      expect(await failure(calls(get(url, { url: proxy.url })))).toBeInstanceOf(RefusedCall);
      expect(proxy.asked).toEqual([]);
    },
  );

  test.each([
    ["http://lost.example/", "http://proxy.example", "getaddrinfo ENOTFOUND lost.example"],
    [
      "http://outside.example/",
      "http://lost.example",
      "The proxy cannot be reached: getaddrinfo ENOTFOUND lost.example",
    ],
    ["http://empty.example/", "http://proxy.example", "The host has no address"],
    ["http://outside.example/", "http://empty.example", "The proxy cannot be reached: The host has no address"],
  ])("a name without an address is not called: %s through %s", async (target, proxyName, message) => {
    const proxy = await proxied();
    const lost = outsideFetch({
      async resolve(host) {
        if (host === "lost.example") throw new Error(`getaddrinfo ENOTFOUND ${host}`);
        return host === "empty.example" ? [] : [{ address: "127.0.0.1", family: 4 }];
      },
    });
    const error = await failure(lost(get(target, { url: `${proxyName}:${proxy.port}` })));
    expect([error.message, error instanceof FailedCall]).toEqual([message, true]);
    expect(proxy.asked).toEqual([]);
  });

  test("a redirect to a forbidden target is not followed", async () => {
    const target = await outside((_, response) => void response.writeHead(302, { location: "http://10.0.0.7/" }).end());
    const proxy = await proxied();
    expect(await failure(calls(get(target.url(), { url: proxy.url })))).toBeInstanceOf(RefusedCall);
    expect(proxy.asked).toHaveLength(1);
  });
});

test("a call through a proxy ends at its time limit or size limit", async () => {
  const target = await outside((_, response) => void response.end(Buffer.alloc(limits.outgoing.bytes + 1)));
  const silent = await proxied({ answer: "" });
  const slow = await failure(calls({ ...get(target.url(), { url: silent.url }), timeoutMs: 100 }));
  expect(slow).toMatchObject({ kind: "timeout" });
  expect(target.requests).toEqual([]);
  const proxy = await proxied();
  const long = await failure(calls(get(target.url(), { url: proxy.url })));
  expect(long.message).toContain("The response is larger than");
});
