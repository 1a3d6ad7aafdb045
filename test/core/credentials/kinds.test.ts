import { describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { readConfig } from "../../../src/config.ts";
import { blocks } from "../../../src/core/blocks/index.ts";
import { credentialsKinds, serverNames } from "../../../src/core/credentials/index.ts";
import { nameOfProvider, providers } from "../../../src/core/credentials/providers.ts";
import { readText } from "../../support/tidy/project.ts";

const kind = (type: string) => {
  const found = credentialsKinds.get(type);
  if (!found) throw new Error(`There are no credentials of type ${type}`);
  return found;
};

test("PROVIDER_URLS accepts the server names of all credential types", () => {
  const urls = serverNames().map((name) => `${name}=http://127.0.0.1:1`);
  expect(readConfig({ PROVIDER_URLS: urls.join(",") }).PROVIDER_URLS).toBe(urls.join(","));
  expect(serverNames()).toEqual(expect.arrayContaining(["google", "stripe", "http-proxy", "dify-ai"]));
  expect(new Set(serverNames()).size).toBe(serverNames().length);
});

test("each model provider is listed in the documentation", () => {
  const page = readText("docs/models.md");

  for (const { type, name } of providers) expect(blocks.get(type)?.editor?.name).toBe(name);
  expect(() => nameOfProvider("nobody")).toThrow("nobody");
  expect(providers.filter(({ type }) => !page.includes(`\`${type}\``))).toEqual([]);
});

test("only the credentials of Dify and ChatNode are marked as billed", () => {
  const billed = [...credentialsKinds.values()].filter(({ service }) => service?.isBilled).map(({ type }) => type);
  expect(billed).toEqual(["dify-ai", "chat-node"]);
});

describe("credential types", () => {
  test.each([...credentialsKinds.values()].map((one) => [one.type, one] as const))(
    "the type %s declares its secrets, its test call, and a title and a description for each field",
    (_, one) => {
      const members = Object.keys(one.schema.properties);
      expect(members).toEqual(expect.arrayContaining([...one.secretMembers, ...(one.addressMembers ?? [])]));
      expect(one.trial ?? one.provider?.trialUrl).toBeDefined();
      for (const field of Object.values(one.schema.properties)) {
        expect([field.title, field.description]).toEqual([expect.any(String), expect.any(String)]);
      }
    },
  );
});

const content = "MIIEvQ".repeat(30);
const pem = `-----BEGIN PRIVATE KEY-----\n${content.match(/.{1,64}/g)?.join("\n")}\n-----END PRIVATE KEY-----\n`;
const file = JSON.stringify({ private_key: pem, client_email: "bots@ours.iam.gserviceaccount.com" });

describe("the private key of a service account", () => {
  test.each([
    ["unchanged", pem],
    ["with escaped line breaks", pem.replaceAll("\n", "\\n")],
    ["without its line breaks", pem.replaceAll("\n", "")],
    ["in Google's JSON file", file],
    ["in Google's JSON file on one line", file.replaceAll("\n", "")],
  ])("the private key of a service account is stored in one form: %s", (_, privateKey) => {
    const clientEmail = "bots@ours.iam.gserviceaccount.com";
    const tidied = kind("google sheets").tidied?.({ clientEmail, privateKey });

    expect(tidied).toEqual({ clientEmail, privateKey: pem });
    expect(Value.Check(kind("google sheets").schema, tidied)).toBe(true);
  });

  test.each([
    "{",
    "{}",
    '{"private_key":5,"client_email":"a@b"}',
    "-----BEGIN PRIVATE KEY----------END PRIVATE KEY-----",
  ])("an invalid private key of a service account stays unchanged, and is refused: %s", (privateKey) => {
    expect(kind("google sheets").tidied?.({ privateKey })).toEqual({ privateKey });
    expect(Value.Check(kind("google sheets").schema, { privateKey })).toBe(false);
  });
});

describe("required fields", () => {
  test.each<[string, object, string | undefined]>([
    ["google sheets", {}, "refreshToken"],
    ["google sheets", { clientEmail: "a@b" }, "privateKey"],
    ["google sheets", { privateKey: pem }, "clientEmail"],
    ["google sheets", { clientEmail: "a@b", privateKey: pem }, undefined],
    ["google sheets", { refreshToken: "1//token" }, undefined],
    ["gmail", {}, "refreshToken"],
    ["gmail", { refreshToken: "1//token", clientId: "ours" }, "clientSecret"],
    ["gmail", { clientSecret: "secret" }, "clientId"],
    ["gmail", { clientId: "ours", clientSecret: "secret" }, undefined],
    ["dify-ai", {}, "apiKey"],
    ["dify-ai", { knowledgeApiKey: "dataset-1" }, undefined],
  ])("the first missing field of %s credentials with %j is %j", (type, data, member) => {
    expect(kind(type).problem?.({ ...data })?.member).toBe(member);
  });
});

test("a secret key and a public key are not accepted in each other's field", () => {
  const { schema } = kind("stripe");
  const data = { livePublicKey: "pk_live_1", liveSecretKey: "sk_live_1" };

  expect(Value.Check(schema, data)).toBe(true);
  expect(Value.Check(schema, { ...data, livePublicKey: "sk_live_1" })).toBe(false);
  expect(Value.Check(schema, { ...data, liveSecretKey: "pk_live_1" })).toBe(false);
});
