import { expect, test } from "bun:test";
import { credentialsKinds } from "../../../src/core/credentials/index.ts";
import { maskedData } from "../../../src/core/credentials/masked.ts";

test.each([
  ["elevenchars", { isSet: true }],
  ["twelve chars", { isSet: true, ends: "hars" }],
  [undefined, { isSet: false }],
])("the secret %j is shown to readers as %j", (apiKey, hint) => {
  const kind = credentialsKinds.get("groq");
  if (!kind) throw new Error("There are no credentials of this kind");
  expect(maskedData(kind, { apiKey })).toEqual({ apiKey: hint });
});
