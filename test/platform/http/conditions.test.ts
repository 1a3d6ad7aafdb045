import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TestUser } from "../../support/api.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { valueAt } from "../../support/client.ts";
import { noteError } from "../../support/contract.ts";
import { createTestNodes, type TestNodes } from "../../support/nodes.ts";

let nodes: TestNodes;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  nodes = await createTestNodes({ config: { RATE_LIMITS: "off" } });
  owner = await nodes.nodes[0].makeUser();
  workspaceId = await nodes.nodes[0].makeWorkspace(owner);
});
afterAll(() => nodes.close());

type Options = { body?: object; headers?: Record<string, string>; node?: number };

async function send(method: string, path: string, { body, headers = {}, node = 0 }: Options = {}) {
  const response = await nodes.nodes[node === 0 ? 0 : 1].handle(
    new Request(`http://localhost/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  if (response.status === 412) noteError(JSON.parse(text).code);
  return {
    status: response.status,
    tag: response.headers.get("etag") ?? "",
    text,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

const ifMatch = (tag: string) => ({ "If-Match": tag });
const makeBot = async () => {
  const bot = { name: "Bot", ...flowOf([says("Hello"), asks("text input")]) };
  const { body } = await send("POST", "bots", { body: { workspaceId, bot } });
  return `bots/${body.bot.id}`;
};
const makeFolder = async () => {
  const { body } = await send("POST", "folders", { body: { workspaceId, folderName: "0" } });
  return `folders/${body.folder.id}`;
};
const makeWorkspace = async () =>
  `workspaces/${(await send("POST", "workspaces", { body: { name: "0" } })).body.workspace.id}`;

const nouns = [
  { noun: "bot", make: makeBot, body: (name: string) => ({ bot: { name } }), place: "bot.name" },
  { noun: "folder", make: makeFolder, body: (name: string) => ({ folder: { name } }), place: "folder.name" },
  { noun: "workspace", make: makeWorkspace, body: (name: string) => ({ name }), place: "workspace.name" },
];

describe.each(nouns)("a $noun", ({ make, body, place }) => {
  const nameOf = (answer: unknown) => String(valueAt(answer, place));

  test("a change creates a new strong ETag", async () => {
    const path = await make();
    const read = await send("GET", path);
    const written = await send("PATCH", path, { body: body("New") });
    const next = await send("GET", path, { node: 1 });

    expect(read.tag).toMatch(/^"[0-9a-z]+-[\w-]{22}"$/);
    expect(written.tag).not.toBe(read.tag);
    expect(next.tag).toBe(written.tag);
  });

  test("a GET with the current ETag returns 304", async () => {
    const path = await make();
    const { tag } = await send("GET", path);
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`, "*"]) {
      const again = await send("GET", path, { headers: { "If-None-Match": known } });
      expect([again.status, again.text, again.tag]).toEqual([304, "", tag]);
    }
    await send("PATCH", path, { body: body("New") });
    expect((await send("GET", path, { headers: { "If-None-Match": tag } })).status).toBe(200);
    expect((await send("HEAD", path, { headers: { "If-None-Match": `"other"` } })).status).toBe(200);
  });

  test("a write with If-Match overwrites only the version that was read", async () => {
    const path = await make();
    const { tag } = await send("GET", path);
    const first = await send("PATCH", path, { body: body("First"), headers: ifMatch(tag) });
    const late = await send("PATCH", path, { body: body("Late"), headers: ifMatch(tag), node: 1 });
    const current = await send("GET", path);

    expect(first.status).toBe(200);
    expect([late.status, late.body.code]).toEqual([412, "precondition.failed"]);
    expect(Date.parse(late.body.data.updatedAt)).toBeGreaterThan(0);
    expect(nameOf(current.body)).toBe("First");
    for (const wrong of [`W/${first.tag}`, '"nonsense"', '""'])
      expect((await send("PATCH", path, { body: body("x"), headers: ifMatch(wrong) })).status).toBe(412);
    for (const right of ["*", ` "other" , ${first.tag}`]) {
      const fresh = await send("GET", path);
      const header = right.replace(first.tag, fresh.tag);
      expect((await send("PATCH", path, { body: body("y"), headers: ifMatch(header) })).status).toBe(200);
    }
  });

  test("a DELETE with If-Match deletes only the version that was read", async () => {
    const path = await make();
    const { tag } = await send("GET", path);
    const { tag: newer } = await send("PATCH", path, { body: body("Newer") });

    expect((await send("DELETE", path, { headers: ifMatch(tag) })).body.code).toBe("precondition.failed");
    expect((await send("GET", path)).status).toBe(200);
    expect((await send("DELETE", path, { headers: ifMatch(newer) })).status).toBe(200);
    expect((await send("GET", path)).status).toBe(404);
  });

  test("no update is lost if eight writers on two nodes each read, modify and write", async () => {
    const path = await make();
    const add = async (word: string, node: number): Promise<void> => {
      for (;;) {
        const read = await send("GET", path, { node });
        const name = `${nameOf(read.body)} ${word}`;
        const written = await send("PATCH", path, { body: body(name), headers: ifMatch(read.tag), node });
        if (written.status === 200) return;
        expect(written.status).toBe(412);
      }
    };
    const words = Array.from({ length: 8 }, (_, index) => `w${index}`);
    await Promise.all(words.map((word, index) => add(word, index % 2)));

    const name = nameOf((await send("GET", path)).body);
    expect(name.split(" ").slice(1).toSorted()).toEqual(words);
  });

  test("an If-Match header without valid ETags is rejected with 400", async () => {
    const path = await make();
    for (const header of ["nonsense", '"open', "", '"a" "b"', "**"]) {
      const answer = await send("PATCH", path, { body: body("x"), headers: ifMatch(header) });
      expect([answer.status, answer.body.code, answer.body.data.issues[0].path]).toEqual([
        400,
        "request.invalid",
        "If-Match",
      ]);
    }
  });
});

describe("a bot", () => {
  test("a bot cannot be published, replaced or restored with an outdated ETag", async () => {
    const path = await makeBot();
    const { tag, body } = await send("GET", path);
    await send("POST", `${path}/publish`, { headers: ifMatch(tag), body: { force: true } });
    const read = await send("GET", path);
    const { tag: now } = await send("PATCH", path, { body: { bot: { icon: "🎈" } } });
    const acts = [
      [`${path}/publish`, { force: true }],
      [`${path}/import`, { bot: body.bot }],
      [`${path}/publications/1/restore`, {}],
    ] as const;
    for (const [act, content] of acts)
      expect((await send("POST", act, { headers: ifMatch(read.tag), body: content })).status).toBe(412);
    expect((await send("GET", `${path}/publications`)).body.publications).toHaveLength(1);
    expect((await send("POST", `${path}/publish`, { headers: ifMatch(now), body: { force: true } })).status).toBe(200);
  });

  test("a change of a bot is checked against both updatedAt and If-Match", async () => {
    const path = await makeBot();
    const { tag, body } = await send("GET", path);
    const { updatedAt } = body.bot;
    const old = new Date(Date.parse(updatedAt) - 1).toISOString();
    const change = (bot: object, header = tag) => send("PATCH", path, { body: { bot }, headers: ifMatch(header) });

    expect((await change({ icon: "1", updatedAt: old })).body.code).toBe("bot.conflict");
    expect((await change({ icon: "2", updatedAt }, '"other"')).body.code).toBe("precondition.failed");
    expect((await change({ icon: "3", updatedAt })).status).toBe(200);
  });

  test("a bot has a different ETag on the Typebot-compatible path", async () => {
    const path = await makeBot();
    const read = await send("GET", path);
    const compatible = await send("GET", path.replace("bots", "typebots"));
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const kept = await send("POST", `${path}/publish`, { headers, body: { force: true } });

    expect(compatible.tag).not.toBe(read.tag);
    expect(kept.status).toBe(200);
    const written = await send("PATCH", path.replace("bots", "typebots"), {
      body: { typebot: { name: "Theirs" } },
      headers: ifMatch((await send("GET", path)).tag),
    });
    expect(written.status).toBe(200);
    expect((await send("GET", path.replace("bots", "typebots"))).tag).toBe(written.tag);
  });
});

test("a GET of a version or a list with its current ETag returns 304", async () => {
  const path = await makeBot();
  await send("POST", `${path}/publish`, { body: { force: true } });
  for (const place of [`${path}/publications/1`, `${path}/publications`, `bots?workspaceId=${workspaceId}`]) {
    const { tag } = await send("GET", place);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect((await send("GET", place, { headers: { "If-None-Match": tag } })).status).toBe(304);
  }
  const before = await send("GET", `${path}/publications/1`);
  await send("POST", `${path}/publish`, { body: { force: true } });
  expect((await send("GET", `${path}/publications/1`, { headers: { "If-None-Match": before.tag } })).status).toBe(200);
});
