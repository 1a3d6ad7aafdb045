import { expect, test } from "bun:test";
import { credentialsKinds } from "../../../src/core/credentials/index.ts";
import { createTestApi } from "../../support/api.ts";

test("the catalogue of credential types contains every type", async () => {
  const api = await createTestApi();
  const { token } = await api.makeUser();

  const answer = await api.client.get("/api/v1/credential-types", { token });

  expect(answer.at("credentialTypes.*.type")).toEqual([...credentialsKinds.keys()]);
  const stripe = [...credentialsKinds.keys()].indexOf("stripe");
  expect(answer.at(`credentialTypes.${stripe}`)).toMatchObject({
    ...{ name: "Stripe", page: "payments.md", connects: null, isTestable: true },
    schema: {
      properties: {
        liveSecretKey: { title: "Live secret key", widget: "secret" },
        livePublicKey: { title: "Live publishable key", type: "string" },
      },
    },
  });
  expect(answer.at(`credentialTypes.${stripe}.schema.properties.livePublicKey.widget`)).toBe("suggestion");
  const sheets = [...credentialsKinds.keys()].indexOf("google sheets");
  expect(answer.at(`credentialTypes.${sheets}`)).toMatchObject({
    connects: "google",
    schema: { properties: { refreshToken: { widget: "kept" }, privateKey: { widget: "secret" } } },
  });
  await api.close();
});
