import { afterAll, beforeAll, expect, test } from "bun:test";
import { endTurn } from "../../../src/channels/turns/end-turn.sql.ts";
import { endRows, postponeRow, setBlocked, writeDecision } from "../../../src/channels/turns/rows.sql.ts";
import type { Sql } from "../../../src/platform/database/sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { putContact, putInbox } from "../../support/channels.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ChannelWorld, createChannelWorld, programOf } from "../channel-world.ts";

/** The node that takes over the connection. The test can also delay the statements of this node. */
let other: ChannelWorld;
let before: DatabaseProxy;
let sql: Sql;
let bot: { readonly botId: string };
/** The number of seconds by which the clock of the database is ahead. */
let ahead = 0;

beforeAll(async () => {
  other = await createChannelWorld({
    looksByItself: false,
    through: async (url) => {
      before = await openDatabaseProxy(url);
      return before.url;
    },
  });
  ({ sql } = other.database);
  bot = await other.makeBot(flowOf([says("Hello"), asks("text input", { variableId: idOf("Name") }), says("Thanks")]));
});
afterAll(async () => {
  before.thaw();
  await moveClock(sql, 0);
  await other.close();
  await before.close();
});

/** Starts a node that hangs at a statement, from `hangsAt` until `goOn` is called. */
async function holdsAt(connectionId: string, secret: string) {
  let proxy: DatabaseProxy | undefined;
  const world = await createChannelWorld({
    beside: other,
    looksByItself: false,
    through: async (url) => {
      proxy = await openDatabaseProxy(url);
      return proxy.url;
    },
  });
  return {
    here: programOf(world.api, connectionId, secret),
    /** Calls `write`, waits until the node hangs, and moves the database's clock past the node's lease. */
    async hangsAt(statement: RegExp, write: () => Promise<unknown>): Promise<void> {
      const death = proxy?.inject({ kind: "death", when: "before", statement, times: 1 });
      const written = write();
      await waitFor(() => death?.met() === 1);
      await written;
      ahead += 7;
      await moveClock(sql, ahead);
    },
    /** Lets the node finish the statement at which it hung, and closes the node. */
    async goOn(): Promise<void> {
      proxy?.thaw();
      await world.close();
      await proxy?.close();
    },
  };
}

const answered = (connectionId: string) =>
  waitFor(async () => {
    other.holding.wake();
    const waiting = await sql`
      select from channel_inbox where connection_id = ${connectionId} and state = 'waiting'`;
    return waiting.length === 0;
  });

test("a message is answered by another process if its process hangs", async () => {
  const { connectionId, secret } = await other.connectWebhook([{ ...bot, isEnabled: false }]);
  const late = await holdsAt(connectionId, secret);
  const hi = { id: newId(), contact: { id: "ana" }, message: { text: "Hi" } };
  await late.hangsAt(/set state = given.state/, () => late.here.post(hi));
  const at = `/api/v1/workspaces/${other.workspaceId}/channel-connections/${connectionId}`;
  const body = { bots: [{ ...bot, isEnabled: true }] };
  expect((await other.api.client.patch(at, { token: other.owner.token, body })).status).toBe(200);
  const decides = before.inject({ kind: "death", when: "before", statement: /set decision = case/, times: 1 });
  await waitFor(() => {
    other.holding.wake();
    return decides.met() === 1;
  });
  await late.goOn();
  before.thaw();
  await answered(connectionId);

  expect(await other.inbox(connectionId)).toMatchObject([{ state: "done", reason: null, revision: 1 }]);
  expect(await other.said(connectionId, "ana")).toEqual(["Hello"]);
});

test("a process that hung does not undo a later opt-out", async () => {
  const { connectionId, secret } = await other.connectWebhook([{ ...bot, isEnabled: true }], {
    restartWords: ["menu"],
  });
  const late = await holdsAt(connectionId, secret);
  const settled = () =>
    waitFor(async () => {
      const waiting = await sql`
        select from channel_inbox where connection_id = ${connectionId} and state = 'waiting'`;
      return waiting.length === 0;
    });
  for (const text of ["Hi", "stop"]) {
    expect((await late.here.write("ana", text)).status).toBe(200);
    await settled();
  }
  await late.hangsAt(/set opted_out_at = null\s+where/, () => late.here.write("ana", "menu"));
  await answered(connectionId);
  expect((await programOf(other.api, connectionId, secret).write("ana", "stop")).status).toBe(200);
  await answered(connectionId);
  await late.goOn();

  const contacts = await sql`
    select opted_out_at is not null as is_opted_out from channel_contacts where connection_id = ${connectionId}`;
  expect([...contacts]).toEqual([{ isOptedOut: true }]);
});

/** Creates a connection with waiting rows that only the returned holder handles. */
async function heldRows(...decisions: readonly (object | null)[]) {
  const { connectionId } = await other.connectWebhook([]);
  const at = `/api/v1/workspaces/${other.workspaceId}/channel-connections/${connectionId}/disable`;
  expect((await other.api.client.post(at, { token: other.owner.token, body: {} })).status).toBe(200);
  const contactId = await putContact(sql, connectionId);
  const holder = newId();
  await sql`
    insert into channel_leases (connection_id, holder, held_until)
    values (${connectionId}, ${holder}, clock() + interval '6 seconds')
    on conflict (connection_id) do update set holder = excluded.holder, held_until = excluded.held_until`;
  const ids: string[] = [];
  for (const decision of decisions) {
    const id = await putInbox(sql, { connectionId, contactId, state: "waiting", content: {} });
    if (decision) {
      const written = JSON.stringify(decision);
      await sql`update channel_inbox set decision = ${written}::text::json where id = ${id}`;
    }
    ids.push(id);
  }
  const place = { connectionId, channel: "webhook", workspaceId: other.workspaceId, contactId };
  return {
    ...{ ids, place, holder },
    rows: ids.map((id) => ({ id, kind: "message", text: "" })),
    states: async () =>
      (
        await sql<{ state: string; act: string | null }[]>`
          select state, decision ->> 'act' as act from channel_inbox where connection_id = ${connectionId}
          order by sequence`
      ).map(({ state, act }) => (act === null ? state : `${state} ${act}`)),
  };
}

const continues = { act: "continue" };
const starts = { act: "start" };

test("messages keep waiting if another process has decided on one of them", async () => {
  const { rows, place, holder, states } = await heldRows(continues, null);
  const end = { ...place, rows, state: "done", reason: "opted_out", notices: [], optedOut: true } as const;

  expect(await endTurn(sql, { ...end, isUndecided: true, holder })).toBe(false);
  expect(await states()).toEqual(["waiting continue", "waiting"]);
});

test("only the lease holder can end messages without a step", async () => {
  const { rows, place, holder, states } = await heldRows(null, null);
  const end = { ...place, rows, state: "done", reason: "opted_out", notices: [], isUndecided: true } as const;

  expect(await endTurn(sql, { ...end, holder: newId() })).toBe(false);
  expect(await states()).toEqual(["waiting", "waiting"]);
  expect(await endTurn(sql, { ...end, holder })).toBe(true);
  expect(await states()).toEqual(["done", "done"]);
});

test("a message that another process decided on is not combined", async () => {
  const { ids, rows, place, holder, states } = await heldRows(continues, null);
  const [, id = ""] = ids;
  const asked = { decision: JSON.stringify(continues), sessionId: null, merged: rows.slice(0, 1), place, holder };

  expect(await writeDecision(sql, id, { ...asked, replaces: false })).toBeUndefined();
  expect(await states()).toEqual(["waiting continue", "waiting"]);
  expect(await writeDecision(sql, id, { ...asked, merged: [], replaces: false })).toBeDefined();
});

test("only the process that holds the connection's lease can combine messages", async () => {
  const { ids, rows, place, holder, states } = await heldRows(null, null);
  const [, id = ""] = ids;
  const asked = { decision: JSON.stringify(continues), sessionId: null, merged: rows.slice(0, 1), place };

  expect(await writeDecision(sql, id, { ...asked, replaces: false, holder: newId() })).toBeUndefined();
  expect(await states()).toEqual(["waiting", "waiting"]);
  expect(await writeDecision(sql, id, { ...asked, replaces: false, holder })).toBeDefined();
  expect(await states()).toEqual(["merged", "waiting continue"]);
});

test("another process's decision to start a chat is not changed", async () => {
  const first = { ...starts, resultId: newId() };
  const { ids, place, holder } = await heldRows(first, continues);
  const [start = "", reply = ""] = ids;
  const asked = { decision: JSON.stringify(starts), sessionId: null, merged: [], replaces: true, place, holder };

  expect(await writeDecision(sql, start, asked)).toBe(JSON.stringify(first));
  expect(await writeDecision(sql, reply, asked)).toBe(JSON.stringify(starts));
});

test("a surplus message that another process decided on is not dropped", async () => {
  const { ids, states } = await heldRows(continues, null);

  expect(await endRows(sql, ids, { state: "dropped", reason: "flood" })).toBe(1);
  expect(await states()).toEqual(["waiting continue", "dropped"]);
});

test("only the lease holder can mark a contact as blocking the bot", async () => {
  const { place, holder } = await heldRows();
  const isBlocked = async (by: string): Promise<boolean> => {
    await setBlocked(sql, { ...place, holder: by, isBlocked: true });
    const [contact] = await sql<[{ isBlocked: boolean }]>`
      select blocked_at is not null as is_blocked from channel_contacts where id = ${place.contactId}`;
    return contact.isBlocked;
  };

  expect(await isBlocked(newId())).toBe(false);
  expect(await isBlocked(holder)).toBe(true);
});

test("only the process that holds the connection's lease can postpone a message", async () => {
  const { ids, place, holder } = await heldRows(continues);
  const [id = ""] = ids;
  const attemptsAfter = async (by: string): Promise<number> => {
    await postponeRow(sql, id, { seconds: 60, connectionId: place.connectionId, holder: by });
    const [row] = await sql<[{ attempts: number }]>`select attempts from channel_inbox where id = ${id}`;
    return row.attempts;
  };

  expect(await attemptsAfter(newId())).toBe(0);
  expect(await attemptsAfter(holder)).toBe(1);
});
