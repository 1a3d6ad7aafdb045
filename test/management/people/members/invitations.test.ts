import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { startMailServer } from "../../../support/mail-server.ts";

let api: TestApi;
let owner: TestUser;
let member: TestUser;
let workspaceId: string;
let path: string;
let people = 0;

beforeAll(async () => {
  api = await createTestApi();
  [owner, member] = await Promise.all([api.makeUser(), api.makeUser()]);
});
beforeEach(async () => {
  workspaceId = await api.makeWorkspace(owner, { [member.userId]: "MEMBER" });
  path = `/api/v1/workspaces/${workspaceId}/invitations`;
});
afterAll(() => api.close());

const nextEmail = () => `person-${people++}@example.com`;
const invite = (body: unknown, user = owner) => api.client.post(path, { token: user.token, body });
const accept = (body: unknown, token?: string) => api.client.post("/api/v1/invitations/accept", { token, body });

async function roleOf(userId: string): Promise<unknown> {
  const [row] = await api.deps.sql`
    select role from members where workspace_id = ${workspaceId} and user_id = ${userId}`;
  return row?.["role"];
}

async function countUsers(): Promise<unknown> {
  const [row] = await api.deps.sql`select count(*)::int as count from users`;
  return row?.["count"];
}

describe("POST invitations", () => {
  test("POST invitations creates a code that is valid for a week and is shown once", async () => {
    const email = nextEmail();
    const made = await invite({ email });
    expect(made.body).toMatchObject({ invitation: { email, role: "MEMBER", workspaceId } });
    const days =
      (Date.parse(made.text("invitation.expiresAt")) - Date.parse(made.text("invitation.createdAt"))) / 86_400_000;
    expect(days).toBe(7);
    const listed = await api.client.get(path, { token: owner.token });
    expect(listed.list("invitations").length).toBe(1);
    expect(JSON.stringify(listed.body)).not.toContain(made.text("invitation.code"));
  });

  test("POST invitations replaces the open invitation of the same address", async () => {
    const email = nextEmail();
    const first = await invite({ email, role: "GUEST" });
    const others = await Promise.all([1, 2, 3, 4].map(() => invite({ email: email.toUpperCase(), role: "MEMBER" })));
    expect(others.map((other) => other.at("invitation.id"))).toEqual(Array(4).fill(first.at("invitation.id")));
    const listed = await api.client.get(path, { token: owner.token });
    expect(listed.at("invitations")).toMatchObject([{ id: first.at("invitation.id"), role: "MEMBER" }]);
    const accepted = [];
    for (const made of [first, ...others])
      accepted.push(await accept({ code: made.text("invitation.code"), name: "Ada" }));
    expect(accepted[0]?.at("code")).toBe("invitation.not_found");
    expect(accepted.filter(({ status }) => status === 200).length).toBe(1);
  });

  test("creating, listing and withdrawing invitations is allowed only to ADMINs", async () => {
    const made = await invite({ email: nextEmail() });
    const address = `${path}/${made.text("invitation.id")}`;
    const stranger = await api.makeUser();
    expect((await invite({ email: nextEmail() }, member)).at("code")).toBe("workspace.forbidden");
    expect((await invite({ email: nextEmail() }, stranger)).at("code")).toBe("workspace.not_found");
    expect((await api.client.get(path, { token: member.token })).at("code")).toBe("workspace.forbidden");
    expect((await api.client.delete(address, { token: member.token })).at("code")).toBe("workspace.forbidden");
    expect((await api.client.get(path, { token: owner.token })).list("invitations").length).toBe(1);
  });

  test("POST invitations rejects an invalid address and an invalid role", async () => {
    const answer = await invite({ email: "nobody", role: "OWNER" });
    expect(answer.at("data.issues.*.path")).toEqual(["email", "role"]);
  });
});

describe("GET invitations", () => {
  test("GET invitations lists invitations newest first", async () => {
    const emails = [nextEmail(), nextEmail(), nextEmail()];
    const made: string[] = [];
    for (const email of emails) made.push((await invite({ email })).text("invitation.id"));
    await api.spreadCreation("invitations", made);
    await api.deps.sql`update invitations set expires_at = clock() where email = ${emails[1] ?? ""}`;
    const first = await api.client.get(path, { token: owner.token, query: { limit: 1 } });
    const query = { limit: 1, cursor: first.text("nextCursor") };
    const second = await api.client.get(path, { token: owner.token, query });
    expect([first.at("invitations.0.email"), second.at("invitations.0.email")]).toEqual([emails[2], emails[0]]);
    expect(second.body).not.toHaveProperty("nextCursor");
  });
});

describe("DELETE invitations", () => {
  test("DELETE invitations invalidates the code", async () => {
    const made = await invite({ email: nextEmail() });
    const gone = await api.client.delete(`${path}/${made.text("invitation.id")}`, { token: owner.token });
    expect(gone.at("invitation.id")).toBe(made.at("invitation.id"));
    const answer = await accept({ code: made.text("invitation.code"), name: "x" });
    expect(answer.at("code")).toBe("invitation.not_found");
  });

  test("DELETE invitations rejects an invitation of another workspace", async () => {
    const made = await invite({ email: nextEmail() });
    const other = await api.makeWorkspace(owner);
    const id = made.text("invitation.id");
    for (const address of [`/api/v1/workspaces/${other}/invitations/${id}`, `${path}/${newId()}`, `${path}/nope`]) {
      expect((await api.client.delete(address, { token: owner.token })).at("code")).toBe("invitation.not_found");
    }
    expect((await api.client.delete(`${path}/${id}`, { token: owner.token })).status).toBe(200);
    expect((await api.client.delete(`${path}/${id}`, { token: owner.token })).at("code")).toBe("invitation.not_found");
  });
});

describe("POST /invitations/accept without a token", () => {
  test("POST /invitations/accept without a token creates the user", async () => {
    const email = nextEmail();
    const made = await invite({ email, role: "GUEST" });
    const answer = await accept({ code: made.text("invitation.code"), name: "Ada" });
    expect(answer.body).toMatchObject({
      user: { name: "Ada", email, isAdministrator: false },
      member: { role: "GUEST", workspaceId },
    });
    const me = await api.client.get("/api/v1/users/me", { token: answer.text("apiToken.token") });
    expect(me.at("user.id")).toBe(answer.at("user.id"));
  });

  test("POST /invitations/accept without a token succeeds only once", async () => {
    const made = await invite({ email: nextEmail() });
    const before = Number(await countUsers());
    const body = { code: made.text("invitation.code"), name: "Ada" };
    const answers = await Promise.all([1, 2, 3, 4].map(() => accept(body)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    expect(await countUsers()).toBe(before + 1);
    expect((await accept(body)).at("code")).toBe("invitation.not_found");
  });

  test("POST /invitations/accept without a token is refused for a known user", async () => {
    const victim = await api.makeUser();
    const made = await invite({ email: victim.email.toUpperCase(), role: "ADMIN" });
    const body = { code: made.text("invitation.code"), name: "Me" };
    expect((await accept(body)).at("code")).toBe("token.missing");
    expect(await roleOf(victim.userId)).toBeUndefined();
    expect((await accept(body, victim.token)).at("member.role")).toBe("ADMIN");
  });

  test("POST /invitations/accept without a token rejects an unknown or expired code", async () => {
    const made = await invite({ email: nextEmail() });
    const code = made.text("invitation.code");
    await api.deps.sql`update invitations set expires_at = clock() where workspace_id = ${workspaceId}`;
    const before = await countUsers();
    for (const wrong of [code, "", "nope", code.toLowerCase(), made.text("invitation.id")]) {
      expect((await accept({ code: wrong, name: "x" })).at("code")).toBe("invitation.not_found");
    }
    expect(await countUsers()).toBe(before);
  });

  test("POST /invitations/accept without a token rejects a missing name", async () => {
    const made = await invite({ email: nextEmail() });
    const code = made.text("invitation.code");
    expect((await accept({ code })).at("data.issues")).toEqual([{ path: "name", message: "is required" }]);
    expect((await accept({ code, name: "x" })).status).toBe(200);
  });
});

describe("POST /invitations/accept with a token", () => {
  test("POST /invitations/accept with a token adds the token's user", async () => {
    const user = await api.makeUser();
    const made = await invite({ email: user.email.toUpperCase() });
    const answer = await accept({ code: made.text("invitation.code"), name: "ignored" }, user.token);
    expect(answer.body).toMatchObject({ user: { id: user.userId, name: "Somebody" }, apiToken: null });
    expect(await roleOf(user.userId)).toBe("MEMBER");
  });

  test("POST /invitations/accept with a token refuses another user's invitation", async () => {
    const [invited, other] = [await api.makeUser(), await api.makeUser()];
    for (const email of [invited.email, nextEmail()]) {
      const made = await invite({ email, role: "ADMIN" });
      const answer = await accept({ code: made.text("invitation.code"), name: "x" }, other.token);
      expect(answer).toMatchObject({ status: 403, body: { code: "invitation.other_address" } });
    }
    expect(await roleOf(other.userId)).toBeUndefined();
    const again = await invite({ email: invited.email });
    expect((await accept({ code: again.text("invitation.code"), name: "x" }, invited.token)).status).toBe(200);
  });

  test("POST /invitations/accept with a token can raise a role, but not lower it", async () => {
    const guest = await api.makeUser();
    await api.client.put(`/api/v1/workspaces/${workspaceId}/members/${guest.userId}`, {
      token: owner.token,
      body: { role: "GUEST" },
    });
    const raising = await invite({ email: guest.email, role: "MEMBER" });
    await accept({ code: raising.text("invitation.code"), name: "x" }, guest.token);
    expect(await roleOf(guest.userId)).toBe("MEMBER");
    const lowering = await invite({ email: owner.email, role: "GUEST" });
    await accept({ code: lowering.text("invitation.code"), name: "x" }, owner.token);
    expect(await roleOf(owner.userId)).toBe("ADMIN");
  });

  test("POST /invitations/accept refuses an invalid, read-only or bound token", async () => {
    const user = await api.makeUser();
    const made = await invite({ email: user.email });
    const body = { code: made.text("invitation.code"), name: "x" };
    expect((await accept(body, "nonsense")).at("code")).toBe("token.invalid");
    const reading = await api.makeToken(user.userId, { scope: "read" });
    expect((await accept(body, reading)).at("code")).toBe("token.scope");
    const bound = await api.makeToken(user.userId, { workspaceId: await api.makeWorkspace(user) });
    expect((await accept(body, bound)).at("code")).toBe("token.scope");
    expect((await accept(body, user.token)).status).toBe(200);
  });
});

describe("an instance that sends mails", () => {
  const mailed = async (refusal?: string) => {
    const server = await startMailServer(refusal === undefined ? {} : { replyTo: () => refusal });
    const SMTP_URL = `smtp://bots%40example.com:secret@127.0.0.1:${server.port}`;
    const other = await createTestApi({ config: { SMTP_URL, PUBLIC_URL: "https://bots.example.com/" } });
    return {
      api: other,
      server,
      [Symbol.asyncDispose]: () => Promise.all([other.close(), server.close()]).then(() => {}),
    };
  };

  test("an instance with mails sends the code only to the invited address", async () => {
    await using sending = await mailed();
    const [admin, known] = [await sending.api.makeUser(), await sending.api.makeUser()];
    const members = `/api/v1/workspaces/${await sending.api.makeWorkspace(admin)}/members`;
    for (const email of [known.email, "new@example.com"]) {
      const body = { email, role: "MEMBER" };
      const made = await sending.api.client.put(members, { token: admin.token, body });
      expect(made.body).toMatchObject({ member: null, invitation: { email, role: "MEMBER", code: null } });
    }
    expect(sending.server.mails.map(({ to }) => to)).toEqual([[known.email], ["new@example.com"]]);
    const text = sending.server.mails[1]?.text ?? "";
    expect(text).toContain('invited to "Test workspace" at https://bots.example.com.');
    const code = /^[\w-]{43}$/m.exec(text)?.[0] ?? "";
    const accepted = await sending.api.client.post("/api/v1/invitations/accept", { body: { code, name: "Nina" } });
    expect(accepted.at("user.email")).toBe("new@example.com");
  });

  test("an instance with mails reports a mail server that refuses a mail", async () => {
    await using sending = await mailed("550 no such user in our secret cluster");
    const admin = await sending.api.makeUser();
    const invitations = `/api/v1/workspaces/${await sending.api.makeWorkspace(admin)}/invitations`;
    const made = await sending.api.client.post(invitations, { token: admin.token, body: { email: "x@example.com" } });
    expect(made).toMatchObject({ status: 503, body: { code: "invitation.not_mailed" } });
    expect(JSON.stringify(made.body)).not.toContain("cluster");
  });
});
