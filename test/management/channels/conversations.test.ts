import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eraseContactEverywhere } from "../../../src/management/channels/contact-erasure.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { connectWebhookChannel, putContact, putInbox, putSending } from "../../support/channels.ts";
import { asks, flowOf, publish, start } from "../../support/chat.ts";
import { putEndpoint, testKey } from "../../support/events.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

let threads: Threads;
let api: TestApi;
let admin: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { ENCRYPTION_KEY: testKey } });
  admin = await api.makeUser();
  workspaceId = await api.makeWorkspace(admin);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const asAdmin = (body?: object) => ({ token: admin.token, ...(body && { body }) });

async function makeConversation() {
  const { connectionId } = await connectWebhookChannel({
    ...{ client: api.client, token: admin.token, workspaceId, url: "https://crm.example.com/parley" },
  });
  const contactId = await putContact(api.deps.sql, connectionId, { address: `ada of ${connectionId}` });
  const base = `/api/v1/workspaces/${workspaceId}/channel-connections/${connectionId}`;
  return { connectionId, contactId, base, place: { connectionId, contactId } };
}

/** Starts a chat of the contact, and creates the same state as the connection's holder does. */
async function makeChat({ connectionId, contactId }: { connectionId: string; contactId: string }) {
  const variables = [{ id: "name", name: "contactName" }];
  const bot = await publish(
    api.client,
    { token: admin.token, workspaceId },
    {
      ...flowOf([asks("text input"), asks("number input")]),
      variables,
    },
  );
  const chat = await start(api.client, bot.publicId, { body: { prefilledVariables: { contactName: "Ada" } } });
  const [sessionId, resultId] = [chat.text("sessionId"), chat.text("resultId")];
  await api.client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body: { message: "Two, please" } });
  const { sql } = api.deps;
  await sql`update sessions set channel_contact_id = ${contactId} where id = ${sessionId}`;
  await sql`
    update results
    set channel = 'webhook', contact_id = ${contactId},
      variables = '[{"id": "name", "name": "contactName", "value": "Ada"}]'
    where id = ${resultId}`;
  await sql`
    update channel_contacts
    set session_id = ${sessionId}, result_id = ${resultId}, bot_id = ${bot.botId}, expires_at = clock() + interval '1 hour'
    where id = ${contactId}`;
  const said = { connectionId, contactId, sessionId };
  await putInbox(sql, {
    ...said,
    state: "done",
    content: { kind: "message", content: { kind: "text", text: "Two, please" } },
  });
  await putSending(sql, { ...said, state: "accepted" });
  return { ...bot, sessionId, resultId };
}

describe("the conversations of a connection", () => {
  test("the conversations of a connection are listed with their contacts", async () => {
    const { base, place, contactId } = await makeConversation();
    const { botId, sessionId, resultId } = await makeChat(place);
    await putSending(api.deps.sql, { ...place, state: "pending" });
    await putSending(api.deps.sql, { ...place, state: "failed" });
    const answer = await api.client.get(`${base}/conversations`, asAdmin());

    const expected = {
      contactId,
      kind: "person",
      name: "Ada",
      username: null,
      language: null,
      addressKind: "chat",
      address: `ada of ${place.connectionId}`,
      botId,
      botName: expect.any(String),
      sessionId,
      resultId,
      isRunning: true,
      optedOutAt: null,
      blockedAt: null,
      lastInboundAt: expect.any(String),
      lastOutboundAt: expect.any(String),
      unsentCount: 1,
      failedCount: 1,
    };
    expect(answer.at("conversations")).toEqual([expected]);
    const one = await api.client.get(`${base}/conversations/${contactId}`, asAdmin());
    expect(one.at("conversation")).toEqual(expected);
  });

  test("the conversations of a connection can be filtered", async () => {
    const { base, connectionId, contactId, place } = await makeConversation();
    const { botId } = await makeChat(place);
    const other = await putContact(api.deps.sql, connectionId, { address: "somebody else" });
    await api.deps.sql`update channel_contacts set opted_out_at = clock() where id = ${other}`;
    const found = async (query: Record<string, string | number | boolean>) =>
      (await api.client.get(`${base}/conversations`, { token: admin.token, query })).at("conversations.*.contactId");

    expect(await found({ isRunning: true })).toEqual([contactId]);
    expect(await found({ isRunning: false })).toEqual([other]);
    expect(await found({ isOptedOut: true })).toEqual([other]);
    expect(await found({ botId })).toEqual([contactId]);
    expect(await found({ botId: "no id" })).toEqual([]);
    expect(await found({ address: "somebody else" })).toEqual([other]);
    const first = await api.client.get(`${base}/conversations`, { token: admin.token, query: { limit: 1 } });
    expect(first.at("conversations.*.contactId")).toEqual([other]);
    expect(await found({ limit: 1, cursor: first.text("nextCursor") })).toEqual([contactId]);
  });

  test("a conversation shows its messages as plain text, newest first", async () => {
    const { base, place, contactId } = await makeConversation();
    const { sql } = api.deps;
    const said = { ...place, state: "done" };
    const contents = [
      { kind: "message", content: { kind: "text", text: "Hello" } },
      { kind: "message", content: { kind: "command", command: "start", payload: "tea" } },
      { kind: "tap", token: "a.0", title: "Yes" },
      { kind: "message", content: { kind: "location", latitude: 51.3, longitude: 12.4 } },
      { kind: "message", content: { kind: "card", name: "Grace", phone: "+49" } },
      { kind: "message", content: { kind: "media", media: "image", reference: "secret", caption: "My cat" } },
    ];
    for (const content of contents) await putInbox(sql, { ...said, content });
    const choices = [{ token: "b.0", title: "Red" }];
    const body = { type: "question", text: "Colour?", asks: { kind: "choice", choices } };
    await putSending(sql, { ...place, state: "failed", message: { method: "message", body } });
    await sql`update channel_inbox set content = null where contact_id = ${contactId} and sequence = 0`;
    const listed: unknown[] = [];
    const texts: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.client.get(`${base}/conversations/${contactId}/messages`, {
        token: admin.token,
        query: { limit: 2, ...(cursor !== undefined && { cursor }) },
      });
      listed.push(...page.list("messages"));
      texts.push(...page.list("messages").map((_, index) => page.at(`messages.${index}.text`)));
      const next = page.at("nextCursor");
      cursor = typeof next === "string" ? next : undefined;
    } while (cursor !== undefined);

    expect(texts).toEqual(["Colour?", "My cat", "Grace, +49", "51.3, 12.4", "Yes", "/start tea", null]);
    expect(listed[0]).toMatchObject({
      direction: "out",
      kind: "step",
      choices: ["Red"],
      state: "failed",
      reason: "unreachable 403",
    });
    expect(JSON.stringify(listed)).not.toContain("secret");
  });

  test("ending a conversation ends its chat, and can be repeated", async () => {
    const { base, place, contactId } = await makeConversation();
    const { sessionId } = await makeChat(place);
    const ended = await api.client.post(`${base}/conversations/${contactId}/end`, asAdmin());
    const again = await api.client.post(`${base}/conversations/${contactId}/end`, asAdmin());

    expect(ended.at("conversation")).toMatchObject({ sessionId: null, isRunning: false });
    expect(again.status).toBe(200);
    const [session] = await api.deps.sql`select is_ended from sessions where id = ${sessionId}`;
    expect(session).toEqual({ isEnded: true });
  });

  test("a result links to its conversation only for workspace members", async () => {
    const { connectionId, contactId, base, place } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    await start(api.client, (await publish(api.client, { token: admin.token, workspaceId }, flowOf([]))).publicId);
    const reader = await api.makeUser();
    const { sql } = api.deps;
    await sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${reader.userId}, 'READ')`;
    const results = `/api/v1/bots/${botId}/results`;
    const read = async (token = admin.token) =>
      (await api.client.get(`${results}/${resultId}`, { token })).at("result");

    expect(await read()).toMatchObject({
      channel: "webhook",
      contactId,
      conversation: { workspaceId, connectionId, contactId },
    });
    expect(await read(reader.token)).toMatchObject({ channel: "webhook", contactId });
    expect(await read(reader.token)).not.toHaveProperty("conversation");
    const listed = await api.client.get(`${results}?contactId=${contactId}`, asAdmin());
    expect(listed.at("results.*.id")).toEqual([resultId]);
    expect((await api.client.get(`${results}?contactId=${newId()}`, asAdmin())).at("results")).toEqual([]);
    await sql`update channel_connections set deleted_at = clock() where id = ${connectionId}`;
    expect(await read()).not.toHaveProperty("conversation");
    await sql`update channel_connections set deleted_at = null where id = ${connectionId}`;
    await api.client.delete(`${base}/contacts/${contactId}`, asAdmin());
    expect(await read()).not.toHaveProperty("conversation");
  });

  test("a conversation is not found through another connection", async () => {
    const { contactId } = await makeConversation();
    const { base } = await makeConversation();
    for (const id of [contactId, newId()]) {
      const answers = [
        await api.client.get(`${base}/conversations/${id}`, asAdmin()),
        await api.client.get(`${base}/conversations/${id}/messages`, asAdmin()),
        await api.client.post(`${base}/conversations/${id}/end`, asAdmin()),
        await api.client.post(`${base}/test`, asAdmin({ contactId: id, text: "Hello" })),
        await api.client.delete(`${base}/contacts/${id}`, asAdmin()),
      ];
      expect(answers.map((answer) => answer.at("code"))).toEqual(Array(5).fill("contact.not_found"));
    }
  });
});

describe("a message", () => {
  test("a test message is queued after a waiting message", async () => {
    const { base, place, contactId } = await makeConversation();
    await putSending(api.deps.sql, { ...place, state: "pending" });
    const answer = await api.client.post(`${base}/test`, asAdmin({ contactId, text: "Hello *you*" }));

    const rows = await api.deps.sql`
      select id, source, sequence::integer, state, message -> 'body' as body
      from channel_sendings
      where contact_id = ${contactId}
      order by sequence`;
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(rows[1]).toMatchObject({ id: answer.text("message.id"), source: "test", state: "pending" });
    expect(rows[1]?.["body"]).toEqual({ type: "text", text: "Hello *you*" });
  });

  test.each([
    ["who opted out", "opted_out_at", "contact.opted_out"],
    ["who blocked the bot", "blocked_at", "contact.blocked"],
  ])("a test message to a contact %s is rejected", async (_, column, code) => {
    const { base, contactId } = await makeConversation();
    await api.deps.sql`update channel_contacts set ${api.deps.sql(column)} = clock() where id = ${contactId}`;
    const answer = await api.client.post(`${base}/test`, asAdmin({ contactId, text: "Hello" }));
    expect(answer.at("code")).toBe(code);
  });

  test("a test message of a disabled connection is rejected", async () => {
    const { base, contactId } = await makeConversation();
    await api.client.post(`${base}/disable`, asAdmin());
    const answer = await api.client.post(`${base}/test`, asAdmin({ contactId, text: "Hello" }));
    expect(answer.at("code")).toBe("channel_connection.disabled");
  });

  test("a failed message can be queued again until a later one is sent", async () => {
    const { base, place } = await makeConversation();
    const failed = await putSending(api.deps.sql, { ...place, state: "failed" });
    const stateOf = async () =>
      (await api.deps.sql`select state, attempts from channel_sendings where id = ${failed}`)[0];
    expect((await api.client.post(`${base}/sendings/${failed}/retry`, asAdmin())).status).toBe(200);
    expect(await stateOf()).toEqual({ state: "pending", attempts: 0 });
    expect((await api.client.post(`${base}/sendings/${failed}/retry`, asAdmin())).at("code")).toBe("sending.not_found");

    await api.deps.sql`update channel_sendings set state = 'failed' where id = ${failed}`;
    const later = await putSending(api.deps.sql, { ...place, state: "sending" });
    expect((await api.client.post(`${base}/sendings/${failed}/retry`, asAdmin())).at("code")).toBe("sending.passed");
    await api.deps.sql`update channel_sendings set state = 'delivered' where id = ${later}`;
    expect((await api.client.post(`${base}/sendings/${failed}/retry`, asAdmin())).at("code")).toBe("sending.passed");
    expect((await api.client.post(`${base}/sendings/${failed}/drop`, asAdmin())).status).toBe(200);
    expect(await stateOf()).toMatchObject({ state: "dropped" });
  });
});

describe("a failed message", () => {
  test.each([
    ["to a contact who opted out", "contact.opted_out", "update channel_contacts set opted_out_at = clock()"],
    ["to a contact who blocked the bot", "contact.blocked", "update channel_contacts set blocked_at = clock()"],
    ["with erased content", "sending.not_found", "update channel_sendings set message = null"],
    [
      "before a message in transit",
      "sending.passed",
      "update channel_sendings set state = 'sending' where state = 'pending'",
    ],
  ])("a failed message %s is not sent again, and can be dropped", async (_, code, change) => {
    const { base, place } = await makeConversation();
    const { sql } = api.deps;
    const failed = await putSending(sql, { ...place, state: "failed" });
    await putSending(sql, { ...place, state: "pending" });
    await sql.unsafe(change);
    const retried = await api.client.post(`${base}/sendings/${failed}/retry`, asAdmin());
    const dropped = await api.client.post(`${base}/sendings/${failed}/drop`, asAdmin());

    expect(retried.at("code")).toBe(code);
    expect(dropped.status).toBe(200);
  });
});

describe("erasing a contact", () => {
  test("erasing a contact removes its chat and its message content", async () => {
    const { base, place, connectionId, contactId } = await makeConversation();
    const { botId, resultId, sessionId } = await makeChat(place);
    const { sql } = api.deps;
    await sql`update channel_contacts set opted_out_at = clock() where id = ${contactId}`;
    const { endpointId } = await putEndpoint(sql, { url: "https://hooks.example", workspaceId, eventTypes: [] });
    await sql`
      insert into event_deliveries (id, endpoint_id, type, order_key, content)
      values (new_id(), ${endpointId}, 'message.received', ${contactId}, '{"text": "Two, please"}')`;
    const answer = await api.client.delete(`${base}/contacts/${contactId}`, asAdmin());

    expect(answer.at("erased")).toEqual({ messages: 2, sessions: 1, results: 1 });
    expect(await sql`select from channel_contacts where id = ${contactId}`).toHaveLength(0);
    expect(await sql`select from channel_addresses where connection_id = ${connectionId}`).toHaveLength(0);
    expect(await sql`select from channel_sendings where connection_id = ${connectionId}`).toHaveLength(0);
    expect(await sql`select from event_deliveries where order_key = ${contactId}`).toHaveLength(0);
    expect(await sql`select from sessions where id = ${sessionId}`).toHaveLength(0);
    expect(await sql`select from steps where session_id = ${sessionId}`).toHaveLength(0);
    const came = await sql`select content, contact_id, state from channel_inbox where connection_id = ${connectionId}`;
    expect([...came]).toEqual([{ content: null, contactId: null, state: "done" }]);
    expect(await sql`select from channel_opt_outs where connection_id = ${connectionId}`).toHaveLength(1);
    const result = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, asAdmin());
    expect(JSON.stringify(result.body)).toContain("Two, please");
    expect(JSON.stringify(result.body)).not.toContain("Ada");
    expect((await api.client.delete(`${base}/contacts/${contactId}`, asAdmin())).at("code")).toBe("contact.not_found");
  });

  test("erasing a contact who is no longer opted out removes the stored opt-out", async () => {
    const { connectionId } = await makeConversation();
    const { sql } = api.deps;
    const optOuts = async () => (await sql`select from channel_opt_outs where connection_id = ${connectionId}`).length;
    const eraseOne = async (isOptedOut: boolean) => {
      const contactId = await putContact(sql, connectionId, { address: "comes again" });
      if (isOptedOut) await sql`update channel_contacts set opted_out_at = clock() where id = ${contactId}`;
      await eraseContactEverywhere(api.deps, { workspaceId, connectionId, contactId }, { withResults: false });
    };
    await eraseOne(true);
    expect(await optOuts()).toBe(1);
    await eraseOne(false);

    expect(await optOuts()).toBe(0);
  });

  test("erasing a contact also removes a message that is queued concurrently", async () => {
    const { base, place, contactId } = await makeConversation();
    const { sql } = api.deps;
    const queued = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const queueing = sql.begin(async (statements) => {
      await statements`update channel_contacts set next_sequence = next_sequence + 1 where id = ${contactId}`;
      const { connectionId } = place;
      await statements`
        insert into channel_sendings (shard, id, connection_id, contact_id, sequence, source)
        values (${shardOf(connectionId)}, ${newId(shardOf(connectionId))}, ${connectionId}, ${contactId}, 1, 'step')`;
      queued.resolve();
      await mayEnd.promise;
    });
    await queued.promise;
    const erasing = api.client.delete(`${base}/contacts/${contactId}`, asAdmin());
    await waitFor(async () => {
      const waiting = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from channel_contacts%'`;
      return waiting.length > 0;
    });
    mayEnd.resolve();
    await queueing;

    expect((await erasing).status).toBe(200);
    expect(await sql`select from channel_sendings where contact_id = ${contactId}`).toHaveLength(0);
  });

  test("erasing a contact also erases its results on request", async () => {
    const { base, place, contactId } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    await api.client.delete(`${base}/contacts/${contactId}`, { token: admin.token, query: { results: true } });

    const result = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, asAdmin());
    expect(result.at("code")).toBe("result.not_found");
  });

  test("erasing a contact removes its name from a result in the bin", async () => {
    const { base, place, contactId } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    const results = `/api/v1/bots/${botId}/results`;
    await api.client.delete(`${results}/${resultId}`, asAdmin());
    await api.client.delete(`${base}/contacts/${contactId}`, asAdmin());
    await api.client.post(`${results}/restore`, asAdmin({ resultIds: [resultId] }));

    const restored = await api.client.get(`${results}/${resultId}`, asAdmin());
    expect(restored.at("result.id")).toBe(resultId);
    expect(restored.at("result.contactId")).toBe(null);
    expect(JSON.stringify(restored.body)).not.toContain("Ada");
  });

  test("erasing a contact keeps the results of a moved bot", async () => {
    const { base, place, contactId } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    const otherId = await api.makeWorkspace(admin);
    await api.client.post(`/api/v1/bots/${botId}/move`, asAdmin({ workspaceId: otherId, folderId: null }));
    const shown = await api.client.get(`${base}/conversations/${contactId}`, asAdmin());
    expect(shown.at("conversation.botName")).toBe(null);
    const { client } = api;
    await client.delete(`${base}/contacts/${contactId}`, { token: admin.token, query: { results: true } });

    const result = await client.get(`/api/v1/bots/${botId}/results/${resultId}`, asAdmin());
    expect(result.at("result.id")).toBe(resultId);
  });

  test("erasing a contact keeps results that the caller excluded", async () => {
    const { place, contactId } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    const there = { workspaceId, ...place };
    await eraseContactEverywhere(api.deps, there, { withResults: false, spared: [resultId] });
    expect(await api.deps.sql`select from channel_contacts where id = ${contactId}`).toHaveLength(0);

    const result = await api.client.get(`/api/v1/bots/${botId}/results/${resultId}`, asAdmin());
    expect(JSON.stringify(result.body)).toContain("Ada");
  });

  test("erasing a person erases the person's contact in the workspace", async () => {
    const { place, contactId } = await makeConversation();
    const { botId } = await makeChat(place);
    const stays = await makeConversation();
    const moved = await makeChat(stays.place);
    const otherId = await api.makeWorkspace(admin);
    await api.client.post(`/api/v1/bots/${moved.botId}/move`, asAdmin({ workspaceId: otherId, folderId: null }));
    const erase = (id: string) =>
      api.client.post(`/api/v1/workspaces/${id}/person-erasures`, asAdmin({ variable: "contactName", value: "Ada" }));
    expect((await erase(otherId)).at("personErasure.bots.*.botId")).toEqual([moved.botId]);
    expect(await api.deps.sql`select from channel_contacts where id = ${stays.contactId}`).toHaveLength(1);

    expect((await erase(workspaceId)).at("personErasure.bots.*.botId")).toContain(botId);
    expect(await api.deps.sql`select from channel_contacts where id = ${contactId}`).toHaveLength(0);
  });

  test("erasing a result erases the content of its messages, but not the contact", async () => {
    const { place, connectionId, contactId } = await makeConversation();
    const { botId, resultId } = await makeChat(place);
    const token = admin.token;
    await api.client.delete(`/api/v1/bots/${botId}/results/${resultId}`, { token });
    await api.client.post(`/api/v1/bots/${botId}/results/erase`, { token, body: { resultIds: [resultId] } });

    const { sql } = api.deps;
    const came = await sql`select content from channel_inbox where connection_id = ${connectionId}`;
    const went = await sql`select message, state from channel_sendings where connection_id = ${connectionId}`;
    expect([...came]).toEqual([{ content: null }]);
    expect([...went]).toEqual([{ message: null, state: "accepted" }]);
    expect(await sql`select from channel_contacts where id = ${contactId}`).toHaveLength(1);
  });
});
