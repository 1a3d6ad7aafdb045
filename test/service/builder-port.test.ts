import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { builderPlace } from "../../src/management/access/builder-place.ts";
import { createClient } from "../support/client.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { cleanupStack, endService, runCommand, type Service, startService } from "../support/service.ts";
import { keptCookie, ownPage } from "../support/sign-ins.ts";

setDefaultTimeout(90_000);

const cleanups = cleanupStack();
afterEach(cleanups.run);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const environmentOf = (more: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: database.url,
  DATA_DIR: cleanups.folder(),
  WORKER_THREADS: "1",
  ...more,
});

async function start(environment: Readonly<Record<string, string>>): Promise<Service> {
  const service = await startService({ environment });
  cleanups.add(() => endService(service));
  return service;
}

const placeWith = (environment: Readonly<Record<string, string>>) => builderPlace(readConfig(environment));
const hosts = { PUBLIC_URL: "https://bots.example.com/", CHAT_URL: "https://chat.example.com" };

test("APP_PORT and the configured addresses determine where the builder is served", () => {
  const next = { address: undefined, isShared: false, port: { number: 3001, isNamed: false } };
  expect(placeWith({})).toEqual(next);
  expect(placeWith({ PUBLIC_URL: hosts.PUBLIC_URL })).toEqual(next);
  expect(placeWith({ PORT: "0" }).port).toEqual({ number: 0, isNamed: false });
  expect(placeWith({ PORT: "65535" }).port).toEqual({ number: 0, isNamed: false });
  expect(placeWith({ APP_PORT: "8080" }).port).toEqual({ number: 8080, isNamed: true });
  const nowhere = { address: undefined, isShared: false, port: undefined };
  expect(placeWith({ APP_PORT: "off" })).toEqual(nowhere);
  expect(placeWith({ ...hosts, APP_PORT: "off" })).toEqual(nowhere);
  const atHost = { address: "https://bots.example.com", isShared: false, port: undefined };
  expect(placeWith(hosts)).toEqual(atHost);
  expect(placeWith({ ...hosts, CHAT_URL: "https://bots.example.com" })).toEqual({ ...atHost, isShared: true });
  expect(placeWith({ ...hosts, APP_PORT: "0" }).port).toEqual({ number: 0, isNamed: true });
});

test("the first start prints a sign-in link", async () => {
  const service = await start(environmentOf());
  const [, address = "", secret] = /^Open (http:\S+)\/app\/sign-in#(\S+) to sign in/m.exec(service.stdout()) ?? [];
  expect(service.stdout()).toContain(`Builder: ${address}/app  `);
  const builder = createClient({ baseUrl: address, isBuilder: true });

  const signedIn = await builder.post("/api/v1/sign-in/link", { body: { secret } });

  expect([signedIn.at("user.name"), signedIn.at("isNew")]).toEqual(["Administrator", true]);
  const { Cookie } = keptCookie(signedIn);
  expect((await builder.get("/api/v1/users", { headers: { Cookie } })).status).toBe(200);
  const chats = createClient({ baseUrl: service.url });
  expect((await chats.get("/api/v1/users", { headers: { ...ownPage, Cookie } })).at("code")).toBe("token.missing");
  const instance = await builder.get("/api/v1/instance");
  expect(instance.at("instance.addresses")).toEqual({
    api: `${service.url}/api/v1`,
    app: `${address}/app`,
    chat: service.url,
  });
  expect(instance.at("instance.signIn.isFresh")).toBe(false);
  // Behind a proxy, only a setting determines the scheme of people's requests.
  const proxied = { headers: { "X-Forwarded-Proto": "https" } };
  expect((await chats.get("/api/v1/instance", proxied)).at("instance.addresses.app")).toBeNull();
  const { host } = new URL(address);
  const beyond = await fetch(`${service.url}/app/bots/x`, { ...proxied, redirect: "manual" });
  expect(beyond.headers.get("location")).toBe(`//${host}/app/bots/x`);
  const door = await fetch(`${service.url}/app/bots/x?at=y`, { redirect: "manual" });
  expect([door.status, door.headers.get("location")]).toEqual([302, `${address}/app/bots/x?at=y`]);
  const statuses = ["/embed.js", "/metrics", "/admin/queues", "/docs", "/some-bot", "/api/files/x"].map(
    async (path) => (await fetch(`${address}${path}`)).status,
  );
  expect(await Promise.all(statuses)).toEqual(Array(6).fill(404));
});

test("the builder uses another port if its default port is occupied", async () => {
  const { port, taken } = await portBeforeTaken();
  const environment = environmentOf({ PORT: String(port) });

  const service = await start(environment);

  expect(service.stdout()).toContain(`Sign in to the builder: "parley sign-in" prints a link`);
  expect(service.stdout()).not.toContain("sign-in#");
  const address = /Builder: (http:\S+)\/app/.exec(service.stdout())?.[1] ?? "none";
  expect(Number(new URL(address).port)).not.toBe(taken);
  const made = await runCommand(["sign-in"], { environment });
  const [, printed, secret] = /^(http:\S+)\/app\/sign-in#([\w-]{43})\n$/.exec(made.stdout) ?? [];
  expect(new URL(printed ?? "http://none").port).toBe(new URL(address).port);
  expect(made.stderr).toBe("This link signs Administrator in, once, within 30 minutes:\n");
  const builder = createClient({ baseUrl: address, isBuilder: true });
  expect((await builder.post("/api/v1/sign-in/link", { body: { secret } })).at("isNew")).toBe(false);
  const unknown = await runCommand(["sign-in", "--user", "nobody@example.com"], { environment });
  expect([unknown.exitCode, unknown.stderr]).toEqual([1, "User not found.\n"]);

  const named = await runCommand(["serve"], { environment: { ...environment, PORT: "0", APP_PORT: String(taken) } });

  expect(named.exitCode).toBe(1);
  expect(named.stderr).toContain(`APP_PORT ${taken} on HOST 127.0.0.1 cannot be opened: `);
});

/** Returns a free port whose next port is occupied until the test ends. */
async function portBeforeTaken(): Promise<{ port: number; taken: number }> {
  const listen = (port: number) => Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
  for (;;) {
    const free = listen(0);
    const { port } = free;
    free.stop(true);
    try {
      const holder = listen(port + 1);
      cleanups.add(() => holder.stop(true));
      return { port, taken: port + 1 };
    } catch {
      // Another program already uses the next port.
    }
  }
}
