import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { AppError } from "../../../src/errors.ts";
import { type Caller, requireBot, requireWorkspace } from "../../../src/management/access/access.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let people: Record<"owner" | "member" | "guest" | "reader" | "writer" | "stranger" | "administrator", TestUser>;
let workspaceId: string;
let botId: string;

beforeAll(async () => {
  api = await createTestApi();
  const [owner, member, guest, reader, writer, stranger] = await Promise.all([
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
  ]);
  people = { owner, member, guest, reader, writer, stranger, administrator: await api.makeUser({ scope: "admin" }) };
});
beforeEach(async () => {
  const { owner, member, guest, reader, writer } = people;
  workspaceId = await api.makeWorkspace(owner, {
    [member.userId]: "MEMBER",
    [guest.userId]: "GUEST",
    [writer.userId]: "GUEST",
  });
  botId = newId();
  await api.deps.sql`
    insert into bots (id, workspace_id, version, name, groups, edges, variables, theme, settings)
    values (${botId}, ${workspaceId}, '6', 'Bot', '[]', '[]', '[]', '{}', '{}')`;
  await api.deps.sql`
    insert into collaborators (bot_id, user_id, type)
    values (${botId}, ${reader.userId}, 'READ'), (${botId}, ${writer.userId}, 'WRITE')`;
});
afterAll(() => api.close());

type Person = keyof typeof people;
const everybody = ["owner", "member", "guest", "reader", "writer", "stranger", "administrator"] as const;

function callerOf(person: Person, changes: Partial<Caller> = {}): Caller {
  const isAdministrator = person === "administrator";
  const { userId } = people[person];
  return {
    userId,
    tokenId: newId(),
    scope: "write",
    workspaceId: undefined,
    isAdministrator,
    expiresAt: undefined,
    place: { take: async () => {}, end() {} },
    ...changes,
  };
}

async function attempt(
  caller: Caller,
  right: "glance" | "read" | "write",
  options: { evenArchived?: boolean; evenDeleted?: boolean } = {},
) {
  try {
    return (await requireBot(api.deps, caller, botId, right, options)).mode;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

async function attempts(right: "glance" | "read" | "write") {
  const answers = await Promise.all(everybody.map(async (person) => [person, await attempt(callerOf(person), right)]));
  return Object.fromEntries(answers);
}

const hidden = "bot.not_found";

describe("a bot that is not shared", () => {
  test("a bot that is not shared can be read by members and collaborators", async () => {
    const expected = {
      owner: "write",
      member: "write",
      guest: hidden,
      reader: "read",
      writer: "write",
      stranger: hidden,
      administrator: "read",
    };
    expect(await attempts("read")).toEqual(expected);
    expect(await attempts("glance")).toEqual(expected);
  });

  test("an unshared bot can be changed only by members and WRITE collaborators", async () => {
    expect(await attempts("write")).toEqual({
      owner: "write",
      member: "write",
      guest: hidden,
      reader: "workspace.forbidden",
      writer: "write",
      stranger: hidden,
      administrator: "workspace.forbidden",
    });
  });
});

describe("a bot that is publicly shared", () => {
  beforeEach(async () => {
    await api.deps.sql`update bots set settings = '{"publicShare":{"isEnabled":true}}' where id = ${botId}`;
  });

  test("a bot that is publicly shared can be viewed by strangers", async () => {
    expect(await attempts("glance")).toMatchObject({
      owner: "write",
      guest: "guest",
      stranger: "guest",
      reader: "read",
    });
    expect(await attempts("read")).toMatchObject({ owner: "write", guest: hidden, stranger: hidden, reader: "read" });
    expect(await attempts("write")).toMatchObject({ guest: hidden, stranger: hidden });
  });

  test.each([
    '{"publicShare":{"isEnabled":false}}',
    '{"publicShare":{"isEnabled":"yes"}}',
    '{"publicShare":null}',
    '{"publicShare":[]}',
  ])("a bot is not publicly shared with the settings %s", async (settings) => {
    await api.deps.sql`update bots set settings = ${settings}::text::json where id = ${botId}`;
    expect(await attempt(callerOf("stranger"), "glance")).toBe(hidden);
  });

  test("a publicly shared bot is hidden from another workspace's token", async () => {
    expect(await attempt(callerOf("stranger", { workspaceId: newId() }), "glance")).toBe(hidden);
  });
});

describe("a slot in the database queue", () => {
  async function placeOf(person: Person, ask: (caller: Caller) => Promise<unknown>): Promise<string> {
    const owners: string[] = [];
    await ask(callerOf(person, { place: { take: async (owner) => void owners.push(owner), end() {} } }));
    expect(owners).toHaveLength(1);
    return owners[0] === workspaceId ? "the workspace's" : owners[0] === people[person].userId ? "their own" : "none";
  }

  test("a slot in the database queue belongs to the member's workspace", async () => {
    const ask = (caller: Caller) => requireWorkspace(api.deps, caller, workspaceId, "see");

    expect(await placeOf("owner", ask)).toBe("the workspace's");
    expect(await placeOf("guest", ask)).toBe("the workspace's");
    expect(await placeOf("administrator", ask)).toBe("their own");
  });

  test("members and collaborators read a bot in a slot of its workspace", async () => {
    await api.deps.sql`update bots set settings = '{"publicShare":{"isEnabled":true}}' where id = ${botId}`;
    const ask = (caller: Caller) => requireBot(api.deps, caller, botId, "glance");

    expect(await placeOf("member", ask)).toBe("the workspace's");
    expect(await placeOf("reader", ask)).toBe("the workspace's");
    expect(await placeOf("stranger", ask)).toBe("their own");
    expect(await placeOf("administrator", ask)).toBe("their own");
  });
});

describe("a bot of a workspace that is suspended or past due", () => {
  test.each(["is_suspended", "is_past_due"])(
    "a bot of a workspace with the flag %s is refused to members and collaborators, and hidden from guests and strangers",
    async (flag) => {
      await api.deps.sql`update workspaces set ${api.deps.sql(flag)} = true where id = ${workspaceId}`;
      await api.deps.sql`update bots set settings = '{"publicShare":{"isEnabled":true}}' where id = ${botId}`;
      const told = "workspace.suspended";
      expect(await attempts("glance")).toEqual({
        owner: told,
        member: told,
        guest: hidden,
        reader: told,
        writer: told,
        stranger: hidden,
        administrator: "read",
      });
    },
  );
});

describe("unavailable bots", () => {
  test("a bot in the bin is found only if its owner requests deleted bots", async () => {
    await api.deps.sql`update bots set is_archived = true, deleted_at = clock() where id = ${botId}`;
    expect(await attempt(callerOf("owner"), "read")).toBe(hidden);
    expect(await attempt(callerOf("owner"), "write", { evenDeleted: true, evenArchived: true })).toBe("write");
    expect(await attempt(callerOf("stranger"), "read", { evenDeleted: true })).toBe(hidden);
    await api.deps.sql`update bots set deleted_at = null where id = ${botId}`;
  });

  test("an archived bot can be read but not written", async () => {
    await api.deps.sql`update bots set is_archived = true where id = ${botId}`;
    expect(await attempt(callerOf("owner"), "read")).toBe("write");
    expect(await attempt(callerOf("owner"), "write")).toBe("bot.archived");
    expect(await attempt(callerOf("stranger"), "write")).toBe(hidden);
  });

  test("a bot of a deleted workspace or outside the token's workspace is not found", async () => {
    expect(await attempt(callerOf("owner", { workspaceId }), "write")).toBe("write");
    expect(await attempt(callerOf("owner", { workspaceId: newId() }), "read")).toBe(hidden);
    await api.deps.sql`update workspaces set deleted_at = clock() where id = ${workspaceId}`;
    expect(await attempt(callerOf("owner"), "read")).toBe(hidden);
    expect(await attempt(callerOf("administrator"), "read", { evenDeleted: true })).toBe(hidden);
  });

  test.each(["", "nope", "__proto__", "\u0000"])(
    "a bot with an id that the service does not generate is not found: %p",
    async (id) => {
      const refused = requireBot(api.deps, callerOf("owner"), id, "read");
      expect(await refused.catch((error) => error)).toMatchObject({ code: hidden });
    },
  );
});
