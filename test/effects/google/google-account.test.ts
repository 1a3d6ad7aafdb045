import { expect, test } from "bun:test";
import { accountOf } from "../../../src/effects/google/google-account.ts";

const operators = { id: "operators", secret: "theirs" };
const person = { refreshToken: "token", account: "ana@example.com" };

test.each([
  [
    "the account's client has priority over the operator's client",
    { clientId: "own", clientSecret: "ours" },
    { id: "own", secret: "ours" },
  ],
  ["the operator's client is used for credentials without a client", {}, operators],
  ["an incomplete client is ignored", { clientId: "own" }, operators],
])("a personal account is read with its OAuth client: %s", (_, data, client) => {
  expect(accountOf({ ...person, ...data }, operators)).toEqual({ kind: "person", ...person, client });
});

test("a personal account without any OAuth client is invalid", () => {
  expect(accountOf(person, undefined)).toBeUndefined();
});
