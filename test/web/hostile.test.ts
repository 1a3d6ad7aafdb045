import { afterAll, beforeAll, expect } from "bun:test";
import { browserTests } from "../support/browser.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, says } from "../support/chat.ts";
import { type ChatHost, openChatHost } from "../support/chat-host.ts";
import { answer, openChat } from "../support/live-page.ts";

let host: ChatHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openChatHost();
});
afterAll(() => host.close());

const attack = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">"'><svg onload=window.hacked=1>`;

inBrowser("hostile texts of authors and visitors do not run as code", async ({ page, problems }) => {
  const url = "javascript:window.hacked=1";
  const link = { type: "a", url, children: [{ text: "Follow me" }] };
  const bot = await host.publish({
    ...flowOf([
      says(attack, "bubble"),
      {
        ...says("x", "link"),
        content: { richText: [{ type: "p", children: [link, { text: attack, bold: true }] }] },
      },
      { id: "image", type: "image", content: { url, clickLink: { url, alt: attack } } },
      { id: "video", type: "video", content: { url, type: "url" } },
      { id: "embed", type: "embed", content: { url, height: 100 } },
      asks("text input", { variableId: idOf("Name"), labels: { placeholder: attack, button: attack } }),
      says("You said {{Name}} and {{Email}}"),
      { id: "buttons", type: "choice input", items: [{ id: "b", content: attack }] },
      {
        id: "pictures",
        type: "picture choice input",
        items: [{ id: "p", pictureSrc: url, title: attack, description: attack }],
      },
      {
        id: "cards",
        type: "cards",
        items: [{ id: "c", imageUrl: url, title: attack, paths: [{ id: "path", text: attack }] }],
      },
      asks("rating input", { labels: { left: attack, right: attack, button: attack }, length: 3 }),
      { id: "go", type: "Redirect", options: { url } },
      says("Over"),
    ]),
    theme: {
      general: { background: { type: "Image", content: `https://x/"});}</style>${attack}` }, font: attack },
      chat: {
        hostAvatar: { isEnabled: true, url: attack },
        buttons: { backgroundColor: attack, color: `red;}${attack}` },
      },
    },
    settings: {
      metadata: { title: attack, description: attack, imageUrl: url, favIconUrl: url },
      general: { systemMessages: { networkErrorTitle: attack }, language: attack },
    },
  });

  await page.goto(`${bot.address}?Email=${encodeURIComponent(attack)}&${encodeURIComponent(attack)}=1`);
  await page.locator("body.is-live form").waitFor();
  await page.getByText("Follow me").click();
  await answer(page, attack);
  await page.getByText(`You said ${attack} and ${attack}`).waitFor();
  await page.locator("[name=choice]").click();
  await page.locator(".typebot-picture-button").click();
  await page.locator(".typebot-card button").click();
  await page.locator("[data-input-type='rating input'] label").first().click();
  await page.locator("[data-input-type='rating input'] [type=submit]").click();
  await page.getByText("Over").waitFor();
  await page.reload();
  await page.getByText("Over").or(page.getByText("Follow me")).first().waitFor();

  expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();
  expect(new URL(page.url()).origin).toBe(host.origin);
  expect(problems.filter((problem) => problem.includes("script-src"))).toEqual([]);
});

inBrowser(
  "an ordinary chat does not violate its content security policy",
  async ({ page, context, outside, problems }) => {
    const broken: unknown[] = [];
    await context.exposeBinding("noteViolation", (_source, violation) => broken.push(violation));
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        const note: unknown = Reflect.get(window, "noteViolation");
        if (typeof note === "function") note(`${violatedDirective} ${blockedURI}`);
      });
    });
    const bot = await host.publish(nameAndEmail);
    await openChat(page, bot.address);
    await answer(page, "Ana");
    await page.locator("[type=email]").fill("ana@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("Thank you").waitFor();

    expect({ broken, outside, problems }).toEqual({ broken: [], outside: [], problems: [] });
  },
);
