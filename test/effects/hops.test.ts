import { expect, test } from "bun:test";
import { createHopsCodec, hopsHeader, noHops } from "../../src/effects/hops.ts";
import { newId } from "../../src/ids.ts";
import { outsideFetch, startOutside } from "../support/outside.ts";

const settings = {
  ENCRYPTION_KEY: "k".repeat(32),
  PUBLIC_URL: "https://bots.example",
  CHAT_URL: "https://chat.example/",
};
const codec = createHopsCodec(settings);
const workspaceId = newId();
const own = new URL("https://chat.example/api/v1/bots/a/startChat");
const headersOf = (text: string): Headers => new Headers({ [hopsHeader]: text });

test.each([own, new URL("https://bots.example/x")])("a call to %s says its number and its workspace", (target) => {
  const text = codec.write({ count: 3, workspaceId }, target);

  expect(codec.read(headersOf(text))).toEqual({ count: 3, workspaceId });
});

test.each(["https://elsewhere.example/", "http://chat.example/", "https://chat.example:8443/"])(
  "a call to %s says its number alone",
  (target) => {
    expect(codec.write({ count: 3, workspaceId }, new URL(target))).toBe("3");
  },
);

test("a redirect away from an own host takes the number along, and not the signature", async () => {
  const there = await startOutside((_, response) => response.end());
  const here = await startOutside((_, response) => response.writeHead(302, { Location: there.url() }).end());
  const safeFetch = outsideFetch({ hops: createHopsCodec({ ...settings, CHAT_URL: here.url("") }) });

  const headers = [["parley-hops", "0"]] as const;
  await safeFetch({ url: here.url(), method: "GET", headers, timeoutMs: 5_000, hops: { count: 2, workspaceId } });

  expect(here.requests[0]?.headers["parley-hops"]).toMatch(new RegExp(`^2 ${workspaceId} [\\w-]{43}$`));
  expect(there.requests[0]?.headers["parley-hops"]).toBe("2");
  for (const server of [here, there]) await server.close();
});

test("without a key, or an address of its own, an instance signs nothing", () => {
  const { ENCRYPTION_KEY, ...withoutKey } = settings;
  expect(createHopsCodec(withoutKey).write({ count: 1, workspaceId }, own)).toBe("1");
  expect(createHopsCodec({ ENCRYPTION_KEY }).write({ count: 1, workspaceId }, own)).toBe("1");
});

test("of a value that is signed by nobody, for another number, workspace or key, only the number counts", () => {
  const signed = codec.write({ count: 3, workspaceId }, own);
  const signature = signed.split(" ")[2] ?? "";
  const other = createHopsCodec({ ...settings, ENCRYPTION_KEY: "o".repeat(32) });
  const forged = [
    "3",
    `3 ${workspaceId} ${"A".repeat(43)}`,
    `3 ${newId()} ${signature}`,
    `03 ${workspaceId} ${signature}`,
    other.write({ count: 3, workspaceId }, own),
  ];

  expect(forged.map((text) => codec.read(headersOf(text)))).toEqual(
    forged.map(() => ({ count: 3, workspaceId: null })),
  );
  expect(codec.read(headersOf(`1 ${workspaceId} ${signature}`))).toEqual({ count: 1, workspaceId: null });
});

test.each(["", "x", "-1", "1.5", "1e9", "9".repeat(10), "3 3", `3 ${"a".repeat(26)}`])(
  "%p is no number of a call",
  (text) => {
    expect(codec.read(headersOf(text))).toEqual(noHops);
  },
);
