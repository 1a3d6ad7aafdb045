import { afterAll, expect, test } from "bun:test";
import { goPastProxies, ProxyError, requireProxy } from "../../src/commands/proxy.ts";
import { cleanupStack, runCommand, sourceCommand } from "../support/service.ts";

const cleanups = cleanupStack();
afterAll(cleanups.run);

function listen(answer?: string): string {
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: (socket) => void (answer !== undefined && socket.write(answer)) },
  });
  cleanups.add(() => listener.stop(true));
  return `http://127.0.0.1:${listener.port}`;
}

const away = "http://ada:secret@127.0.0.1:9";
const service = new URL("https://parley.example.com");

async function refusalOf(address: URL, environment: Record<string, string>, ms?: number): Promise<string | undefined> {
  return await requireProxy(address, environment, ms).then(
    () => undefined,
    (error: unknown) => (error instanceof ProxyError ? error.message : String(error)),
  );
}

test("a command calls a local service without the environment's proxy", async () => {
  const { port } = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ workspaces: [] }),
  });
  const environment = { http_proxy: away, HTTP_PROXY: away, NO_PROXY: "elsewhere.example.com" };
  for (const host of ["127.0.0.1", "localhost"]) {
    const words = ["api", "GET", "/api/v1/workspaces", "--url", `http://${host}:${port}`, "--token", "x"];
    const { exitCode, stdout } = await runCommand(words, { environment, command: sourceCommand });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { workspaces: [] }]);
  }
});

test("an unreachable proxy is reported without its password", async () => {
  const words = ["api", "GET", "/api/v1/workspaces", "--url", service.origin, "--token", "x"];

  const { exitCode, stderr } = await runCommand(words, { environment: { https_proxy: away } });

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^The proxy http:\/\/127\.0\.0\.1:9 in https_proxy cannot be reached \(.*\): correct https_proxy, or add parley\.example\.com to NO_PROXY\.\n$/,
  );
});

test("a silent proxy is reported, and a proxy that responds is accepted", async () => {
  const [silent, alive] = [listen(), listen("HTTP/1.1 403 Forbidden\r\n\r\n")];

  expect(await refusalOf(service, { HTTPS_PROXY: silent }, 50)).toContain(
    `The proxy ${silent} in HTTPS_PROXY has not responded`,
  );
  expect(await refusalOf(service, { HTTPS_PROXY: alive })).toBeUndefined();
});

test("a command does not use a proxy for another scheme or for an excluded host", async () => {
  const plain = new URL("http://parley.example.com");
  expect(await refusalOf(plain, { https_proxy: away })).toBeUndefined();
  for (const exception of ["parley.example.com", ".example.com", "*", "x.org, example.com"])
    expect(await refusalOf(service, { https_proxy: away, no_proxy: exception })).toBeUndefined();
  expect(await refusalOf(service, { https_proxy: away, no_proxy: "ley.example.com" })).toContain("cannot be reached");
});

test("proxy exceptions of the environment are kept", () => {
  const [plain, proxied]: Record<string, string | undefined>[] = [
    { HOME: "/" },
    { http_proxy: away, no_proxy: "a.example.com" },
  ];
  goPastProxies(plain ?? {});
  goPastProxies(proxied ?? {});

  expect(plain).toEqual({ HOME: "/" });
  expect(proxied?.["NO_PROXY"]).toStartWith("a.example.com,localhost,127.0.0.1,::1,");
  expect(proxied?.["no_proxy"]).toBe(proxied?.["NO_PROXY"]);
});
