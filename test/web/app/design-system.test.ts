import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApi, type TestApi } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";

let api: TestApi;
let origin: string;
let server: ReturnType<typeof Bun.serve>;
const inBrowser = browserTests();

beforeAll(async () => {
  api = await createTestApi();
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: api.openBuilder().handle });
  origin = server.url.origin;
});
afterAll(async () => {
  await server.stop(true);
  await api.close();
});

test("the builder's document has a strict content policy", async () => {
  const [home, deep] = await Promise.all(["/app", "/app/bots/x?at=y"].map((path) => fetch(origin + path)));
  const html = await home?.text();
  const policy = home?.headers.get("content-security-policy") ?? "";

  expect(await deep?.text()).toBe(html ?? "");
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(policy).not.toContain("nonce");
  expect(home?.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(home?.headers.get("referrer-policy")).toBe("no-referrer");
  expect(home?.headers.get("cache-control")).toBe("no-cache");

  const again = await fetch(`${origin}/app`, { headers: { "If-None-Match": home?.headers.get("etag") ?? "" } });
  expect(again.status).toBe(304);
  const [, script = ""] = /src="(\/assets\/app\/main-[^"]+)"/.exec(html ?? "") ?? [];
  const file = await fetch(origin + script, { headers: { "Accept-Encoding": "br" }, decompress: false });
  expect(file.headers.get("content-encoding")).toBe("br");
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect((await fetch(`${origin}/assets/app/nothing.js`)).status).toBe(404);
});

test("a builder of another release gets this release's language file", async () => {
  const [, main = ""] = /src="(\/assets\/app\/main-[^"]+)"/.exec(await (await fetch(`${origin}/app`)).text()) ?? [];
  const script = await (await fetch(origin + main)).text();
  const [own, other, unknown, part] = await Promise.all(
    [/pt-BR-\w+\.js/.exec(script)?.[0], "pt-BR-0ther000.js", "pl-0ther000.js", "main-0ther000.js"].map((name) =>
      fetch(`${origin}/assets/app/${name}`),
    ),
  );

  expect([own, other, unknown, part].map((response) => response?.status)).toEqual([200, 200, 404, 404]);
  expect(own?.headers.get("cache-control")).toContain("immutable");
  expect(other?.headers.get("cache-control")).toBe("no-store");
  const words = await own?.text();
  expect(words).toContain("Espaço");
  expect(await other?.text()).toBe(words ?? "");
});

for (const colorScheme of ["light", "dark"] as const) {
  inBrowser(
    `axe reports no violation on the design system page in the ${colorScheme} colour scheme`,
    async ({ page, problems, outside }) => {
      await page.goto(`${origin}/app/ui`);
      await page.getByRole("heading", { name: "Design system" }).waitFor();
      expect(await axeProblems(page)).toEqual([]);

      // Only `dir` makes the page right-to-left, in any language.
      await page.evaluate(() => {
        document.documentElement.dir = "rtl";
      });
      const chevron = await page.locator(".app-select > .app-icon").first().boundingBox();
      const select = await page.locator(".app-select > select").first().boundingBox();
      expect((chevron?.x ?? Number.NaN) - (select?.x ?? Number.NaN)).toBeLessThan(16);
      await page.evaluate(() => document.documentElement.removeAttribute("dir"));
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await page.getByRole("button", { name: "Menu", exact: true }).click();
      await page.getByRole("menu").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await axeProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
      expect(outside).toEqual([]);
    },
    { viewport: { width: 1280, height: 900 }, colorScheme, reducedMotion: "reduce" },
  );
}

inBrowser("menus, comboboxes, trees, tabs and dialogs work by keyboard", async ({ page, problems }) => {
  await page.goto(`${origin}/app/ui`);
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  const menu = page.getByRole("button", { name: "Menu", exact: true });

  await menu.focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("End");
  expect(await focused()).toBe("Delete");
  await page.keyboard.press("d");
  expect(await focused()).toContain("Duplicate");
  await page.keyboard.press("Enter");
  await page.getByText("Duplicated").last().waitFor();
  expect(await focused()).toBe("Menu");
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  expect(await page.getByRole("menu").count()).toBe(0);
  expect(await focused()).toBe("Menu");

  const box = page.getByRole("combobox", { name: "Combobox", exact: true });
  await box.fill("an");
  await page.getByRole("option", { name: "Banana" }).waitFor();
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("Banana");
  const making = page.getByRole("combobox", { name: "Combobox that makes new ones" });
  await making.fill("Quince");
  await page.getByRole("option", { name: "Make “Quince”" }).click();
  expect(await making.inputValue()).toBe("Quince");

  await page.getByRole("treeitem", { name: "2026" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect(await focused()).toBe("Spring");
  await page.keyboard.press("ArrowLeft");
  expect(await focused()).toBe("2026");

  await page.getByRole("tab", { name: "First" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByText("The second panel.").waitFor();

  const confirm = page.getByRole("button", { name: "Confirm" });
  await confirm.press("Enter");
  const erase = page.getByRole("button", { name: "Erase" });
  expect(await erase.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("textbox", { name: "Type “Survey” to confirm" }).fill("Survey");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await focused()).toBe("Confirm");
  expect(problems).toEqual([]);
});

inBrowser("a click with Shift selects all table rows from the previously clicked row", async ({ page }) => {
  await page.goto(`${origin}/app/ui`);
  const box = (name: string) => page.getByRole("checkbox", { name: new RegExp(`^Select ${name}`) });
  // The row in the middle is selected at first.
  await box("Survey").click();
  await box("Visitors’ book").click();
  await box("Quiz").click({ modifiers: ["Shift"] });

  expect(await page.locator("tr.is-chosen").count()).toBe(3);
});
