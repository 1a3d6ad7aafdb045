import { afterAll, beforeAll, expect } from "bun:test";
import type { BrowserContext } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf, says } from "../../support/chat.ts";

let host: AppHost;
/** The author's own server, without https. */
let called: Bun.Server<undefined>;
let askedFor: string[] = [];
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
  called = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      askedFor.push(new URL(url).search);
      const headers: Record<string, string> = url.includes("closed") ? {} : { "Access-Control-Allow-Origin": "*" };
      if (url.includes("silent")) return new Promise<Response>(() => {});
      // JSON within JSON, like a reply: 40 kB of quotes become 80 kB.
      if (url.includes("quoted")) return Response.json({ city: '"'.repeat(20_000) }, { headers });
      return Response.json({ city: "x".repeat(url.includes("large") ? 2_000_000 : 3) }, { headers });
    },
  });
});
afterAll(async () => {
  await called.stop(true);
  await host.close();
});

async function openTrial(context: BrowserContext, url: string, { isExecutedOnClient = true } = {}) {
  await host.signIn(context);
  const call = {
    id: "call",
    type: "Webhook",
    options: {
      isExecutedOnClient,
      webhook: { method: "GET", url },
      responseVariableMapping: [{ id: "m", variableId: idOf("Email"), bodyPath: "data.city" }],
    },
  };
  const { botId } = await host.publish(flowOf([call, says("In {{Email}}?")]));
  const page = await context.newPage();
  await page.goto(`${host.builder}/bots/${botId}?at=call`);
  return { page, botId };
}

inBrowser("the trial of a browser request runs in the browser", async ({ context }) => {
  askedFor = [];
  const { page } = await openTrial(context, `${called.url.origin}/city?of={{Name}}`);
  await page.getByRole("tab", { name: "Answer" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Status 200", { exact: true }).waitFor();

  expect(askedFor).toEqual(["?of=Ada"]);
  expect(await page.locator(".trial-answer").textContent()).toContain('"xxx"');
  expect(await page.locator(".trial-pairs").textContent()).toContain("Emailxxx");
  expect(await axeProblems(page)).toEqual([]);
});

inBrowser("a trial in the browser shows why the response is unavailable", async ({ context }) => {
  for (const [path, reason] of [
    ["/large", "The response is larger than 64 kB."],
    ["/quoted", "The response is larger than 64 kB."],
    ["/closed", "does not allow this page to read its response"],
  ] as const) {
    const { page } = await openTrial(context, called.url.origin + path);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText(reason).waitFor();
    expect(await page.getByText(/Status \d/).count()).toBe(0);
    await page.close();
  }
  const { page } = await openTrial(context, `${called.url.origin}/silent`);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.click();
  await stop.waitFor({ state: "detached" });
  expect(await page.locator(".trial-frame").count()).toBe(0);
});

inBrowser("a request switched to the visitor's browser is sent only after a click on Send", async ({ context }) => {
  askedFor = [];
  const { page } = await openTrial(context, `${called.url.origin}/city?of={{Name}}`, { isExecutedOnClient: false });
  const send = page.getByRole("button", { name: "Send", exact: true });
  await page.getByRole("tab", { name: "Answer" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await send.click();
  // The service itself calls no private address.
  await page.locator(".trial-shown", { hasText: "Parley did not send this request" }).waitFor();
  await page.locator("summary", { hasText: /^More$/ }).click();
  await page.getByRole("switch", { name: "Send from the visitor's browser", exact: true }).click();
  await page.locator(".trial-shown").waitFor({ state: "detached" });
  await page.getByLabel("Name", { exact: true }).fill("Bob");
  await send.click();
  await page.getByText("Status 200", { exact: true }).waitFor();

  expect(askedFor).toEqual(["?of=Bob"]);
});

inBrowser("a trial without an address asks for an address", async ({ context }) => {
  const { page } = await openTrial(context, "");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Enter an address first, then try again.").waitFor();
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
});

inBrowser("a preview lists a response of the visitor's browser as a separate step", async ({ context }) => {
  const { page, botId } = await openTrial(context, `http://{{Name}}${called.url.host}/city`);
  await page.goto(`${host.builder}/bots/${botId}/preview`);
  const steps = page.getByRole("region", { name: "What happened" });
  await steps.getByRole("heading", { name: "The visitor’s browser responded" }).waitFor();

  expect(await steps.locator(".is-browser").textContent()).toBe(
    `GET ${called.url.origin}/cityFailedThe page blocks this request from the browser.`,
  );
  expect(await steps.getByText(/You:/).count()).toBe(0);
  expect(await steps.getByText("The page blocked the request of the visitor's browser").count()).toBe(0);
  await page.getByRole("tab", { name: "Log" }).click();
  await steps.getByText("The page blocked the request of the visitor's browser").waitFor();
  expect(await axeProblems(page)).toEqual([]);
});
