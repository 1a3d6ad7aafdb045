import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createCallbackTokens } from "../../../src/chat/reads/callback-addresses.ts";
import { packTarget } from "../../../src/chat/reads/callback-facts.ts";
import { limits } from "../../../src/limits/index.ts";
import { createInstanceKey } from "../../../src/management/access/instance-keys.ts";
import { nameConnections } from "../../../src/platform/database/connections.sql.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { createOlderNodes } from "../../../src/platform/database/schema/older-nodes.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { derivedId, idBytes, newId } from "../../../src/platform/ids.ts";
import { createSealedFacts } from "../../../src/platform/sealed-facts.ts";
import { createTestApi } from "../../support/api.ts";
import { startOutside } from "../../support/outside.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { createListeningPlace, type ListeningChat, type ListeningPlace } from "./listening.ts";

let place: ListeningPlace;

beforeAll(async () => {
  place = await createListeningPlace();
});
afterAll(() => place.close());

const codeAt = async (token: string, body: object = {}) =>
  (await place.api.client.post(`/api/v1/callbacks/${token}`, { body })).at("code");
const targetOf = ({ sessionId, resultId }: ListeningChat, blockId = "listen") => ({
  ...{ botId: place.bot.botId, blockId, resultId, sessionId, previewedBy: null },
});

describe("a callback address", () => {
  test("a callback address contains no id of its target", async () => {
    const chat = await place.begin();
    const target = targetOf(chat);
    const { callbackTokens, sql } = place.api.deps;
    const ids = [target.botId, target.resultId, target.sessionId, target.blockId];
    const packed = ids.slice(0, 3).map((id) => Buffer.from(idBytes(id)).toString("latin1"));
    const inside = Buffer.from(chat.token.slice(2), "base64url").toString("latin1");
    const others = [{ botId: newId() }, { resultId: newId() }, { sessionId: newId() }, { blockId: "listens" }];
    const tokens = await Promise.all(others.map((other) => callbackTokens.tokenFor({ ...target, ...other })));

    expect(chat.token).toStartWith("2.");
    for (const id of [...ids, ...packed]) expect(`${chat.url} ${inside}`).not.toContain(id);
    expect(await createCallbackTokens(sql).tokenFor(target)).toBe(chat.token);
    expect(new Set([chat.token, ...tokens]).size).toBe(5);
  });

  test.each([
    ["6 letters", "listen"],
    ["60 letters", "b".repeat(60)],
    ["61 letters", "b".repeat(61)],
    ["3,000 letters", "b".repeat(3_000)],
    ["60 letters of two bytes", "ü".repeat(60)],
    ["140 characters", "🙂 ".repeat(70)],
  ])("a callback address works and has at most 300 characters for a block id of %s", async (_what, blockId) => {
    const bot = await place.makeBot({ blockId });
    const chat = await place.begin({ publicId: bot.publicId });
    const early = await place.begin({ publicId: bot.publicId });
    await place.reply(chat, "1");

    expect(chat.url.length).toBeLessThanOrEqual(300);
    expect(await place.call(early, { order: "B-18" })).toBe(true);
    await place.reply(early, "1");
    expect(await place.call(chat, { order: "A-17" })).toBe(false);
    expect(await place.saidIn(chat)).toEqual([undefined, "Order A-17. Your e-mail?"]);
    await place.waitForNoEarlyCall(early);
    expect(await place.saidIn(early)).toEqual([undefined, "Order B-18. Your e-mail?"]);
  });

  test("a changed or truncated callback address is rejected", async () => {
    const { token } = await place.begin();
    const sealed = token.slice(2);
    const changed = [...sealed].map((letter, at) => `2.${sealed.slice(0, at)}${other(letter)}${sealed.slice(at + 1)}`);
    const cut = Array.from(sealed, (_, length) => `2.${sealed.slice(0, length)}`);
    const extended = [`${token}A`, `${token}AAAA`, `${token}=`, `${token}.`, `${token}.${sealed}`, `2.${token}`];
    const dressed = [`2.A${sealed}`, `1.${sealed}`, `3.${sealed}`, sealed, `2.${sealed.replace(/.$/, "*$&")}`];
    const long = [`2.${"A".repeat(10_000)}`, "A".repeat(10_000), `${"A".repeat(9_950)}.${"A".repeat(43)}`];
    const tokens = [...changed, ...cut, ...extended, ...dressed, ...long, "2.", "2"];
    const codes = await Promise.all(tokens.map(async (wrong) => (await codeAt(wrong)) ?? wrong));

    expect(new Set(codes)).toEqual(new Set(["callback.not_found"]));
    expect(await codeAt(token)).toBeUndefined();
  });

  test("a callback address with another encoding of the same bytes is rejected", async () => {
    const { callbackTokens } = place.api.deps;
    const { token, ...chat } = await place.begin();
    // A token of 93 + 1 bytes has unused bits in its last Base64 character, so different tokens decode to the same
    // bytes.
    const target = targetOf({ token, ...chat }, "listener");
    const odd = await callbackTokens.tokenFor(target);
    const same = odd.slice(0, -1) + next(odd.slice(-1));

    expect(Buffer.from(same.slice(2), "base64url")).toEqual(Buffer.from(odd.slice(2), "base64url"));
    expect(await codeAt(odd)).toBeUndefined();
    expect(await codeAt(same)).toBe("callback.not_found");
  });

  test("a callback address from a newer release is rejected", async () => {
    const seals = createSealedFacts(
      createInstanceKey(place.api.deps.sql, "callback-addresses"),
      "callback-addresses 2",
    );
    const facts = packTarget(targetOf(await place.begin()));
    const tokenWith = async (kind: number) => `2.${await seals.seal(Buffer.concat([Buffer.of(kind), facts.slice(1)]))}`;

    expect(await codeAt(await tokenWith(1))).toBeUndefined();
    expect(await codeAt(await tokenWith(3))).toBe("callback.not_found");
  });

  test("a callback address of another instance is rejected", async () => {
    const elsewhere = await createTestApi();
    const target = targetOf(await place.begin());
    for (const made of [elsewhere.deps.callbackTokens.tokenFor, elsewhere.deps.callbackTokens.formerTokenFor])
      expect(await codeAt(await made(target))).toBe("callback.not_found");
    await elsewhere.close();
  });

  test.each(["moved to the bin", "erased"])("a callback address expires when its result is %s", async (way) => {
    const { botId } = place.bot;
    const chat = await place.begin();
    const options = { token: place.owner.token, body: { resultIds: [chat.resultId] } };
    const deleted = await place.api.client.delete(`/api/v1/bots/${botId}/results`, options);
    if (way !== "moved to the bin") await place.api.client.post(`/api/v1/bots/${botId}/results/erase`, options);

    expect(deleted.status).toBe(200);
    expect(await place.call(chat)).toBe("callback.over");
    expect([...(await place.api.deps.sql`select from due_steps where session_id = ${chat.sessionId}`)]).toEqual([]);
  });
});

describe("a callback address in the previous format", () => {
  test("a callback address in the previous format reaches the waiting chat", async () => {
    const chat = await place.begin();
    const newer = await place.begin({ resultId: chat.resultId });
    await place.reply(chat, "1");
    const former = await place.api.deps.callbackTokens.formerTokenFor(targetOf(chat));

    expect(JSON.parse(Buffer.from(former.split(".")[0] ?? "", "base64url").toString())).toEqual([
      ...[place.bot.botId, "listen", chat.resultId, null],
    ]);
    expect(await codeAt(former, { order: "A-17" })).toBeUndefined();
    expect(await place.saidIn(chat)).toEqual([undefined, "Order A-17. Your e-mail?"]);
    expect(await place.saidIn(newer)).toEqual([]);
  });

  test("callback addresses keep the previous format while an older node is connected", async () => {
    const { api } = place;
    const clock = createVirtualClock();
    Object.assign(api.deps, { olderNodes: createOlderNodes({ sql: api.deps.sql, clock }) });
    const first = migrations.findIndex(({ name }) => name.endsWith("_sealed_callback_addresses")) + 1;
    const endNode = await connectNode(first - 1);
    const beside = await place.begin();
    const endNewer = await connectNode(first);
    await endNode();
    await clock.advance(15_000);
    const alone = await place.begin();
    await endNewer();

    expect(beside.token).toStartWith("WyI");
    expect(alone.token).toStartWith("2.");
    await place.reply(beside, "1");
    expect(await place.call(beside, { order: "A-17" })).toBe(false);
  });
});

describe("a call during the first step of its chat", () => {
  test.each([
    ["no other chat", false],
    ["another chat", true],
  ])(
    "a call during the first step of its chat waits for its own chat if %s of the result is waiting",
    async (_what, isOfResult) => {
      const answers: unknown[] = [];
      const sent: string[] = [];
      let isCalling = false;
      const server = await startOutside(async ({ body, ...request }, response) => {
        if (!isCalling) {
          response.end();
          return;
        }
        sent.push(body, JSON.stringify(request));
        answers.push(await place.call({ path: new URL(JSON.parse(body).Email).pathname }, { order: "A-17" }));
        await waitFor(async () => {
          place.due.wake();
          const rows = await place.api.deps.sql`
          select
          from due_steps
          where attempts > 0 and session_id not in (select id from sessions)`;
          return rows.length > 0;
        });
        response.end();
      });
      const webhook = { url: server.url(), method: "POST" };
      const bot = await place.makeBot({ before: [{ id: "call", type: "Webhook", options: { webhook } }] });
      const waiting = await place.begin({ publicId: bot.publicId });
      await place.reply(waiting, "1");
      isCalling = true;
      const chat = await place.begin({ publicId: bot.publicId, ...(isOfResult && { resultId: waiting.resultId }) });
      await server.close();
      await place.reply(chat, "1");
      await place.waitForNoEarlyCall(chat);

      expect(answers).toEqual([true]);
      for (const id of [chat.sessionId, chat.resultId]) expect(sent.join(" ")).not.toContain(id);
      expect(await place.saidIn(chat)).toEqual([undefined, "Order A-17. Your e-mail?"]);
      expect(await place.saidIn(waiting)).toEqual([undefined]);
    },
  );

  test("a call for an unknown chat is accepted if the session id is new", async () => {
    const { callbackTokens } = place.api.deps;
    const ids = { resultId: newId(), sessionId: newId() };
    const now = await callbackTokens.tokenFor({ ...targetOf(await place.begin()), ...ids });
    const old = derivedId(
      new Date(Date.now() - limits.step.effectsMs - 1_000),
      crypto.getRandomValues(Buffer.alloc(16)),
    );
    const then = await callbackTokens.tokenFor({ ...targetOf(await place.begin()), resultId: newId(), sessionId: old });

    expect(await codeAt(now)).toBeUndefined();
    expect(await codeAt(then)).toBe("callback.over");
  });
});

function other(letter: string): string {
  return letter === "A" ? "B" : "A";
}

function next(letter: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return letters.charAt(letters.indexOf(letter) + 1);
}

async function connectNode(newest: number): Promise<() => Promise<void>> {
  const node = connect(nameConnections(place.api.databaseUrl, 1, newest).url, { connections: 1 });
  await node`select 1`;
  return () => node.end();
}
