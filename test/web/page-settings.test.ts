import { expect, test } from "bun:test";
import { SettingsSchema } from "../../src/core/interpreter/schemas/settings.ts";
import { pageSettings } from "../../src/web/conversation/settings.ts";

test("a page without a setting for search engines may be indexed, as documented", () => {
  expect(pageSettings({}).isIndexed).toBe(true);
  expect(SettingsSchema.properties.metadata.properties.allowIndexing.default).toBe(true);
});
