import type { Scope } from "../../../../src/management/access/access.ts";
import type { TestApi, TestUser } from "../../../support/api.ts";
import { ownPage } from "../../../support/sign-ins.ts";

/** Every possible caller, described by their role in the called workspace and bot, and by their token. */
export const callerNames = [
  // Callers without a valid token. The expired and the revoked token belong to the ADMIN.
  ...["no token", "expired token", "revoked token", "deactivated user"],
  // People with a token of scope `write`.
  ...["ADMIN elsewhere", "GUEST", "READ collaborator", "WRITE collaborator", "MEMBER", "ADMIN"],
  // Other tokens of the ADMIN, who is not an administrator of the instance.
  ...["ADMIN, scope read", "ADMIN, scope admin", "ADMIN, bound here", "ADMIN, bound elsewhere"],
  // An administrator of the instance who is not a member.
  ...["administrator", "administrator, scope read", "administrator, scope write", "administrator, bound elsewhere"],
] as const;
export type CallerName = (typeof callerNames)[number];

/**
 * Callers with the cookie of the ADMIN's sign-in, and with headers as a browser sends them. Only the first caller is
 * signed in. All others are anonymous.
 */
export const cookieCallers = {
  "own page": { headers: ownPage },
  "another site": { headers: { ...ownPage, "Sec-Fetch-Site": "cross-site" } },
  "another port or host of the site": { headers: { ...ownPage, "Sec-Fetch-Site": "same-site" } },
  "sandboxed page of the host": { headers: { ...ownPage, "Sec-Fetch-Site": "cross-site", Origin: "null" } },
  "sandboxed page, no fetch metadata": { headers: { "Parley-App": "1", Origin: "null" } },
  "without our header": { headers: { "Sec-Fetch-Site": "same-origin" } },
  "where chats are served": { headers: ownPage, isMain: true },
  "unused for 31 days": { headers: ownPage, isOld: true },
  "signed out": { headers: ownPage, isGone: true },
} as const satisfies Readonly<Record<string, CookieCaller>>;

export type CookieCaller = {
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the call is sent to the main listener. */
  readonly isMain?: true;
  readonly isOld?: true;
  readonly isGone?: true;
};

export type People = Readonly<
  Record<"stranger" | "guest" | "reader" | "writer" | "member" | "admin" | "administrator", TestUser>
>;

/** Creates the people of all test workspaces. They have the same roles in each workspace. */
export async function makePeople(api: TestApi): Promise<People> {
  const [stranger, guest, reader, writer, member, admin] = await Promise.all([
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
    api.makeUser(),
  ]);
  return { stranger, guest, reader, writer, member, admin, administrator: await api.makeUser({ scope: "admin" }) };
}

/** Returns the tokens of all callers except `ADMIN, bound here`, whose token differs for each test workspace. */
export async function tokensFor(
  api: TestApi,
  people: People,
  elsewhereId: string,
): Promise<Readonly<Record<Exclude<CallerName, "ADMIN, bound here">, string | undefined>>> {
  const { stranger, guest, reader, writer, member, admin, administrator } = people;
  const deactivated = await api.makeUser();
  await api.client.post(`/api/v1/users/${deactivated.userId}/deactivate`, { token: administrator.token });
  const ofAdmin = (options: { scope?: Scope; workspaceId?: string; expiresAt?: Date }) =>
    api.makeToken(admin.userId, options);
  const revoked = await ofAdmin({});
  const { list, at } = await api.client.get("/api/v1/users/me/api-tokens?limit=1", { token: revoked });
  await api.client.delete(`/api/v1/users/me/api-tokens/${at("apiTokens.0.id")}`, { token: revoked });
  if (list("apiTokens").length !== 1) throw new Error("There is no token to revoke");
  return {
    "no token": undefined,
    "expired token": await ofAdmin({ expiresAt: new Date(Date.now() - 1_000) }),
    "revoked token": revoked,
    "deactivated user": deactivated.token,
    "ADMIN elsewhere": stranger.token,
    GUEST: guest.token,
    "READ collaborator": reader.token,
    "WRITE collaborator": writer.token,
    MEMBER: member.token,
    ADMIN: admin.token,
    "ADMIN, scope read": await ofAdmin({ scope: "read" }),
    "ADMIN, scope admin": await ofAdmin({ scope: "admin" }),
    "ADMIN, bound elsewhere": await ofAdmin({ workspaceId: elsewhereId }),
    administrator: administrator.token,
    "administrator, scope read": await api.makeToken(administrator.userId, { scope: "read" }),
    "administrator, scope write": await api.makeToken(administrator.userId, { scope: "write" }),
    "administrator, bound elsewhere": await api.makeToken(administrator.userId, {
      scope: "admin",
      workspaceId: elsewhereId,
    }),
  };
}
