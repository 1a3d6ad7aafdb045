import { expect, test } from "bun:test";
import {
  createHopsCodec,
  type Hops,
  type HopsCodec,
  hopsHeader,
  noHops,
  rootHeader,
  rootOf,
} from "../../../src/effects/safe-fetch/hops.ts";
import { newId } from "../../../src/platform/ids.ts";
import { outsideFetch, startOutside } from "../../support/outside.ts";

const settings = {
  ENCRYPTION_KEY: "k".repeat(32),
  PUBLIC_URL: "https://bots.example",
  CHAT_URL: "https://chat.example/",
};
const codec = createHopsCodec(settings);
const workspaceId = newId();
const root = rootOf({ id: newId(), revision: 0 });
const own = new URL("https://chat.example/api/v1/bots/a/startChat");
const elsewhere = new URL("https://elsewhere.example/");
const third: Hops = { count: 3, workspaceId, root };
/** Returns the decoded headers of a request, except whether its caller is still connected. */
function readOf(headers: Record<string, string>, by: HopsCodec = codec): Hops {
  const { caller: _, ...hops } = by.read(new Request(own, { headers }));
  return hops;
}
const written = (hops: Hops, target: URL, by: HopsCodec = codec) => Object.fromEntries(by.write(hops, target));

test.each([own, new URL("https://bots.example/x")])(
  "a call to %s contains its number, its workspace and its root",
  (target) => {
    expect(readOf(written(third, target))).toEqual(third);
  },
);

test.each(["https://elsewhere.example/", "http://chat.example/", "https://chat.example:8443/"])(
  "a call to %s contains its number and its root, but no workspace",
  (target) => {
    const headers = written(third, new URL(target));
    expect(headers[hopsHeader]).toBe("3");
    expect(readOf(headers)).toEqual({ ...third, workspaceId: null });
  },
);

test("a redirect to another origin drops the workspace's signature", async () => {
  const there = await startOutside((_, response) => response.end());
  const here = await startOutside((_, response) => response.writeHead(302, { Location: there.url() }).end());
  const safeFetch = outsideFetch({ hops: createHopsCodec({ ...settings, CHAT_URL: here.url("") }) });

  const headers = [
    ["parley-hops", "0"],
    ["Parley-Root", "mine"],
  ] as const;
  const hops = { count: 2, workspaceId, root };
  await safeFetch({ url: here.url(), method: "GET", headers, timeoutMs: 5_000, hops });

  expect(here.requests[0]?.headers["parley-hops"]).toMatch(new RegExp(`^2 ${workspaceId} [\\w-]{43}$`));
  expect(there.requests[0]?.headers["parley-hops"]).toBe("2");
  for (const { requests } of [here, there])
    expect(requests[0]?.headers["parley-root"]).toMatch(new RegExp(`^${root} [\\w-]{43}$`));
  for (const server of [here, there]) await server.close();
});

test("an instance without a key signs nothing", () => {
  const { ENCRYPTION_KEY, ...withoutKey } = settings;
  expect(written(third, own, createHopsCodec(withoutKey))).toEqual({ [hopsHeader]: "3" });
  const withoutAddress = createHopsCodec({ ENCRYPTION_KEY });
  expect(readOf(written(third, own, withoutAddress), withoutAddress)).toEqual({ ...third, workspaceId: null });
});

test("only the hop count of a call is trusted without a valid signature", () => {
  const signed = written(third, own)[hopsHeader] ?? "";
  const signature = signed.split(" ")[2] ?? "";
  const other = createHopsCodec({ ...settings, ENCRYPTION_KEY: "o".repeat(32) });
  const forged = [
    "3",
    `3 ${workspaceId} ${"A".repeat(43)}`,
    `3 ${newId()} ${signature}`,
    `03 ${workspaceId} ${signature}`,
    written(third, own, other)[hopsHeader] ?? "",
  ];

  expect(forged.map((text) => readOf({ [hopsHeader]: text }))).toEqual(
    forged.map(() => ({ count: 3, workspaceId: null, root: null })),
  );
  expect(readOf({ [hopsHeader]: `1 ${workspaceId} ${signature}` })).toEqual({
    count: 1,
    workspaceId: null,
    root: null,
  });
});

test("a root id without a valid signature is ignored", () => {
  const signature = written(third, elsewhere)[rootHeader]?.split(" ")[1] ?? "";
  const other = createHopsCodec({ ...settings, ENCRYPTION_KEY: "o".repeat(32) });
  const forged = [
    root,
    `${root} ${"A".repeat(43)}`,
    `${"0".repeat(32)} ${signature}`,
    `${root} ${signature}x`,
    written(third, elsewhere, other)[rootHeader] ?? "",
  ];
  for (const text of forged) expect(readOf({ [hopsHeader]: "3", [rootHeader]: text }).root).toBeNull();
  expect(readOf({ [hopsHeader]: "3", [rootHeader]: `${root} ${signature}` }).root).toBe(root);
});

test("a response is marked only if the call came from the instance", () => {
  const mark = (headers: Record<string, string>, ownAddress?: string) =>
    codec.mark(new Request(own, { headers }), () => ownAddress);

  expect(mark(written(third, elsewhere))).toEqual([[hopsHeader, "3"]]);
  expect(mark({ [hopsHeader]: "3" }, "127.0.0.1")).toEqual([[hopsHeader, "3"]]);
  expect([mark({ [hopsHeader]: "3" }), mark({}, "127.0.0.1"), mark({ [hopsHeader]: "0" }, "127.0.0.1")]).toEqual([
    [],
    [],
    [],
  ]);
});

test.each(["", "x", "-1", "1.5", "1e9", "9".repeat(10), "3 3", `3 ${"a".repeat(26)}`])(
  "%p is not a valid call number",
  (text) => {
    expect(readOf({ [hopsHeader]: text })).toEqual(noHops);
  },
);
