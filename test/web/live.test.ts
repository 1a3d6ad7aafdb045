import { afterAll, beforeAll, expect } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, says } from "../support/chat.ts";
import { openLive } from "../support/live-page.ts";
import { createThreads, type Threads } from "../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let server: Bun.Server<undefined>;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => api.handle(request) });
});
afterAll(async () => {
  await server.stop(true);
  await threads.close();
  await api.close();
});

/** Publishes a flow whose bot types without delay, unless the flow sets a delay. */
async function addressOf(flow: object): Promise<string> {
  const settings = { typingEmulation: { enabled: false } };
  const { publicId } = await publish(api.client, { token: owner.token, workspaceId }, { settings, ...flow });
  return `${server.url.origin}/${publicId}`;
}

const button = {
  id: "choose",
  type: "choice input",
  items: [
    { id: "i1", content: "Yes" },
    { id: "i2", content: "No" },
  ],
};

inBrowser(
  "a conversation works by keyboard only, without a reload of the page",
  async ({ page, outside, problems }) => {
    const address = await addressOf(
      flowOf([
        says("Shall we?"),
        button,
        says("Your name?"),
        asks("text input", { variableId: idOf("Name") }),
        says("Hello {{Name}}"),
      ]),
    );
    await page.goto(address);
    await page.waitForSelector("body.is-live");

    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Your name?" }).waitFor();
    await page.keyboard.type("Ana");
    await page.keyboard.press("Enter");
    await page.getByText("Hello Ana").waitFor();

    expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Yes", "Ana"]);
    expect(new URL(page.url()).search).toBe("");
    expect(outside).toEqual([]);
    expect(problems).toEqual([]);
  },
);

inLongRun("a reload continues the chat at its current position, with the same session", async ({ page }) => {
  await page.goto(await addressOf(nameAndEmail));
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.locator("[type=email]").waitFor();

  await page.reload();
  await page.locator("[type=email]").fill("ANA@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "ANA@example.com"]);
});

inLongRun("an answer whose response was lost by a reload is neither lost nor repeated", async ({ page, context }) => {
  const address = await addressOf(nameAndEmail);
  await page.goto(address);
  await page.waitForSelector("body.is-live");
  const arrived = Promise.withResolvers<void>();
  await context.route("**/continueChat", async (route) => {
    await route.fetch();
    arrived.resolve();
  });
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await arrived.promise;
  await context.unroute("**/continueChat");

  await page.reload();
  await page.locator("[type=email]").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana"]);
});

inBrowser("a remembered visitor continues in another visit, and can restart", async ({ page, context }) => {
  const settings = { general: { rememberUser: { isEnabled: true, storage: "local" } } };
  const address = await addressOf({ ...flowOf([asks("text input"), says("Good bye")]), settings });
  await page.goto(address);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("Good bye").waitFor();

  const later = await context.newPage();
  await later.goto(address);
  await later.getByText("Good bye").waitFor();
  expect(await later.getByText("This chat has ended.").count()).toBe(1);
  await later.getByRole("link", { name: "Start again" }).click();

  await later.getByRole("textbox").waitFor();
  expect(await later.locator(".typebot-guest-bubble").count()).toBe(0);
});

inLongRun("a new visit is a new chat if visitors are not remembered", async ({ page, context }) => {
  const address = await addressOf(nameAndEmail);
  await page.goto(address);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.locator("[type=email]").waitFor();

  const later = await context.newPage();
  await later.goto(address);
  await later.waitForSelector("body.is-live");

  expect(await later.locator(".typebot-guest-bubble").count()).toBe(0);
});

inLongRun("an offline answer is shown, and sent once when the connection returns", async ({ page, context }) => {
  const keys: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/continueChat")) keys.push(request.headers()["idempotency-key"]);
  });
  await page.goto(await addressOf(nameAndEmail));
  await page.waitForSelector("body.is-live");
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByText("You are offline.").waitFor();
  expect(await page.locator(".typebot-guest-bubble").textContent()).toContain("Ana");

  await context.setOffline(false);
  await page.locator("[type=email]").waitFor();

  expect(await page.getByText("You are offline.").count()).toBe(0);
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys).size).toBe(1);
});

inBrowser("a refused answer returns to its field, with the reason next to the field", async ({ page }) => {
  await openLive(page, await addressOf(flowOf([says("Mail?"), asks("email input")])));
  const field = page.getByRole("textbox", { name: "Mail?" });
  await field.fill("ana@nowhere");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();

  expect(await page.getByRole("alert").textContent()).toBe(
    "This email doesn't seem to be valid. Can you type it again?",
  );
  expect(await field.inputValue()).toBe("ana@nowhere");
  expect(await field.getAttribute("aria-describedby")).toBe(await page.getByRole("alert").getAttribute("id"));
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
});

inBrowser("a form posted before the script loaded continues in the same chat", async ({ page, context }) => {
  const held: (() => void)[] = [];
  await context.route("**/assets/chat/page-*.js", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(await addressOf(nameAndEmail), { waitUntil: "commit" });
  await page.getByRole("textbox").fill("Ana");
  await page.keyboard.press("Enter");
  await page.locator("[type=email]").waitFor();
  for (const go of held) go();
  await context.unroute("**/assets/chat/page-*.js");
  await page.reload();
  await page.waitForSelector("body.is-live");
  await page.locator("[type=email]").fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();

  expect(await page.locator(".typebot-guest-bubble").allTextContents()).toEqual(["Ana", "ana@example.com"]);
});

inBrowser("an author's code runs under the page's policy", async ({ page, problems }) => {
  const script = "document.title = {{Name}} + '!'; document.body.dataset.ran = 'yes';";
  const address = await addressOf({
    ...flowOf([
      { id: "code", type: "Code", options: { content: script } },
      {
        id: "sv",
        type: "Set variable",
        options: { variableId: idOf("Email"), expressionToEvaluate: "1 + 1", isExecutedOnClient: true },
      },
      says("It is {{Email}}"),
      asks("text input"),
    ]),
    settings: { metadata: { customHeadCode: "<script>document.documentElement.dataset.head = 'yes'</script>" } },
  });

  await page.goto(`${address}?Name=Ana`);
  await page.getByText("It is 2").waitFor();

  expect(await page.title()).toBe("Ana!");
  expect(await page.evaluate(() => [document.documentElement.dataset["head"], document.body.dataset["ran"]])).toEqual([
    "yes",
    "yes",
  ]);
  expect(problems).toEqual([]);
});

inBrowser("an author's code does not run if the bot forbids code", async ({ page }) => {
  const address = await addressOf({
    ...flowOf([
      { id: "code", type: "Code", options: { content: "document.body.dataset.ran = 'yes'" } },
      {
        id: "sv",
        type: "Set variable",
        options: { variableId: idOf("Email"), expressionToEvaluate: "1 + 1", isExecutedOnClient: true },
      },
      says("It is {{Email}}."),
    ]),
    settings: { security: { isAuthorCodeDisabled: true } },
  });

  await page.goto(address);
  await page.getByText("It is .").waitFor();

  expect(await page.evaluate(() => document.body.dataset["ran"])).toBeUndefined();
});

inLongRun(
  "messages appear without typing delays for a visitor who prefers reduced motion",
  async ({ page }) => {
    const address = await addressOf({
      ...flowOf([
        button,
        says("A long sentence of many words that takes its time to be typed"),
        says("Done"),
        asks("text input"),
      ]),
      settings: { typingEmulation: { speed: 1, maxDelay: 60 } },
    });
    await page.goto(address);
    await page.getByRole("button", { name: "Yes" }).click();

    // With typing delays, the chat would take two minutes.
    await page.getByText("Done").waitFor();
  },
  { reducedMotion: "reduce" },
);

inBrowser("only the embedded page itself can continue the chat by a message", async ({ page }) => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => posting("Mallory", "parent.parent") });
  // The author's page contains a frame of another origin.
  const shop = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => posting("Ana", "parent", `<iframe src="${other.url.origin}"></iframe>`),
  });
  try {
    const waitForEvent = { isEnabled: true, name: "bought", saveDataInVariableId: idOf("Name") };
    const embed = { id: "shop", type: "embed", content: { url: shop.url.origin, height: 300, waitForEvent } };
    await page.goto(await addressOf(flowOf([says("Choose."), embed, says("Thank you, {{Name}}.")])));
    await page.waitForSelector("body.is-live");
    const frame = page.frameLocator("iframe");
    await frame.frameLocator("iframe").getByRole("button", { name: "Mallory" }).click();
    await page.evaluate("postMessage({ name: 'bought', data: 'Eve' }, '*')");
    await frame.getByRole("button", { name: "Ana" }).click();

    await page.getByText("Thank you").waitFor();
    expect(await page.locator(".typebot-host-bubble").last().textContent()).toBe("Thank you, Ana.");
  } finally {
    await Promise.all([shop.stop(true), other.stop(true)]);
  }
});

inBrowser("messages of a page that replaced the embedded page in its frame are ignored", async ({ page }) => {
  const other = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => posting("Mallory", "parent", "<button onclick='history.back()'>Back</button>"),
  });
  const shop = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => posting("Ana", "parent", `<a href="${other.url.origin}">Away</a>`),
  });
  try {
    const waitForEvent = { isEnabled: true, name: "bought", saveDataInVariableId: idOf("Name") };
    const embed = { id: "shop", type: "embed", content: { url: shop.url.origin, height: 300, waitForEvent } };
    await page.goto(await addressOf(flowOf([says("Choose."), embed, says("Thank you, {{Name}}.")])));
    await page.waitForSelector("body.is-live");
    const frame = page.frameLocator("iframe");
    await frame.getByRole("link", { name: "Away" }).click();
    await frame.getByRole("button", { name: "Mallory" }).click();
    await frame.getByRole("button", { name: "Back" }).click();
    await frame.getByRole("button", { name: "Ana" }).click();

    await page.getByText("Thank you").waitFor();
    expect(await page.locator(".typebot-host-bubble").last().textContent()).toBe("Thank you, Ana.");
  } finally {
    await Promise.all([shop.stop(true), other.stop(true)]);
  }
});

/** Returns a page with a button that posts the event to one of the surrounding windows. */
function posting(name: string, target: string, rest = ""): Response {
  const script = `${target}.postMessage({ name: "bought", data: "${name}" }, "*")`;
  const html = `<button onclick='${script}'>${name}</button>${rest}`;
  return new Response(html, { headers: { "Content-Type": "text/html" } });
}
