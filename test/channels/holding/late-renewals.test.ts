import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { nameAndEmail } from "../../support/chat.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld } from "../channel-world.ts";

let world: ChannelWorld;
/** Lease renewals wait for this gate. */
let gate: Promise<void> | undefined;
let passedAt = 0;
let heldBack = 0;

beforeAll(async () => {
  world = await createChannelWorld({ leaseSql: gated });
});
afterAll(() => world.close());

function gated(sql: Sql): Sql {
  return new Proxy(sql, {
    apply(target, self, given: unknown[]) {
      const isRenewal = String(given[0]).includes("update channel_leases l");
      if (!isRenewal) return Reflect.apply(target, self, given);
      if (gate === undefined) passedAt = performance.now();
      else heldBack++;
      return (gate ?? Promise.resolve()).then(() => Reflect.apply(target, self, given));
    },
  });
}

test("messages of a connection whose lease was renewed too late are processed", async () => {
  const { botId } = await world.makeBot(nameAndEmail);
  const program = await world.connectWebhook([{ botId, isEnabled: true }]);
  await program.write("ana", "Hi");
  await world.settled();
  await waitFor(() => passedAt > 0);
  const { promise, resolve: open } = Promise.withResolvers<void>();
  gate = promise;
  // A lease ends after six seconds in the database, and one second earlier for the node that holds it.
  await waitFor(() => heldBack > 0 && performance.now() - passedAt > 5_100, { withinMs: 10_000 });
  gate = undefined;
  open();
  await program.write("ana", "Ana");
  await world.settled();

  expect(await world.said(program.connectionId, "ana")).toEqual(["Your name? | Hello Ana, and your e-mail?"]);
});
