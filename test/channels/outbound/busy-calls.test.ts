import { afterAll, beforeAll, expect, test } from "bun:test";
import { outboundDependencies } from "../../../src/channels/outbound/dependencies.ts";
import { callProvider } from "../../../src/effects/channels/call.ts";
import { noHops } from "../../../src/effects/safe-fetch/hops.ts";
import { newId } from "../../../src/platform/ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../../support/outside.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createOutboundWorld, type OutboundWorld } from "./outbound-world.ts";

let world: OutboundWorld;
let silent: OutsideServer;

beforeAll(async () => {
  world = await createOutboundWorld();
  silent = await startOutside(() => {});
});
afterAll(async () => {
  await world.close();
  await silent.close();
});

/** How long a call waits for a free slot. */
const waitMs = 5_000;

/** Allows only one outgoing call at a time. A call of another workspace uses this slot until `free` is called. */
async function fullCalls() {
  const clock = createVirtualClock();
  const safeFetch = outsideFetch({ atOnce: 1, clock, channelServers: new Set([world.telegram.url]) });
  const before = silent.requests.length;
  const controller = new AbortController();
  const held = safeFetch({
    ...{ url: silent.url(), method: "GET", headers: [], timeoutMs: 600_000, signal: controller.signal },
    hops: { ...noHops, workspaceId: newId() },
  }).catch(() => {});
  await waitFor(() => silent.requests.length > before);
  return {
    safeFetch,
    async giveUp() {
      await waitFor(() => clock.timers() > 0);
      await clock.advance(waitMs);
    },
    async free() {
      controller.abort();
      await held;
    },
  };
}

test("a call that waits in vain for a free slot returns `busy`", async () => {
  const { safeFetch, giveUp, free } = await fullCalls();
  const way = { safeFetch, servers: { TELEGRAM_API_URL: world.telegram.url } };
  const before = world.telegram.calls.length;
  const call = { method: "POST", path: "/bot1:a/getMe", headers: [], body: "{}" } as const;
  const called = callProvider(way, { server: "TELEGRAM_API_URL" }, call, { workspaceId: newId(), timeoutMs: 60_000 });
  await giveUp();

  expect(await called).toEqual({ kind: "busy" });
  expect(world.telegram.calls).toHaveLength(before);
  await free();
});

test("a message that found no free slot is sent later", async () => {
  const connectionId = await world.connect("telegram", { inDoubt: "skip" });
  const contact = await world.contact(connectionId, "telegram");
  const { resultId } = await world.begin(contact, flowOf([says("One"), says("Two"), asks("text input")]));
  const { safeFetch, giveUp, free } = await fullCalls();
  const { call } = outboundDependencies({ ...world.api.deps, safeFetch });
  const { held, outbound, drain } = await world.hold(connectionId, { call });
  const running = outbound.run(held);
  await giveUp();

  expect(await running).toBeGreaterThan(0);
  expect(world.telegram.shownTo(contact.address)).toEqual([]);
  expect(await world.sendings(contact)).toMatchObject([
    { state: "pending", attempts: 0, errorClass: "busy" },
    { state: "pending", attempts: 0, errorClass: null },
  ]);

  await free();
  await drain();
  expect(world.telegram.shownTo(contact.address)).toEqual(["One", "Two"]);
  expect(await world.logs(resultId)).toEqual([]);
});
