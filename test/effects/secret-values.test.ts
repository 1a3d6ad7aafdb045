import { expect, test } from "bun:test";
import { secretToken } from "../../src/core/interpreter/language/secret-tokens.ts";
import { fillSecrets } from "../../src/effects/secret-values.ts";

const number = "0".repeat(32);
const token = secretToken(number, "KEY");

test.each([
  ["a carriage return", "one\rX-Other: two"],
  ["a line feed", "one\nX-Other: two"],
])("a secret with %s is not sent in a header, but is sent in a body", async (_, value) => {
  const secrets = { number, find: async () => new Map([["KEY", { value, hosts: null }]]) };
  const request = { url: "https://a.example/", headers: [], body: token };

  const inValue = await fillSecrets({ ...request, headers: [["X-Key", token]] }, secrets);
  const inName = await fillSecrets({ ...request, headers: [[token, "1"]] }, secrets);
  const inBody = await fillSecrets(request, secrets);

  const refusal = "A secret with a line break cannot be sent in a header";
  expect([inValue, inName]).toEqual([{ refusal }, { refusal }]);
  expect(inBody).toMatchObject({ body: value });
});

test("two secrets are hidden if one begins with the other", async () => {
  const values = new Map(["planted-password", "planted-password-of-all"].entries());
  const secrets = {
    number,
    find: async () => new Map([...values].map(([index, value]) => [`KEY${index}`, { value, hosts: null }])),
  };
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const body = order.map((index) => secretToken(number, `KEY${index}`)).join(" ");
    const filled = await fillSecrets({ url: "https://a.example/", headers: [], body }, secrets);
    if ("refusal" in filled) throw new Error(filled.refusal);
    expect(filled.mask("It was planted-password-of-all, and planted-password")).toBe("It was •••, and •••");
  }
});
