import { afterEach, expect, test } from "bun:test";
import { ConfigError } from "../../../src/config.ts";
import { hashToken } from "../../../src/management/access/tokens.ts";
import { openInstance } from "../../../src/management/instance/instance.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const opened: TestDatabase[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

async function freshDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  opened.push(database);
  return database;
}

const forgetToken = async () => {};
const withoutSetting = { adminToken: undefined, keepToken: forgetToken };
const withSetting = (adminToken: string) => ({ adminToken, keepToken: forgetToken });

async function storedTokens({ sql }: TestDatabase) {
  return await sql<{ hash: Buffer; scope: string; isInstanceToken: boolean; isAdministrator: boolean }[]>`
    select hash, scope, is_instance_token, is_administrator
    from api_tokens
    join users on users.id = user_id`;
}

async function countUsers({ sql }: TestDatabase): Promise<number> {
  const rows = await sql`select id from users`;
  return rows.length;
}

test("the first start creates an administrator and a token", async () => {
  const database = await freshDatabase();
  const kept: string[] = [];
  const keepToken = async (token: string) => {
    expect(await storedTokens(database)).toHaveLength(0);
    kept.push(token);
  };

  const token = await openInstance(database.sql, { adminToken: undefined, keepToken });

  expect(token).toMatch(/^parley_[\w-]{43}$/);
  expect(kept).toEqual([token ?? "none"]);
  expect(await storedTokens(database)).toMatchObject([
    { hash: hashToken(token ?? ""), scope: "admin", isInstanceToken: true, isAdministrator: true },
  ]);
});

test("later starts create neither an administrator nor a token", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withoutSetting);

  expect(await openInstance(database.sql, withoutSetting)).toBeUndefined();

  expect(await storedTokens(database)).toHaveLength(1);
  expect(await countUsers(database)).toBe(1);
});

test("exactly one of eight nodes that start simultaneously creates the token", async () => {
  const database = await freshDatabase();
  const nodes = Array.from({ length: 8 }, () => connect(database.url, { connections: 1 }));

  const tokens = await Promise.all(nodes.map((node) => openInstance(node, withoutSetting)));

  const made = tokens.filter((token) => token !== undefined);
  expect(made).toHaveLength(1);
  expect(await storedTokens(database)).toMatchObject([{ hash: hashToken(made[0] ?? "") }]);
  expect(await countUsers(database)).toBe(1);
  await Promise.all(nodes.map((node) => node.end()));
});

test("no token is created if it cannot be stored, and the next start tries again", async () => {
  const database = await freshDatabase();
  const keepToken = async () => {
    throw new Error("The disk is full.");
  };

  const failed = openInstance(database.sql, { adminToken: undefined, keepToken });

  await expect(failed).rejects.toThrow("The disk is full.");
  expect(await countUsers(database)).toBe(0);
  expect(await openInstance(database.sql, withoutSetting)).toMatch(/^parley_/);
});

test("ADMIN_TOKEN is the administrator's token and is not announced", async () => {
  const database = await freshDatabase();

  const announced = await openInstance(database.sql, withSetting("chosen by the operator"));

  expect(announced).toBeUndefined();
  expect(await storedTokens(database)).toMatchObject([
    { hash: hashToken("chosen by the operator"), scope: "admin", isAdministrator: true },
  ]);
});

test("another ADMIN_TOKEN replaces the previous token", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withoutSetting);

  await openInstance(database.sql, withSetting("chosen by the operator"));
  await openInstance(database.sql, withSetting("chosen once again"));

  expect(await storedTokens(database)).toMatchObject([{ hash: hashToken("chosen once again") }]);
  expect(await countUsers(database)).toBe(1);
});

test("a later start without ADMIN_TOKEN keeps the token", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withSetting("chosen by the operator"));

  expect(await openInstance(database.sql, withoutSetting)).toBeUndefined();

  expect(await storedTokens(database)).toMatchObject([{ hash: hashToken("chosen by the operator") }]);
});

test("a revoked token is not created again by a start without ADMIN_TOKEN", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withoutSetting);
  await database.sql`delete from api_tokens`;

  expect(await openInstance(database.sql, withoutSetting)).toBeUndefined();

  expect(await storedTokens(database)).toHaveLength(0);
});

test("ADMIN_TOKEN is stored as a valid token after every token was deleted", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withoutSetting);
  await database.sql`delete from api_tokens`;

  await openInstance(database.sql, withSetting("chosen by the operator"));

  expect(await storedTokens(database)).toHaveLength(1);
  expect(await countUsers(database)).toBe(1);
});

test("an ADMIN_TOKEN that is a user's API token is rejected", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withoutSetting);
  await database.sql`
    insert into api_tokens (id, user_id, name, hash, scope)
    select gen_random_uuid(), id, 'Another', ${hashToken("somebody's API token")}, 'read'
    from users`;

  const opening = openInstance(database.sql, withSetting("somebody's API token"));

  await expect(opening).rejects.toThrow(ConfigError);
  expect(await storedTokens(database)).toHaveLength(2);
});

test("a changed ADMIN_TOKEN belongs to the same administrator as before", async () => {
  const database = await freshDatabase();
  await openInstance(database.sql, withSetting("the-first-admin-token"));
  await database.sql`
    insert into users (id, name, is_administrator, created_at)
    values (gen_random_uuid(), 'Made after the clock stepped back', true, clock() - interval '1 day')`;

  await openInstance(database.sql, withSetting("the-second-admin-token"));

  const [holder] = await database.sql<{ name: string }[]>`
    select users.name
    from users
    join api_tokens on user_id = users.id
    where is_instance_token`;
  expect(holder?.name).toBe("Administrator");
});
