import { expect, test } from "bun:test";
import { readConfig } from "../../../src/config.ts";
import { startFakeGoogle } from "../../fake-providers/google/server.ts";
import { fakes } from "../../fake-providers/index.ts";
import { providerUrls } from "../../fake-providers/kit.ts";

test("PROVIDER_URLS accepts the addresses of all fake providers", async () => {
  const started = await Promise.all([...fakes, startFakeGoogle].map((start) => start({ port: 0 })));
  const urls = providerUrls(started);
  await Promise.all(started.map(({ close }) => close()));
  expect(readConfig({ PROVIDER_URLS: urls }).PROVIDER_URLS).toBe(urls);
});
