import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { TestUser } from "../../support/api.ts";
import type { Answer } from "../../support/client.ts";
import { actAtOnce, createInterleavings, type Interleavings, limitMsOf } from "../../support/interleavings.ts";

let place: Interleavings;
let administrator: TestUser;

beforeEach(async () => {
  place = await createInterleavings();
  administrator = await place.nodes[0].makeUser({ scope: "admin" });
});
afterEach(() => place.close());

const runs = 6;
const roles = ["ADMIN", "MEMBER", "GUEST"] as const;
const verbs = [
  ...["set role", "set role", "remove", "leave", "invite", "accept"],
  ...["deactivate", "hand over", "activate", "delete workspace", "restore workspace", "new workspace"],
] as const;

type Act = {
  readonly verb: (typeof verbs)[number];
  readonly node: number;
  readonly actor: number;
  readonly target: number;
  readonly role: (typeof roles)[number];
};

const act: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom(...verbs),
  node: fc.nat(1),
  actor: fc.nat(3),
  target: fc.nat(3),
  role: fc.constantFrom(...roles),
});

test(
  "a workspace keeps an active ADMIN under concurrent changes",
  async () => {
    const met = new Set<number>();
    const story = fc.tuple(fc.array(act, { minLength: 40, maxLength: 80 }), fc.integer({ min: 2, max: 6 }));
    await place.check(
      story,
      async ([acts, writers]) => {
        const team = await makeTeam();
        const faults: string[] = [];
        const seen: string[] = [];
        await actAtOnce(acts, writers, async (next) => {
          const { status, body } = await perform(team, next);
          met.add(status);
          if (status >= 500) faults.push(`${next.verb}: ${JSON.stringify(body)}`);
          seen.push(...(await withoutAdmin()));
        });

        expect(faults).toEqual([]);
        expect(seen).toEqual([]);
        await settle(team);
      },
      runs,
    );
    expect([...met].toSorted()).toEqual(expect.arrayContaining([200, 409]));
  },
  limitMsOf(runs),
);

test("concurrent deactivations or demotions of both ADMINs leave one ADMIN", async () => {
  const [one] = place.nodes;
  for (let round = 0; round < 12; round++) {
    const { workspaceId, users } = await makeTeam();
    const [first, second] = users;
    if (!first || !second) throw new Error("A team has two ADMINs");
    const demote = (by: TestUser, user: TestUser, node: number) =>
      send(node, by.token, "PUT", `workspaces/${workspaceId}/members/${user.userId}`, { role: "MEMBER" });
    const deactivate = (user: TestUser, node: number) =>
      send(node, administrator.token, "POST", `users/${user.userId}/deactivate`);
    const answers = await Promise.all(
      round % 2 === 0
        ? [deactivate(first, 0), deactivate(second, 1)]
        : [deactivate(first, 0), demote(second, second, 1)],
    );

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await withoutAdmin()).toEqual([]);
    for (const { userId } of users) await one.deps.sql`update users set deactivated_at = null where id = ${userId}`;
  }
});

/** A user whose token changes, because a deactivation revokes it. */
type Person = Omit<TestUser, "token"> & { token: string };

type Team = { readonly workspaceId: string; readonly users: readonly Person[]; readonly codes: string[] };

async function makeTeam(): Promise<Team> {
  const [node] = place.nodes;
  const [owner, admin, member, guest] = [
    await node.makeUser(),
    await node.makeUser(),
    await node.makeUser(),
    await node.makeUser(),
  ];
  const workspaceId = await node.makeWorkspace(owner, {
    [admin.userId]: "ADMIN",
    [member.userId]: "MEMBER",
    [guest.userId]: "GUEST",
  });
  return { workspaceId, users: [owner, admin, member, guest], codes: [] };
}

function perform({ workspaceId, users, codes }: Team, { verb, node, actor, target, role }: Act): Promise<Answer> {
  const by = users[actor] ?? administrator;
  const user: Person = users[target] ?? { ...administrator };
  const other = users[(target + 1) % users.length] ?? administrator;
  const path = `workspaces/${workspaceId}`;
  const call = {
    "set role": () => send(node, by.token, "PUT", `${path}/members/${user.userId}`, { role }),
    remove: () => send(node, by.token, "DELETE", `${path}/members/${user.userId}`),
    leave: () => send(node, by.token, "DELETE", `${path}/members/${by.userId}`),
    invite: async () => {
      const answer = await send(node, by.token, "POST", `${path}/invitations`, { email: user.email, role });
      if (answer.status === 200) codes.push(answer.text("invitation.code"));
      return answer;
    },
    accept: () => send(node, user.token, "POST", "invitations/accept", { code: codes.shift() ?? "none", name: "x" }),
    deactivate: () => send(node, administrator.token, "POST", `users/${user.userId}/deactivate`),
    "hand over": () =>
      send(node, administrator.token, "POST", `users/${user.userId}/deactivate`, { successorId: other.userId }),
    activate: async () => {
      const answer = await send(node, administrator.token, "POST", `users/${user.userId}/activate`);
      user.token = await place.nodes[0].makeToken(user.userId);
      return answer;
    },
    "delete workspace": () => send(node, by.token, "DELETE", path),
    "restore workspace": () => send(node, by.token, "POST", `${path}/restore`),
    "new workspace": () => send(node, user.token, "POST", "workspaces", { name: "Another" }),
  }[verb];
  return call();
}

/** Returns the workspaces, including workspaces in the bin, in which no user can act. */
async function withoutAdmin(): Promise<string[]> {
  const rows = await place.nodes[0].deps.sql<{ id: string }[]>`
    select id
    from workspaces
    where not exists (
      select
      from members
      join users on users.id = members.user_id and users.deactivated_at is null
      where members.workspace_id = workspaces.id
        and members.role = 'ADMIN'
    )`;
  return rows.map(({ id }) => id);
}

async function settle({ workspaceId, users }: Team): Promise<void> {
  const { sql } = place.nodes[0].deps;
  const [found] = await sql<{ userId: string }[]>`
    select user_id from members join users on users.id = user_id and deactivated_at is null
    where workspace_id = ${workspaceId} and role = 'ADMIN' limit 1`;
  const acting = users.find(({ userId }) => userId === found?.userId);
  if (!acting) throw new Error("Nobody can act for the workspace");
  acting.token = await place.nodes[0].makeToken(acting.userId);
  expect((await send(0, acting.token, "POST", `workspaces/${workspaceId}/restore`)).status).toBe(200);
  expect((await send(1, acting.token, "GET", `workspaces/${workspaceId}`)).at("currentUserMode")).toBe("write");
}

function send(node: number, token: string, method: string, path: string, body: object = {}) {
  return place.send(node, method, `/api/v1/${path}`, { token, ...(method === "GET" ? {} : { body }) });
}
