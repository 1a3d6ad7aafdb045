import { afterAll, beforeEach, expect, test } from "bun:test";
import type { TokenWanted } from "../../../src/effects/google/access-tokens.ts";
import { createAccessTokens } from "../../../src/effects/google/access-tokens.ts";
import { createGoogleSend } from "../../../src/effects/google/google-origins.ts";
import { ownClient, person, serviceAccount } from "../../fake-providers/google/accounts.ts";
import { createGoogleWorld } from "./google-world.ts";

const world = await createGoogleWorld();
afterAll(world.close);
const { fake, clock, context } = world;

const scope = "https://www.googleapis.com/auth/spreadsheets";
const service: TokenWanted = { account: { kind: "service", ...serviceAccount }, scope };
const send = createGoogleSend({ ...context, timeLeftMs: () => 10_000 });

let tokens = createAccessTokens({ clock });
beforeEach(() => {
  tokens = createAccessTokens({ clock });
});

test("a token is cached until a minute before its expiry", async () => {
  const first = await tokens.get(service, send);
  clock.skip(3_599_000 - 61_000);
  expect(await tokens.get(service, send)).toEqual(first);
  clock.skip(2_000);
  expect(await tokens.get(service, send)).not.toEqual(first);
});

test("concurrent calls share one request for a token", async () => {
  const before = fake.accounts.given();
  const got = await Promise.all(Array.from({ length: 20 }, () => tokens.get(service, send)));
  expect(new Set(got.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(fake.accounts.given() - before).toBe(1);
});

test("a rejected token is replaced", async () => {
  const first = await tokens.get(service, send);
  if (!("token" in first)) throw new Error("No token");
  tokens.refuse(service, first.token);
  const second = await tokens.get(service, send);
  expect(second).not.toEqual(first);
  // Another call that still uses the first token also reports its rejection. The second token stays valid.
  tokens.refuse(service, first.token);
  expect(await tokens.get(service, send)).toEqual(second);
});

test("a caller whose request fails does not affect the next caller", async () => {
  const lost = () => Promise.reject(new Error("The claim was lost"));
  const alone = tokens.get(service, lost);
  const next = tokens.get(service, send);
  await expect(alone).rejects.toThrow("The claim was lost");
  expect(await next).toHaveProperty("token");
});

test("a revoked refresh token is a failure of the credentials", async () => {
  const account = {
    kind: "person",
    refreshToken: "1//an-old-refresh-token",
    client: ownClient,
    account: person.account,
  } as const;
  expect(await tokens.get({ account, scope }, send)).toEqual({
    reason: "credentials",
    status: 400,
    details: "invalid_grant: Token has been expired or revoked.",
  });
});

test("an invalid key is a failure of the credentials, and no request is sent", async () => {
  const before = fake.asked.length;
  const account = { kind: "service", clientEmail: serviceAccount.clientEmail, privateKey: "no key" } as const;
  expect(await tokens.get({ account, scope }, send)).toMatchObject({ reason: "credentials" });
  expect(fake.asked.length).toBe(before);
});

test("a failing token endpoint is not a failure of the credentials", async () => {
  fake.failAt("/token", "503", "cut");
  expect(await tokens.get(service, send)).toMatchObject({ reason: "status", status: 503 });
  expect(await tokens.get(service, send)).toMatchObject({ reason: "unreachable" });
  expect(await tokens.get(service, send)).toHaveProperty("token");
});
