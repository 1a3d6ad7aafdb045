import { afterAll, beforeAll, expect } from "bun:test";
import type { FrameLocator, Page } from "playwright-core";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { onePixel } from "../../support/builder-world.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import { upload } from "../../support/uploads.ts";

let host: AppHost;
const inBrowser = browserTests();

beforeAll(async () => {
  host = await openAppHost();
});
afterAll(async () => {
  await host.close();
});

const picture = (color: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="${color}"/></svg>`)}`;

const cell = (type: string, text: string) => ({ type, children: [{ text }] });
/** An answer as a model may write it. */
const answer = [
  {
    type: "p",
    children: [{ text: "The " }, { text: "area", bold: true }, { text: " is " }, { text: "r^2", math: true }],
  },
  {
    type: "table",
    children: [
      { type: "tr", children: [cell("th", "Radius"), cell("th", "Area")] },
      { type: "tr", children: [cell("td", "1"), cell("td", "3.14")] },
    ],
  },
  { type: "ul", children: [{ type: "li", children: [{ type: "lic", children: [{ text: "One" }] }] }] },
];

/** Bubbles of all kinds, a script, and inputs of many types. */
const everyKind = flowOf([
  says("Welcome"),
  { id: "rich", type: "text", content: { richText: answer } },
  { id: "picture", type: "image", content: { url: picture("red"), alt: "A red box" } },
  {
    id: "film",
    type: "video",
    content: { type: "url", url: "https://films.invalid/one.mp4", isAutoplayEnabled: false },
  },
  { id: "sound", type: "audio", content: { url: "https://sounds.invalid/one.mp3", isAutoplayEnabled: false } },
  { id: "frame", type: "embed", content: { url: "https://pages.invalid/" } },
  { id: "strange", type: "hologram", options: {} },
  asks("text input", {}),
  { id: "script", type: "Code", options: { content: "window.ran = 1" } },
  asks(
    "choice input",
    {},
    {
      items: [
        { id: "yes", content: "Yes, please", value: "y" },
        { id: "no", content: "No" },
      ],
    },
  ),
  {
    ...asks("choice input", { isMultipleChoice: true }, { id: "several" }),
    items: ["Tea", "Milk", "Sugar"].map((content) => ({ id: content, content })),
  },
  asks("picture choice input", {}, { items: [{ id: "blue", pictureSrc: picture("blue") }] }),
  asks("number input", {}),
  asks("email input", {}),
  asks("phone number input", {}),
  asks("date input", {}),
  asks("rating input", { buttonType: "Numbers", length: 5 }),
  asks("ranking input", {}, { items: ["Sun", "Rain"].map((content) => ({ id: content, content })) }),
  says("Goodbye"),
]);

const replies = [
  "Ada",
  { type: "text", text: "y", metadata: { replyId: "yes" } },
  "Tea, Sugar",
  "blue",
  "1234.5",
  "no address",
  "ada@example.com",
  "+33612345678",
  "2026-12-31",
  "4",
  "Rain, Sun",
];

/** Returns the texts and pictures of a conversation, in order, without the builder's notes. */
function saidIn(frame: Page | FrameLocator): Promise<string[]> {
  return frame.locator(".transcript").evaluate((log) =>
    [...log.querySelectorAll(".host-container, .guest-container")]
      .filter((one) => one.querySelector(".chat-note") === null)
      .map((one) => {
        const copy = one.cloneNode(true);
        if (!(copy instanceof HTMLElement)) return "";
        for (const hidden of copy.querySelectorAll("[hidden], .visually-hidden")) hidden.remove();
        const media = [...copy.querySelectorAll("img, video, audio, iframe")].map((each) => each.getAttribute("src"));
        return [copy.textContent.replaceAll(/\s+/g, " ").trim(), ...media].join(" | ");
      }),
  );
}

/** A style sheet that would end early if a document contained it as text. */
const customCss = `.planted { content: "</style><h1 id='planted'>Planted</h1>"; }`;

inBrowser("the conversation of a result looks as its visitor saw it", async ({ page, context, problems }) => {
  const general = { rememberUser: { isEnabled: true, storage: "local" } };
  const bot = await host.publish({
    ...everyKind,
    theme: { customCss },
    settings: { general, typingEmulation: { enabled: false } },
  });
  const { client } = host.api;
  const started = await start(client, bot.publicId);
  const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
  for (const reply of replies) expect((await say(client, sessionId, reply)).status).toBe(200);

  const visitor = await context.newPage();
  await visitor.addInitScript(
    ([key, value]) => {
      if (self.origin !== "null") localStorage.setItem(String(key), String(value));
    },
    [`parley-chat-${bot.publicId}`, JSON.stringify({ sessionId, resultId })],
  );
  await visitor.goto(`${host.origin}/${bot.publicId}`);
  await visitor.getByText("Goodbye").waitFor();
  await visitor.locator("math").first().waitFor();
  const seen = await saidIn(visitor);
  await visitor.close();

  await host.signIn(context);
  await page.goto(`${host.builder}/bots/${bot.botId}/results/${resultId}`);
  const frame = page.frameLocator(".results-seen");
  await frame.getByText("Goodbye").waitFor();
  await frame.locator("math").first().waitFor();
  expect(await saidIn(frame)).toEqual(seen);
  expect(seen).toContain("Yes, please");
  expect(seen.length).toBeGreaterThan(16);

  if (process.env["SHOTS"]) {
    for (const width of [1440, 390])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `/tmp/shot-seen-${width}-${colorScheme}.png` });
      }
  }
  const notes = await frame.locator(".chat-note").allTextContents();
  expect(notes.slice(1)).toEqual([
    "Skipped: a block of the type “hologram”, which Parley does not support",
    "Not shown: a script in the visitor’s browser",
    expect.stringMatching(/^Rejected: “no address” \(.+\)$/),
  ]);
  // No part of the flow runs again.
  expect(await frame.locator("body").evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
  expect(await axeProblems(page)).toEqual([]);

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as HTML" }).click(),
  ]);
  const file = await context.newPage();
  await file.setContent(await Bun.file(await saved.path()).text());
  expect(await saidIn(file)).toEqual(seen);
  expect(await file.locator("script, #planted").count()).toBe(0);
  expect(await file.content()).toContain(".planted");
  await file.close();
  // Videos and frames of the test have no real addresses.
  expect(problems.filter((one) => !String(one).includes(".invalid"))).toEqual([]);
});

inBrowser("a result shows the private pictures of its visitor", async ({ page, context, problems }) => {
  const bot = await host.publish(
    flowOf([asks("file input", { visibility: "Private", isMultipleAllowed: true }), says("Goodbye")]),
  );
  const { client } = host.api;
  const started = await start(client, bot.publicId);
  const sessionId = started.text("sessionId");
  const files = [
    await upload(client, sessionId, onePixel, { fileName: "cat.png", fileType: "image/png" }),
    await upload(client, sessionId, "a sound", { fileName: "purr.mp3", fileType: "audio/mpeg" }),
    await upload(client, sessionId, "a letter"),
  ];
  expect(files.every((address) => address.includes(`/results/${started.text("resultId")}/files/`))).toBe(true);
  await say(client, sessionId, { type: "text", text: files.join(", "), attachedFileUrls: files });
  await host.signIn(context);
  await page.goto(`${host.builder}/bots/${bot.botId}/results/${started.text("resultId")}`);
  const frame = page.frameLocator(".results-seen");
  await frame.getByText("Goodbye").waitFor();
  const pictures = await frame
    .locator(".guest-container img")
    .evaluateAll((all) => all.map((one) => one.getAttribute("src")?.slice(0, 15)));
  expect(pictures.filter((source) => source?.startsWith("data:"))).toEqual(["data:image/png;"]);
  const said = await frame.locator(".guest-container").allTextContents();
  expect(said.join(" ")).toMatch(/purr\.mp3.*letter\.pdf/s);
  expect(problems).toEqual([]);
});

inBrowser(
  "the result of a chat that was started by a message shows the message",
  async ({ page, context, problems }) => {
    const bot = await host.publish(
      flowOf([asks("text input", {}), asks("file input", { visibility: "Private", isMultipleAllowed: true })]),
    );
    const { client } = host.api;
    const { sql } = host.api.deps;
    const started = await start(client, bot.publicId, { message: { type: "text", text: "Ada" } });
    const [sessionId, resultId] = [started.text("sessionId"), started.text("resultId")];
    await host.signIn(context);
    await page.goto(`${host.builder}/bots/${bot.botId}/results/${resultId}`);
    const visitor = page.frameLocator(".results-seen").locator(".guest-container");
    await visitor.getByText("Ada", { exact: true }).waitFor();

    const files = [
      await upload(client, sessionId, onePixel, { fileName: "cat.png", fileType: "image/png" }),
      await upload(client, sessionId, "a letter"),
    ];
    await say(client, sessionId, { type: "text", text: files.join(", "), attachedFileUrls: files });
    await sql`delete from steps where session_id = ${sessionId}`;
    await sql`delete from sessions where id = ${sessionId}`;
    await page.reload();
    await visitor.locator('img[src^="data:image/png"]').waitFor();
    expect(await visitor.locator(".answer-words, .answer-text").allTextContents()).toEqual(["Ada", "letter.pdf"]);
    expect(problems).toEqual([]);
  },
);
