import { afterAll, beforeAll } from "bun:test";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { browserTests } from "../../support/browser.ts";
import { asks, flowOf } from "../../support/chat.ts";
import { waitFor } from "../../support/wait.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  const text = JSON.stringify({ city: "Lyon", list: Array.from({ length: 30 }, (_, index) => `Line ${index}`) });
  host = await openAppHost({
    config: { ENCRYPTION_KEY: "k".repeat(32) },
    safeFetch: async () => ({ status: 200, text }),
  });
});
afterAll(() => host.close());

inBrowser("a click on a value of a response stores the value in a variable", async ({ page, context }) => {
  await host.signIn(context);
  const webhook = { url: "https://api.example.com/city", method: "GET" };
  const call = { id: "call", type: "Webhook", options: { webhook } };
  const { botId } = await host.publish(flowOf([asks("text input"), call]));
  await page.setViewportSize({ width: 1_440, height: 620 });
  await page.goto(`${host.builder}/bots/${botId}?at=call`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const answer = page.getByRole("region", { name: "Response" });
  await answer.waitFor();
  // The response is also visible in a short window.
  const seen = () => answer.evaluate((element) => element.getBoundingClientRect().top < innerHeight / 2);
  await waitFor(seen, { what: "the answer in sight" });

  await answer.getByRole("button", { name: /^city/ }).click();
  await page.keyboard.type("Town");
  await page.getByRole("option", { name: "Create variable “Town”" }).waitFor();
  await page.keyboard.press("Enter");
  const { token } = host.owner;
  const kept = async () => {
    const { body } = await host.api.client.get(`/api/v1/bots/${botId}`, { token });
    return JSON.stringify(body).includes('"bodyPath":"data.city"');
  };
  await waitFor(kept, { what: "the value in the draft" });
});
