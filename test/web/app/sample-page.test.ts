import { afterAll, beforeAll, expect } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf, says } from "../../support/chat.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

inBrowser(
  "the sample page of a theme shows rankings, matrices and signatures",
  async ({ page, context, problems }) => {
    const { botId } = await host.publish(flowOf([says("Your name?"), asks("text input")]));
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${botId}/theme`);
    const frame = page.frameLocator("iframe");
    const shown = page.getByRole("combobox", { name: "Content of the page" });
    await frame.locator("form").waitFor();

    const scripts: string[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response.url());
    });
    await shown.selectOption("Ranking");
    await frame.getByRole("button", { name: "Move The workshop up" }).click();
    await frame.getByText("The workshop: place 1 of 3").waitFor();
    expect(scripts.length).toBeGreaterThan(0);

    await shown.selectOption("Matrix");
    await frame.getByRole("radiogroup", { name: "The garden" }).getByRole("radio", { name: "Very much" }).check();

    await shown.selectOption("Signature");
    await frame.locator("form[data-input-type='signature input'] canvas").waitFor();
    expect(problems).toEqual([]);
  },
  { reducedMotion: "reduce", viewport: { width: 1280, height: 900 } },
);
