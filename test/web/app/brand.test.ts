import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { contrast, rgbOf } from "../../../src/core/theme/colors.ts";
import { styleNames } from "../../../src/core/theme/styles.ts";
import { valueAt } from "../../../src/web/app/forms/index.ts";
import {
  followedBrand,
  isBehind,
  withBrand,
  withBrandSeen,
  withoutBrand,
} from "../../../src/web/app/screens/theme/brand-look.ts";
import { styleOf, withMain } from "../../../src/web/app/screens/theme/look.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { waitFor } from "../../support/wait.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const brand = {
  name: "Bakery",
  logo: { light: "https://example.com/logo.svg", dark: "https://example.com/white.svg" },
  colors: [
    { name: "Cream", value: "#fff4e0" },
    { name: "Crust", value: "#ffcc66" },
  ],
  main: "Crust",
  font: { type: "Google" as const, family: "Lora" },
  roundness: 3,
};

describe("a theme of a brand", () => {
  test.each(styleNames)(
    "a theme in the style %s has the values of the brand, belongs to the style, and is readable",
    (style) => {
      const theme = withBrand({ chat: { endMessage: "Bye" }, customCss: "a {}" }, style, brand);

      expect(styleOf(theme)).toBe(style);
      expect(valueAt(theme, ["general", "font"])).toEqual(brand.font);
      expect(valueAt(theme, ["general", "header"])).toEqual({ isEnabled: true, name: "Bakery" });
      expect(valueAt(theme, ["chat", "endMessage"])).toBe("Bye");
      expect(theme["customCss"]).toBe("a {}");
      for (const part of ["hostBubbles", "guestBubbles", "buttons", "inputs"]) {
        expect(valueAt(theme, ["chat", part, "border", "customRoundeness"])).toBe(3);
        for (const base of [[], ["dark"]]) {
          const of = (key: string) => rgbOf(valueAt(theme, [...base, "chat", part, key])) ?? [0, 0, 0];
          expect(contrast(of("color"), of("backgroundColor"))).toBeGreaterThanOrEqual(4.5);
        }
      }
    },
  );

  test("a brand's theme shows the brand's avatar or logo", () => {
    const shown = (style: "clear" | "ink", of: object) =>
      valueAt(withBrand({}, style, of), ["chat", "hostAvatar", "url"]);

    expect([shown("clear", brand), shown("ink", brand)]).toEqual([brand.logo.light, brand.logo.dark]);
    expect(shown("clear", { logo: { dark: "https://example.com/white.svg" } })).toBe("https://example.com/white.svg");
    expect(shown("ink", { ...brand, avatar: "https://example.com/face.png" })).toBe("https://example.com/face.png");
    expect(shown("clear", { name: "Bakery" })).toBeUndefined();
  });

  test("a brand's theme keeps its values for fields the brand leaves unset", () => {
    const theme = {
      general: { font: "Inter", header: { isEnabled: false } },
      chat: { hostAvatar: { isEnabled: false } },
    };
    const made = withBrand(theme, "paper", {});

    expect(valueAt(made, ["general", "font"])).toBe("Inter");
    expect(valueAt(made, ["general", "header"])).toEqual({ isEnabled: false });
    expect(valueAt(made, ["chat", "hostAvatar"])).toEqual({ isEnabled: false });
  });

  test("a theme is outdated when a brand value that it uses changes", () => {
    const theme = withBrand({}, "soft", brand);
    const next = { ...brand, roundness: 20 };

    expect(isBehind(theme, brand)).toBe(false);
    expect(isBehind(theme, { ...brand, tone: "Warm" })).toBe(false);
    expect(isBehind(theme, { ...brand, colors: [...brand.colors, { name: "Red", value: "#ff0000" }] })).toBe(false);
    expect(isBehind(theme, next)).toBe(true);
    expect(isBehind(theme, null)).toBe(false);
    expect(isBehind(withBrandSeen(theme, next), next)).toBe(false);
    expect(withBrandSeen(theme, next)).toEqual({
      ...theme,
      brand: { ...Object(theme["brand"]), of: expect.any(String) },
    });
    expect(isBehind(withBrand(theme, "soft", next), next)).toBe(false);
  });

  test("a theme that is disconnected from its brand no longer follows it", () => {
    const theme = withBrand({}, "bold", brand);

    expect(followedBrand(theme)?.style).toBe("bold");
    expect(followedBrand(withoutBrand(theme))).toBeUndefined();
    expect(isBehind(withoutBrand(withMain(theme, "#0042da")), { name: "Other" })).toBe(false);
    expect(followedBrand({ brand: { follows: "yes" } })).toBeUndefined();
    expect(followedBrand({ brand: { follows: true, style: "grotesque", of: 7 } })).toEqual({ style: "clear", of: "" });
  });
});

const calm = { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } } as const;

inBrowser(
  "a theme adopts a changed brand only after a confirmation",
  async ({ page, context, problems }) => {
    const { api, owner, builder } = host;
    const { token } = owner;
    const workspaceId = await api.makeWorkspace(owner);
    const made = await api.client.post("/api/v1/bots", {
      token,
      body: {
        workspaceId,
        bot: { name: "Orders", ...flowOf([says("Hello"), asks("text input", {}, { id: "name" })]) },
      },
    });
    const botId = made.text("bot.id");
    const at = `/api/v1/workspaces/${workspaceId}/brand`;
    await host.signIn(context);
    await page.goto(`${builder}/bots/${botId}/theme`);
    await page.getByText("This workspace has no brand yet.").waitFor();
    await page.getByRole("link", { name: "Set up the brand" }).click();
    await page.getByRole("heading", { name: "Brand", exact: true }).waitFor();

    await page.getByLabel("Name", { exact: true }).fill("Bakery");
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({
        name: "logo.svg",
        mimeType: "image/svg+xml",
        buffer: Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
        ),
      });
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("input[type=url]")?.value !== "");
    await page.getByRole("button", { name: "Add a colour" }).click();
    await page.getByLabel("Colour name").fill("Crust");
    await page.getByLabel("Colour “Crust”").fill("#ffcc66");
    await page.getByText(/Text on this colour needs more contrast/).waitFor();
    await page.getByRole("radio", { name: "Serif" }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("slider", { name: "Corners" }).fill("4");
    expect(await axeProblems(page)).toEqual([]);
    expect(await layoutProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved").first().waitFor();
    const saved = await api.client.get(at, { token });
    // The value is cloned before the comparison, because `toMatchObject` puts its matchers into the compared value.
    const written = structuredClone(Object(saved.at("brand")));
    expect(saved.at("brand")).toMatchObject({
      name: "Bakery",
      logo: { light: expect.stringMatching(/\.svg$/) },
      colors: [{ name: "Crust", value: "#ffcc66" }],
      main: "Crust",
      font: { type: "Custom", family: expect.stringContaining("ui-serif") },
      roundness: 4,
    });

    await api.client.put(at, { token, body: { brand: { ...written, name: "Bakers" } } });
    await page.goto(`${builder}/bots/${botId}/theme`);
    await page.getByRole("switch", { name: "Follow this workspace’s brand" }).click();
    await page.getByRole("radio", { name: "Soft" }).focus();
    await page.keyboard.press("Space");
    const theme = async () => (await api.client.get(`/api/v1/bots/${botId}`, { token })).at("bot.theme");
    const follows = (style: string, radius: number) => ({
      brand: { style, follows: true, of: expect.any(String) },
      general: { header: { name: "Bakers" } },
      chat: { buttons: { border: { customRoundeness: radius } } },
    });
    await expectSoon(theme, follows("soft", 4));
    expect(await axeProblems(page)).toEqual([]);
    expect(await layoutProblems(page, ".look-form")).toEqual([]);

    await api.client.put(at, {
      token,
      body: { brand: { ...written, name: "Bakers", roundness: 22 } },
    });
    await page.reload();
    await page.getByText("Brand changed").waitFor();
    // A changed brand changes the theme only when the author confirms this.
    expect(await theme()).toMatchObject(follows("soft", 4));
    await page.getByRole("button", { name: "Compare" }).click();
    const dialog = page.getByRole("dialog", { name: "Brand changed" });
    await dialog.getByText("22").first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await axeProblems(page)).toEqual([]);
    // The main action has the first focus.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await expectSoon(theme, follows("soft", 22));
    expect(await page.getByText("Brand changed").count()).toBe(0);
    expect(problems.filter((problem) => !/status of 404/.test(problem))).toEqual([]);
  },
  calm,
);

inBrowser(
  "saving a brand does not overwrite another client's brand",
  async ({ page, context }) => {
    const { api, owner, builder } = host;
    const { token } = owner;
    const workspaceId = await api.makeWorkspace(owner);
    const at = `/api/v1/workspaces/${workspaceId}/brand`;
    await host.signIn(context);
    await page.goto(`${builder}/w/${workspaceId}/settings/brand`);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Mine");
    await api.client.put(at, { token, body: { brand: { name: "Theirs" } } });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Discard my changes and load theirs" }).click();
    await waitFor(async () => (await name.inputValue()) === "Theirs");

    expect((await api.client.get(at, { token })).at("brand")).toEqual({ name: "Theirs" });
  },
  calm,
);

inBrowser(
  "two logos uploaded simultaneously are both saved",
  async ({ page, context }) => {
    const { api, owner, builder } = host;
    const { token } = owner;
    const workspaceId = await api.makeWorkspace(owner);
    const at = `/api/v1/workspaces/${workspaceId}/brand`;
    await host.signIn(context);
    await page.goto(`${builder}/w/${workspaceId}/settings/brand`);
    const name = page.getByLabel("Name", { exact: true });
    await name.waitFor();
    const held = Promise.withResolvers<void>();
    await page.route("**/files?*", async (route) => {
      await held.promise;
      await route.continue();
    });
    for (const [index, file] of ["light", "dark"].entries())
      await page
        .locator(".brand-picture input[type=file]")
        .nth(index)
        .setInputFiles({
          name: `${file}.svg`,
          mimeType: "image/svg+xml",
          buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'),
        });
    await name.fill("Mine");
    held.resolve();
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll<HTMLInputElement>("input[type=url]")].filter(({ value }) => value).length === 2,
    );
    await api.client.patch(`/api/v1/workspaces/${workspaceId}`, { token, body: { name: "Renamed" } });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved").first().waitFor();
    const svg = expect.stringMatching(/\.svg$/);
    expect((await api.client.get(at, { token })).at("brand")).toEqual({
      name: "Mine",
      logo: { light: svg, dark: svg },
    });

    const sections = page.locator(".app-sections");
    await sections.getByRole("link", { name: "Members", exact: true }).click();
    await name.waitFor({ state: "detached" });
    await api.client.put(at, { token, body: { brand: { name: "Theirs" } } });
    await sections.getByRole("link", { name: "Brand", exact: true }).click();
    await waitFor(async () => (await name.inputValue()) === "Theirs");
    await name.fill("Ours");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectSoon(async () => (await api.client.get(at, { token })).at("brand"), { name: "Ours" });
  },
  calm,
);

inBrowser(
  "each font's name is shown in that font",
  async ({ page, context }) => {
    const { api, owner, builder } = host;
    const { token } = owner;
    const workspaceId = await api.makeWorkspace(owner);
    const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "Fonts" } } });
    const botId = made.text("bot.id");
    const theme = async () => (await api.client.get(`/api/v1/bots/${botId}`, { token })).at("bot.theme.general.font");
    const uploaded = await api.client.post(`/api/v1/workspaces/${workspaceId}/files`, {
      token,
      query: { name: 'Own "}face.woff2' },
      rawBody: Uint8Array.from(Buffer.from("wOF2 and more", "latin1")),
      headers: { "Content-Type": "application/octet-stream" },
    });
    await host.signIn(context);
    await page.goto(`${builder}/bots/${botId}/theme`);
    const mono = page.locator(".font-choice-one", { hasText: "Mono" }).locator("span");
    expect(await mono.evaluate((name) => getComputedStyle(name).fontFamily)).toContain("monospace");

    await page.getByRole("radio", { name: /^Own/ }).focus();
    await page.keyboard.press("Space");
    await expectSoon(theme, {
      type: "Custom",
      css: expect.stringContaining(new URL(uploaded.text("workspaceFile.url")).pathname),
    });
    expect(JSON.stringify(await theme())).not.toContain('Own \\"}');
    await page.getByLabel("Another Google font").fill("Lora");
    await page.keyboard.press("Tab");
    await expectSoon(theme, { type: "Google", family: "Lora" });
    expect(await page.getByLabel("Another Google font").inputValue()).toBe("Lora");
    expect(await axeProblems(page)).toEqual([]);

    // Removing the choice is saved immediately, also in a brand.
    await page.getByRole("radio", { name: "Default", exact: true }).check({ force: true });
    await waitFor(async () => (await theme()) === undefined);
    expect(await page.getByLabel("Another Google font").inputValue()).toBe("");
    const at = `/api/v1/workspaces/${workspaceId}/brand`;
    await api.client.put(at, { token, body: { brand: { name: "Bakery", font: { type: "Google", family: "Lora" } } } });
    await page.goto(`${builder}/w/${workspaceId}/settings/brand`);
    await page.getByRole("radio", { name: "Default", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Save" }).click();
    await waitFor(
      async () => JSON.stringify((await api.client.get(at, { token })).at("brand")) === '{"name":"Bakery"}',
    );
  },
  calm,
);

async function expectSoon(read: () => Promise<unknown>, wanted: object): Promise<void> {
  let last: unknown;
  const isThere = async () => {
    last = await read();
    try {
      expect(last).toMatchObject(wanted);
      return true;
    } catch {
      return false;
    }
  };
  await waitFor(isThere, { what: () => `${JSON.stringify(wanted)} instead of ${JSON.stringify(last)}` });
}
