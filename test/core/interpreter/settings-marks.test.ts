import { describe, expect, test } from "bun:test";
import { valueAt } from "../../../src/core/interpreter/flow.ts";
import { SettingsSchema } from "../../../src/core/interpreter/schemas/settings.ts";
import { ThemeSchema } from "../../../src/core/interpreter/schemas/theme.ts";

const { dark, ...light } = ThemeSchema.properties;
const settings = fieldsOf(SettingsSchema.properties);
const theme = fieldsOf(light);
/** All boxes have the same fields as the chat column. */
const boxes = /^chat\.(hostBubbles|guestBubbles|buttons|inputs)\b/;

describe("forms of settings and themes", () => {
  test("rarely used settings are marked as advanced", () => {
    expect(named(settings, "isAdvanced")).toEqual([
      ...["isTypingEmulationEnabled", "isHideQueryParamsEnabled", "isNewResultOnRefreshEnabled", "systemMessages"].map(
        (name) => `general.${name}`,
      ),
      ...["typingEmulation.delayBetweenBubbles", "typingEmulation.isDisabledOnFirstMessage", "publicShare"],
      ...["metadata.customHeadCode", "metadata.tagManagerId", "models"],
      ...["whatsApp", "messenger"].flatMap((name) => [
        name,
        `${name}.isWebhookForwardingEnabled`,
        `${name}.errorAndMarketingStatusWebhookForwardUrl`,
        `${name}.webhookForwardingEventTypes`,
      ]),
    ]);
    expect(named(theme, "isAdvanced").filter((path) => !boxes.test(path))).toEqual([
      "chat.container",
      ...["blur", "opacity", "shadow", "border"].map((name) => `chat.container.${name}`),
      "customCss",
      "brand",
    ]);
    expect(dark["isAdvanced"]).toBe(true);
  });

  test("only the expected fields of settings and themes are shown under a condition", () => {
    expect(named(settings, "shownWhen")).toEqual([
      "general.rememberUser.storage",
      "typingEmulation.speed",
      "typingEmulation.maxDelay",
    ]);
    expect(valueAt(SettingsSchema.properties, "typingEmulation", "properties", "speed", "shownWhen")).toEqual({
      enabled: [true],
    });
    expect(named(theme, "shownWhen").filter((path) => !boxes.test(path))).toEqual([
      ...["header.name", "header.isRestartShown", "header.isSoundShown", "welcome.text"].map(
        (name) => `general.${name}`,
      ),
      ...["color", "backgroundColor", "placement", "thickness", "position"].map(
        (name) => `general.progressBar.${name}`,
      ),
      ...["chat.container.border.customRoundeness", "chat.hostAvatar.url", "chat.guestAvatar.url"],
    ]);
  });
});

test("settings and themes have the expected default values", () => {
  const defaults = Object.fromEntries(
    [...settings, ...theme].flatMap(([path, field]) => {
      const value = valueAt(field, "default");
      const isWord = value === undefined || typeof value === "string" || value === false;
      return isWord || boxes.test(path) ? [] : [[path, value]];
    }),
  );
  expect(defaults).toEqual({
    ...{ "general.isTypingEmulationEnabled": true, "general.isHideQueryParamsEnabled": true },
    ...{ "general.isNewResultOnRefreshEnabled": true, "general.isStartAgainEnabled": true },
    ...{ "typingEmulation.enabled": true, "typingEmulation.speed": 400, "typingEmulation.maxDelay": 3 },
    ...{ "typingEmulation.delayBetweenBubbles": 0, "typingEmulation.isDisabledOnFirstMessage": true },
    ...{ "metadata.allowIndexing": true, "models.session.tokens": 500_000, "models.session.calls": 200 },
    ...{ "whatsApp.sessionExpiryTimeout": 4, "messenger.sessionExpiryTimeout": 4 },
    ...{ "general.progressBar.thickness": 4, "chat.container.blur": 0, "chat.container.opacity": 1 },
    ...{ "chat.container.border.customRoundeness": 6, "chat.container.border.opacity": 1 },
    ...{ "chat.hostAvatar.isEnabled": true },
  });
});

test("only inputs have a shadow by default", () => {
  const shadows = theme.filter(([path]) => path.endsWith(".shadow"));
  const without = shadows.filter(([, field]) => valueAt(field, "default") !== "none").map(([path]) => path);
  expect(shadows.length).toBeGreaterThan(4);
  expect(without).toEqual(["chat.inputs.shadow"]);
});

function fieldsOf(properties: object, path = ""): (readonly [path: string, field: object])[] {
  return Object.entries(properties).flatMap(([name, field]: [string, object]) => {
    const inner = valueAt(field, "properties");
    const own = [`${path}${name}`, field] as const;
    return typeof inner === "object" && inner !== null ? [own, ...fieldsOf(inner, `${own[0]}.`)] : [own];
  });
}

function named(fields: readonly (readonly [path: string, field: object])[], mark: string): string[] {
  return fields.flatMap(([path, field]) => (valueAt(field, mark) ? [path] : []));
}
