import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../support/axe.ts";
import { browserTests, longBrowserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { type OtherSite, openOtherSite } from "../support/host-page.ts";
import { inputs } from "./inputs/flows.ts";

let service: ChatHost;
let site: OtherSite;
let bot: string;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();

const quick = { typingEmulation: { enabled: false } };
const quickBot = { ...nameAndEmail, settings: quick };

beforeAll(async () => {
  service = await openChatHost();
  site = openOtherSite();
  ({ publicId: bot } = await service.publish(quickBot));
});
afterAll(async () => {
  await site.close();
  await service.close();
});

const script = () => `<script src="${service.origin}/embed.js" defer></script>`;
const nonceAttribute = (nonce: string) => script().replace(" defer", ` nonce="${nonce}" defer`);

/** Records every event of every chat of the page, in order, as `name detail`. */
const noteEvents = `<script>
  window.heard = [];
  for (const name of ["init", "input", "answer", "message", "end", "open", "close"])
    addEventListener("parley-" + name, ({ detail }) => {
      const { sessionId, resultId, ...rest } = detail;
      heard.push([name, ...Object.values(rest)].join(" "));
    });
</script>`;
const heard = (page: Page) => page.evaluate((): unknown => Reflect.get(window, "heard"));

async function talkThrough(page: Page, element: string): Promise<void> {
  const chat = page.locator(element);
  await chat.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await chat.getByRole("textbox", { name: "Hello Ana" }).fill("ana@example.com");
  await page.keyboard.press("Enter");
  await chat.getByText("Thank you").waitFor();
}

inBrowser(
  "a page with a strict policy runs conversations in all three elements",
  async ({ page, problems, outside }) => {
    const policy = [
      "default-src 'none'",
      `script-src ${service.origin}`,
      `connect-src ${service.origin}`,
      "img-src data:",
    ].join("; ");
    const body = `<parley-chat id="first" bot="${bot}"></parley-chat><parley-chat id="second" bot="${bot}"></parley-chat>
      <parley-bubble bot="${bot}"></parley-bubble><parley-popup bot="${bot}"></parley-popup>`;
    await page.goto(site.page(body, { head: script(), policy }));

    await talkThrough(page, "#first");
    await talkThrough(page, "#second");
    await page.getByRole("button", { name: "Chat" }).click();
    await talkThrough(page, "parley-bubble");
    await page.evaluate("document.querySelector('parley-popup').open()");
    await talkThrough(page, "parley-popup");

    expect(problems).toEqual([]);
    expect(outside).toEqual([]);
  },
);

inBrowser("every input except payments is shown in a page with a strict policy", async ({ page, problems }) => {
  // A payment cannot be made in this test, so it shows no input.
  const { payment: _asksNothing, ...asking } = inputs;
  const asked = Object.entries(asking);
  const bots = await Promise.all(
    asked.map(([, input]) => service.publish({ ...flowOf([says("Well?"), input]), settings: quick })),
  );
  const body = bots.map(
    ({ publicId }, index) => `<parley-chat id="${asked[index]?.[0]}" bot="${publicId}"></parley-chat>`,
  );
  const policy = `script-src 'nonce-abc123' 'strict-dynamic'; connect-src ${service.origin}; style-src 'nonce-abc123'`;
  const small = `<style nonce="abc123">html { font-size: 5px }</style>`;
  await page.goto(site.page(body.join(""), { head: small + nonceAttribute("abc123"), policy }));

  for (const [name, { type }] of asked) {
    const chat = page.locator(`#${name}`);
    await chat.scrollIntoViewIfNeeded();
    await chat.locator(`form[data-input-type="${type}"]`).waitFor();
    const pressed = "form :is(button, label):visible:not(.visually-hidden, .date-label)";
    const button = await chat.locator(pressed).first().boundingBox();
    expect([name, (button?.height ?? 0) >= 24]).toEqual([name, true]);
  }
  expect(problems).toEqual([]);
});

inLongRun("a file is uploaded from an embedded chat to the service", async ({ page, problems }) => {
  const flow = { ...flowOf([says("Well?"), inputs.file, says("Thank you")]), settings: quick };
  const { publicId } = await service.publish(flow);
  await page.goto(site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head: script() }));

  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Some notes") };
  await page.locator("parley-chat input[type=file]").setInputFiles(file);
  await page.locator("parley-chat button[type=submit]:not([name])").first().click();

  await page.getByText("Thank you").waitFor();
  await page.getByRole("link", { name: "notes.txt" }).waitFor();
  expect(problems).toEqual([]);
});

inBrowser("the script works as a module, and adds only one global name", async ({ page, problems }) => {
  const globals = "Object.getOwnPropertyNames(window)";
  await page.goto(site.page("<p>Nothing</p>"));
  const before = new Set(await page.evaluate<string[]>(globals));
  await page.goto(
    site.page(`<parley-chat bot="${bot}"></parley-chat>`, { head: script().replace("defer", 'type="module"') }),
  );

  await talkThrough(page, "parley-chat");

  const after = await page.evaluate<string[]>(globals);
  expect(after.filter((name) => !before.has(name) && !/^\d+$/.test(name))).toEqual(["Parley"]);
  expect(problems).toEqual([]);
});

inBrowser("an author's code runs with the page's nonce, unless the bot disables code", async ({ page, problems }) => {
  const code = {
    id: "code",
    type: "Code",
    options: { content: "document.title = 'Author was here';", isExecutedOnClient: true },
  };
  const flow = { ...flowOf([says("Hi"), code, asks("text input")]), settings: quick };
  const trusted = await service.publish(flow);
  const careful = await service.publish({
    ...flow,
    settings: { ...quick, security: { isAuthorCodeDisabled: true } },
  });
  const policy = `script-src 'nonce-abc123' ${service.origin}; connect-src ${service.origin}; style-src 'none'`;
  const embed = (publicId: string) =>
    site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head: nonceAttribute("abc123"), policy });

  await page.goto(embed(careful.publicId));
  await page.getByRole("textbox", { name: "Hi" }).waitFor();
  expect(await page.title()).toBe("Shop");
  await page.goto(embed(trusted.publicId));
  await page.getByRole("textbox", { name: "Hi" }).waitFor();
  expect(await page.title()).toBe("Author was here");
  expect(problems).toEqual([]);

  const withoutNonces = `script-src ${service.origin}; connect-src ${service.origin}`;
  const body = `<parley-chat bot="${trusted.publicId}"></parley-chat>`;
  await page.goto(site.page(body, { head: script(), policy: withoutNonces }));
  await page.getByRole("textbox", { name: "Hi" }).waitFor();
  expect(await page.title()).toBe("Shop");
});

inBrowser("the style sheets of a page and its chat do not affect each other", async ({ page }) => {
  const theme = { customCss: "* { letter-spacing: 3px } p { color: rgb(1, 2, 3) }" };
  const { publicId } = await service.publish({ ...quickBot, theme });
  const hostile = "<style>html { font-size: 4px } * { all: unset; color: red !important; font-size: 60px }</style>";
  const body = `<p id="own">Text of the page</p><parley-chat bot="${publicId}"></parley-chat>`;
  await page.goto(site.page(body, { head: hostile + script() }));
  const field = page.getByRole("textbox", { name: "Your name?" });
  await field.waitFor();

  const styleOf = (selector: string, within: string) =>
    page.evaluate(
      ([inner, host]) => {
        const root = host === "" ? document : document.querySelector(host ?? "")?.shadowRoot;
        const element = root?.querySelector(inner ?? "");
        if (!element) return null;
        const { color, fontSize, letterSpacing } = getComputedStyle(element);
        return { color, fontSize, letterSpacing };
      },
      [selector, within],
    );
  expect(await styleOf(".typebot-host-bubble", "parley-chat")).toEqual({
    color: "rgb(32, 32, 32)",
    fontSize: "16px",
    letterSpacing: "3px",
  });
  expect(await styleOf("#own", "")).toEqual({ color: "rgb(255, 0, 0)", fontSize: "60px", letterSpacing: "normal" });
  // The height comes from the layout, because the rendered height differs slightly during an animation.
  expect(await field.evaluate((element: HTMLElement) => element.offsetHeight)).toBeGreaterThanOrEqual(44);
});

inBrowser("a chat starts only when it becomes visible", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const body = `<div style="height: 3000px"></div><parley-chat bot="${bot}"></parley-chat>
    <parley-bubble bot="${bot}"></parley-bubble>`;
  await page.goto(site.page(body, { head: script() }), { waitUntil: "networkidle" });

  // The bubble's button has the colour of the bot's theme.
  expect(asked.filter((path) => !path.startsWith("/page-"))).toEqual(["/embed.js", `/${bot}/launcher.js`]);
  await page.locator("parley-chat").scrollIntoViewIfNeeded();
  await page.getByRole("textbox", { name: "Your name?" }).waitFor();
});

inBrowser("a closed bubble's window cannot be focused", async ({ page }) => {
  const body = `<parley-bubble bot="${bot}"></parley-bubble><button id="after">After</button>`;
  await page.goto(site.page(body, { head: noteEvents + script() }));
  const button = page.getByRole("button", { name: "Chat" });
  const focused = () =>
    page.evaluate(() => {
      const active = document.activeElement;
      const inner = active?.shadowRoot?.activeElement ?? active;
      return inner?.className || inner?.id;
    });

  await button.click();
  const field = page.getByRole("dialog", { name: "Chat" }).getByRole("textbox", { name: "Your name?" });
  await field.waitFor();
  await page.waitForFunction(() => document.activeElement?.shadowRoot?.activeElement?.className === "text-input");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  expect(await focused()).toBe("bubble");
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("after");

  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await field.waitFor();
  expect(await heard(page)).toEqual([
    "open",
    "init",
    `message ${idOf("says Your name?")} text Your name?`,
    `input ${idOf("asks text input")} text input`,
    "close",
    "open",
  ]);
});

inBrowser("a popup traps the focus until it is closed", async ({ page }) => {
  const body = `<button id="opener" onclick="Parley.open()">Talk to us</button>
    <div style="height: 3000px"></div><parley-popup bot="${bot}" label="Talk to us here"></parley-popup>`;
  await page.goto(site.page(body, { head: script() }));
  const dialog = page.getByRole("dialog", { name: "Talk to us here" });
  const isFocusInside = () => page.evaluate(() => document.activeElement?.localName === "parley-popup");
  const overflow = () => page.evaluate(() => getComputedStyle(document.body).overflowY);

  await page.locator("#opener").click();
  await dialog.getByRole("textbox", { name: "Your name?" }).waitFor();
  expect(await dialog.getAttribute("aria-modal")).toBe("true");
  expect(await overflow()).toBe("hidden");
  for (const key of ["Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
    await page.keyboard.press(key);
    expect(await isFocusInside()).toBe(true);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("opener");
  await page.waitForFunction(() => getComputedStyle(document.body).overflowY === "visible");

  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await page.mouse.click(5, 5);
  await dialog.waitFor({ state: "hidden" });
});

inLongRun(
  "a popup opens automatically after its delay, and a bubble shows its message until it is dismissed",
  async ({ page }) => {
    const body = `<parley-popup bot="${bot}" auto-show-delay="10"></parley-popup>
    <parley-bubble bot="${bot}" preview-message="Need help?"></parley-bubble>`;
    await page.goto(site.page(body, { head: script() }));
    const message = page.getByRole("button", { name: "Need help?" });

    await page.getByRole("dialog", { name: "Chat" }).getByRole("textbox", { name: "Your name?" }).waitFor();
    await page.keyboard.press("Escape");
    await message.waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await message.waitFor({ state: "hidden" });
    await page.reload();
    await page.waitForFunction(() => customElements.get("parley-bubble") !== undefined);
    // Neither the chat nor the message reappears after it was dismissed.
    expect(await page.getByRole("dialog", { name: "Chat" }).isVisible()).toBe(false);
    expect(await message.isVisible()).toBe(false);

    await page.evaluate("Parley.showPreviewMessage('צריכים עזרה?')");
    const hebrew = page.getByText("צריכים עזרה?");
    expect(await hebrew.evaluate((text) => getComputedStyle(text).direction)).toBe("rtl");
    await hebrew.click();
    await page.locator("parley-bubble").getByRole("textbox", { name: "Your name?" }).waitFor();
  },
);

inBrowser("a page can send commands to its chats, and receives the events of the chats", async ({ page }) => {
  const body = `<parley-chat id="one" bot="${bot}"></parley-chat><parley-chat id="two" bot="${bot}"></parley-chat>`;
  const properties = `<script type="module">
    window.told = [];
    document.querySelector("#one").onAnswer = ({ message, blockId }) => told.push([message, blockId]);
  </script>`;
  await page.goto(site.page(body, { head: script() + properties + noteEvents }));
  const one = page.locator("#one");
  await one.getByRole("textbox", { name: "Your name?" }).waitFor();
  await page.locator("#two").getByRole("textbox", { name: "Your name?" }).waitFor();
  await page.evaluate("heard.length = 0");

  await page.evaluate("Parley.setInputValue('Ana', { id: 'one' }); Parley.submitInput({ id: 'one' })");
  await one.getByRole("textbox", { name: "Hello Ana" }).waitFor();
  // A page that sets the same values again, as frameworks do, restarts nothing.
  await page.evaluate("for (const one of document.querySelectorAll('parley-chat')) one.bot = one.bot");
  await page.evaluate("document.querySelector('#one').setInputValue('ana@example.com')");
  await page.evaluate("document.querySelector('#one').submitInput()");
  await one.getByText("Thank you").waitFor();

  expect(await heard(page)).toEqual([
    `answer Ana ${idOf("asks text input")}`,
    `message ${idOf("says Hello {{Name}}, and your e-mail?")} text Hello Ana, and your e-mail?`,
    `input ${idOf("asks email input")} email input`,
    `answer ana@example.com ${idOf("asks email input")}`,
    `message ${idOf("says Thank you")} text Thank you`,
    "end",
  ]);
  expect(await page.evaluate((): unknown => Reflect.get(window, "told"))).toEqual([
    ["Ana", idOf("asks text input")],
    ["ana@example.com", idOf("asks email input")],
  ]);
  expect(await page.locator("#two").getByText("Hello Ana").count()).toBe(0);

  await page.evaluate("Parley.reset({ id: 'one' })");
  await one.getByRole("textbox", { name: "Your name?" }).waitFor();
  await page.evaluate("Parley.unmount()");
  expect(await page.locator("parley-chat").count()).toBe(0);
});

inBrowser("variables are prefilled by attribute, by property and by the page's address", async ({ page }) => {
  const flow = { ...flowOf([says("Hello {{Name}} of {{Email}}"), asks("text input")]), settings: quick };
  const { publicId } = await service.publish(flow);
  const body = `<parley-chat bot="${publicId}" prefilled-variables='{"Name":"Ana"}'></parley-chat>`;
  const late = `<script>addEventListener("DOMContentLoaded", () => {
    document.querySelector("parley-chat").prefilledVariables = { Email: "ana@example.com" };
  });</script>`;

  await page.goto(`${site.page(body, { head: script() })}?Email=from-the-address&Name=overridden`);
  await page.getByText("Hello Ana of from-the-address").waitFor();
  await page.goto(site.page(body, { head: late + script() }));
  await page.getByText("Hello Ana of ana@example.com").waitFor();
});

inBrowser("a redirect to a host from the page's address requires a confirmation", async ({ page, outside }) => {
  const go = { id: "go", type: "Redirect", options: { url: "{{Name}}" } };
  const { publicId } = await service.publish({ ...flowOf([says("Hello"), go, asks("text input")]), settings: quick });
  await page.goto(
    `${site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head: script() })}?Name=evil.example`,
  );
  const question = page.getByRole("group", { name: "You are leaving this page for evil.example." });
  await question.getByRole("button", { name: "Stay here" }).click();
  await question.waitFor({ state: "detached" });
  expect(outside).toEqual([]);
});

inLongRun("a command from the page triggers the flow's event for this command", async ({ page }) => {
  const flow = {
    ...flowOf([says("What now?"), asks("text input")], [says("Hurried to the end")]),
    settings: quick,
  };
  const events = [
    ...flow.events,
    {
      id: "hurry",
      type: "command",
      graphCoordinates: { x: 0, y: 0 },
      options: { command: "hurry" },
      outgoingEdgeId: "h",
    },
  ];
  const edges = [...flow.edges, { id: "h", from: { eventId: "hurry" }, to: { groupId: idOf("g1") } }];
  const { publicId } = await service.publish({ ...flow, events, edges });
  await page.goto(site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head: script() }));

  await page.evaluate("customElements.whenDefined('parley-chat').then(() => Parley.sendCommand('hurry'))");

  await page.getByText("Hurried to the end").waitFor();
});

inLongRun("with remembered visitors, a reload shows the bubble open and the chat unchanged", async ({ page }) => {
  const general = { rememberUser: { isEnabled: true, storage: "session" } };
  const { publicId } = await service.publish({ ...nameAndEmail, settings: { ...quick, general } });
  await page.goto(site.page(`<parley-bubble bot="${publicId}"></parley-bubble>`, { head: noteEvents + script() }));
  await page.getByRole("button", { name: "Chat" }).click();
  await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

  await page.reload();
  await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();
  expect(await heard(page)).toEqual(["open", "init", `input ${idOf("asks email input")} email input`]);

  await page.getByRole("textbox", { name: "Hello Ana" }).fill("ana@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Thank you").waitFor();
  expect(await page.evaluate(() => Object.keys(history.state ?? {}))).toEqual([]);
});

inLongRun("without remembered visitors, a reload starts again and nothing is stored", async ({ page }) => {
  await page.goto(site.page(`<parley-chat bot="${bot}"></parley-chat>`, { head: script() }));
  await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Hello Ana" }).waitFor();

  expect(await page.evaluate(() => sessionStorage.length + localStorage.length)).toBe(0);
  await page.reload();
  await page.getByRole("textbox", { name: "Your name?" }).waitFor();
});

inLongRun(
  "an element that is removed in the middle of a chat continues when it is inserted again",
  async ({ page, problems }) => {
    const { publicId, botId, address } = await service.publish(quickBot);
    await page.goto(site.page(`<main><parley-chat bot="${publicId}"></parley-chat></main>`, { head: script() }));
    await page.getByRole("textbox", { name: "Your name?" }).fill("Ana");
    await page.keyboard.press("Enter");
    // The chat is removed while the answer is being sent.
    await page.evaluate("window.kept = document.querySelector('parley-chat'); kept.remove()");
    expect(await page.getByRole("textbox").count()).toBe(0);
    await page.evaluate("document.querySelector('main').append(kept)");

    await page.getByRole("textbox", { name: "Hello Ana" }).fill("ana@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Thank you").waitFor();

    expect(await service.answersOf({ publicId, botId, address })).toEqual([["Ana", "ana@example.com"]]);
    expect(problems).toEqual([]);
  },
);

inBrowser("closed bots, unknown bots and forbidden sites show a message", async ({ page }) => {
  const closed = await service.publish(quickBot, { isClosed: true });
  const guarded = await service.publish({
    ...quickBot,
    settings: { ...quick, security: { allowedOrigins: ["https://example.com"] } },
  });
  const embed = (publicId: string) => site.page(`<parley-chat bot="${publicId}"></parley-chat>`, { head: script() });

  await page.goto(embed(closed.publicId));
  await page.getByRole("status").getByText("This bot is now closed").waitFor();
  await page.goto(embed("nobody-here"));
  await page.getByRole("status").getByText("There is no bot here").waitFor();
  await page.goto(embed(guarded.publicId));
  await page.getByRole("status").getByText("This chat may not be used on this site.").waitFor();
});

inLongRun("a chat whose script does not load shows an error, and retries on request", async ({ page }) => {
  const failed: string[] = [];
  const loaded: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  page.on("requestfinished", (request) => loaded.push(request.url()));
  let missing = /chat-\w+\.js$/;
  await page.route("**/assets/chat/**", (route) =>
    missing.test(route.request().url()) ? route.abort() : route.continue(),
  );
  await page.goto(site.page(`<parley-bubble bot="${bot}"></parley-bubble>`, { head: script() }));
  await page.getByRole("button", { name: "Chat" }).click();
  await page.getByRole("alert").getByText("could not be loaded").waitFor();

  missing = /embed-part-\w+\.js$/;
  const failedAgain = page.waitForEvent("requestfailed");
  await page.getByRole("button", { name: "Try again" }).click();
  await failedAgain;
  await page.getByRole("alert").getByText("could not be loaded").waitFor();

  missing = /^never$/;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("textbox", { name: "Your name?" }).waitFor();
  // Browsers may cache a failed address forever, so the chat and its parts are loaded from other addresses.
  expect(failed.length).toBeGreaterThan(1);
  expect(failed.filter((address) => loaded.includes(address))).toEqual([]);
});

inLongRun("a start that fails shows a message, and is retried with the same key", async ({ page }) => {
  const keys = new Set<string | undefined>();
  let isDown = true;
  await page.route("**/startChat", (route) => {
    keys.add(route.request().headers()["idempotency-key"]);
    return isDown ? route.abort("internetdisconnected") : route.continue();
  });
  await page.goto(site.page(`<parley-chat bot="${bot}"></parley-chat>`, { head: script() }));

  await page.getByRole("status").getByText("Trying again").waitFor();
  isDown = false;
  await page.getByRole("textbox", { name: "Your name?" }).waitFor();
  expect(keys.size).toBe(1);
});

inBrowser(
  "axe reports no violation in the three embed elements",
  async ({ page }) => {
    const body = `<main><h1>Shop</h1><parley-chat bot="${bot}" id="inline"></parley-chat></main>
    <parley-bubble bot="${bot}" id="bubble" preview-message="Need help?"></parley-bubble>
    <parley-popup bot="${bot}" id="popup"></parley-popup>`;
    await page.goto(site.page(body, { head: script() }));
    await page.locator("#inline").getByRole("textbox", { name: "Your name?" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);

    await page.evaluate("Parley.open({ id: 'bubble' })");
    await page.locator("#bubble").getByRole("textbox", { name: "Your name?" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const box = await page.getByRole("dialog").boundingBox();
    expect(box).toEqual({ x: 0, y: 0, width: 320, height: 640 });
    await page.getByRole("button", { name: "Close" }).click();

    await page.evaluate("Parley.open({ id: 'popup' })");
    await page.locator("#popup").getByRole("textbox", { name: "Your name?" }).waitFor();
    // The axe rule ignores that a modal dialog covers everything, and reports the bubble's button as being in front of
    // the dialog.
    await page.evaluate("document.getElementById('bubble').remove()");
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  },
  { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" },
);

test("the embed script is smaller than 8 kB and is revalidated by its ETag", async () => {
  const first = await fetch(`${service.origin}/embed.js`, { headers: { "Accept-Encoding": "br" }, decompress: false });
  const bytes = (await first.arrayBuffer()).byteLength;
  const etag = first.headers.get("etag") ?? "";

  expect(bytes).toBeLessThan(8_000);
  expect(first.headers.get("cache-control")).toBe("public, max-age=300");
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  const again = await fetch(`${service.origin}/embed.js`, { headers: { "If-None-Match": etag } });
  expect(again.status).toBe(304);
  const changed = await fetch(`${service.origin}/embed.js`, { headers: { "If-None-Match": 'W/"other"' } });
  const text = await changed.text();
  const chat = /"(\/assets\/chat\/chat-\w+\.js)"/.exec(text)?.[1];
  const loaded = await fetch(service.origin + chat);
  expect(loaded.status).toBe(200);
  expect(loaded.headers.get("cache-control")).toContain("immutable");
  expect(loaded.headers.get("access-control-allow-origin")).toBe("*");
});
