import { afterAll, beforeAll, expect } from "bun:test";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";

let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
beforeAll(async () => {
  host = await openChatHost();
});
afterAll(async () => {
  await host.close();
});

const items = ["Price", "Speed, and calm", "Support"];
const flow = {
  ...flowOf([
    says("What counts most?"),
    {
      id: idOf("rank"),
      type: "ranking input",
      items: items.map((content) => ({ id: idOf(content), content })),
      options: { variableId: idOf("Name") },
    },
    says("{{Name}}"),
    {
      id: idOf("grid"),
      type: "matrix input",
      options: {
        variableId: idOf("Email"),
        rows: [{ title: "Room" }, { title: "Breakfast" }, { title: "Location", isRequired: false }],
        columns: ["Bad", "Fair", "Good"],
      },
    },
    says("{{Email}}"),
  ]),
  settings: { typingEmulation: { enabled: false } },
};

const shots = process.env["PARLEY_SHOTS"];

for (const [name, viewport] of [
  ["wide", { width: 1440, height: 900 }],
  ["narrow", { width: 390, height: 844 }],
] as const) {
  inBrowser(
    `on a ${name} page a ranking can be ordered and a matrix can be filled in by keyboard only`,
    async ({ page, problems }) => {
      const { address } = await host.publish(flow);
      await page.goto(address);
      await page.getByRole("button", { name: "Move Price down" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Price: place 2 of 3").waitFor();
      // The button moved together with its row, and the focus is still on the button.
      await page.keyboard.press("Enter");
      await page.getByText("Price: place 3 of 3").waitFor();
      expect(await page.getByRole("button", { name: "Move Price down" }).getAttribute("aria-disabled")).toBe("true");
      expect(await axeProblems(page)).toEqual([]);
      if (shots) await page.screenshot({ path: `${shots}/rank-${name}.png` });
      await page.getByRole("button", { name: "Send" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Speed, and calm, Support, Price").waitFor();

      const room = page.getByRole("radiogroup", { name: "Room" });
      await room.waitFor();
      await page.getByRole("button", { name: "Send" }).focus();
      await page.keyboard.press("Enter");
      expect(
        await room
          .getByRole("radio")
          .first()
          .evaluate((radio: HTMLInputElement) => radio.validity.valueMissing),
      ).toBe(true);
      await room.getByRole("radio", { name: "Bad" }).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      expect(await axeProblems(page)).toEqual([]);
      if (shots) await page.screenshot({ path: `${shots}/grid-${name}.png` });
      await page.getByRole("button", { name: "Send" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Room: Fair, Breakfast: Bad").waitFor();
      expect(problems).toEqual([]);
    },
    { viewport, reducedMotion: "reduce" },
  );
}

inBrowser(
  "without scripts, each item of a ranking gets a rank",
  async ({ page }) => {
    const { address } = await host.publish(flow);
    await page.goto(address);
    await page.getByLabel("Place of Price").selectOption("2");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Please give each item a different place.").waitFor();
    await page.getByLabel("Place of Price").selectOption("3");
    await page.getByLabel("Place of Support").selectOption("1");
    await page.getByLabel("Place of Speed, and calm").selectOption("2");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Support, Speed, and calm, Price").waitFor();
    await page.getByRole("radiogroup", { name: "Room" }).getByLabel("Good").check();
    await page.getByRole("radiogroup", { name: "Breakfast" }).getByLabel("Fair").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Room: Good, Breakfast: Fair").waitFor();
  },
  { javaScriptEnabled: false },
);

inLongRun("a ranking can be ordered by dragging", async ({ page, problems }) => {
  const { address } = await host.publish(flow);
  await page.goto(address);
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await row("Price").locator(".ranking-place").waitFor();
  const from = await row("Price").locator(".ranking-place").boundingBox();
  const to = await row("Support").boundingBox();
  await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((from?.x ?? 0) + 8, (to?.y ?? 0) + (to?.height ?? 0), { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Speed, and calm, Support, Price").waitFor();
  expect(problems).toEqual([]);
});
