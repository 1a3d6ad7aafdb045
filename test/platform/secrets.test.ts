import { expect, test } from "bun:test";
import { AppError } from "../../src/errors.ts";
import { createSecrets } from "../../src/platform/secrets.ts";

const key = "a key of thirty-two characters, or more";
const secrets = createSecrets({ current: key });

test("another process with the same key can open a sealed text", async () => {
  const sealed = await secrets.seal("whsec_abc", "place");

  expect(await secrets.open(sealed, "place")).toBe("whsec_abc");
  expect(await createSecrets({ current: key }).open(sealed, "place")).toBe("whsec_abc");
});

test("a sealed text does not contain the original text, and differs each time", async () => {
  const once = await secrets.seal("whsec_abc", "place");
  const twice = await secrets.seal("whsec_abc", "place");

  expect(Buffer.from(once).includes("whsec_abc")).toBe(false);
  expect(Buffer.from(once).equals(Buffer.from(twice))).toBe(false);
});

test("a secret opens only unchanged, at its own place and with its own key", async () => {
  const sealed = await secrets.seal("whsec_abc", "place");

  expect(await secrets.open(sealed, "another place")).toBeUndefined();
  expect(await createSecrets({ current: key.toUpperCase() }).open(sealed, "place")).toBeUndefined();
  for (let index = 0; index < sealed.length; index++) {
    const changed = Uint8Array.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(await secrets.open(changed, "place")).toBeUndefined();
  }
  expect(await secrets.open(new Uint8Array(), "place")).toBeUndefined();
});

test("no secret is encrypted or decrypted without a key", async () => {
  const none = createSecrets({ current: undefined });

  const refusal = await none.seal("whsec_abc", "place").catch((error: unknown) => error);

  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code: "secret.no_key", message: expect.stringContaining("ENCRYPTION_KEY") });
  expect(await none.open(await secrets.seal("whsec_abc", "place"), "place")).toBeUndefined();
});

test("a secret sealed with an old key can still be opened", async () => {
  const sealed = await secrets.seal("whsec_abc", "place");
  const rotated = createSecrets({
    current: "another key of thirty-two characters",
    old: ["neither of them, and as long as they", key],
  });

  expect(await rotated.open(sealed, "place")).toBe("whsec_abc");
  expect(await rotated.open(sealed, "another place")).toBeUndefined();
  expect(await secrets.open(await rotated.seal("whsec_abc", "place"), "place")).toBeUndefined();
});
