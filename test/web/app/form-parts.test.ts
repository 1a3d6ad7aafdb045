import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { TestUser } from "../../support/api.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { type FlowHost, openFlow, openFlowHost, saved } from "../../support/flow-page.ts";
import { layoutProblems } from "../../support/layout-problems.ts";
import { type MailServer, startMailServer } from "../../support/mail-server.ts";
import { createThreads, type Threads } from "../../support/threads.ts";

let host: FlowHost;
let ada: TestUser;
let workspaceId: string;
let threads: Threads;
let mailServer: MailServer;
const inBrowser = browserTests();

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  mailServer = await startMailServer();
  const SMTP_URL = `smtp://127.0.0.1:${mailServer.port}`;
  host = await openFlowHost({ threads, config: { SMTP_URL, SMTP_FROM: "bots@example.com" } });
  ada = await host.api.makeUser({ name: "Ada" });
  workspaceId = await host.api.makeWorkspace(ada);
});
afterAll(async () => {
  await host.close();
  await threads.close();
  await mailServer.close();
});

const most = idOf("most");
const flow = {
  version: "6.1",
  events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates: { x: 0, y: 0 } }],
  groups: [
    {
      id: "g",
      title: "Group",
      graphCoordinates: { x: 200, y: 0 },
      blocks: [
        { id: "hello", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello" }] }] } },
        { id: "picture", type: "image", content: {} },
        { id: "mail", type: "email input", options: {} },
        { id: "count", type: "number input", options: { max: "{{Most}}" } },
        { id: "papers", type: "file input", options: {} },
        {
          id: "letter",
          type: "Email",
          options: {
            credentialsId: "default",
            recipients: ["team@example.com"],
            subject: "Most: {{Most}}",
            body: "Hi",
          },
        },
      ],
    },
  ],
  edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
  variables: [{ id: most, name: "Most", value: "5" }],
};

async function open(context: Parameters<typeof openFlow>[0], at: string) {
  const botId = await host.makeBot(ada, workspaceId, flow);
  return { botId, page: await openFlow(context, host, { user: ada, botId, at }) };
}

/** Checks the page narrow in the light scheme, and wide in the dark scheme. */
async function looksFine(page: Page, shown: string): Promise<void> {
  for (const [colorScheme, size] of [
    ["light", { width: 390, height: 844 }],
    ["dark", { width: 1_440, height: 900 }],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    await page.locator(shown).first().waitFor();
    expect([...(await axeProblems(page)), ...(await layoutProblems(page, ".panel-form"))]).toEqual([]);
  }
}

inBrowser("a sample reply is checked in the form of an input", async ({ context, problems }) => {
  const { botId, page } = await open(context, "mail");
  const before = await host.draft(ada, botId);
  const check = page.locator("summary", { hasText: "Test the input" });
  const reply = page.getByLabel("Sample reply", { exact: true });
  const said = page.locator(".input-check");
  await check.press("Enter");
  await reply.fill("Ada@Example.com");
  await reply.press("Enter");
  await said.getByText("Accepted, and saved as “ada@example.com”.").waitFor();
  await looksFine(page, ".panel-form");
  await page.goto(`${host.origin}/app/bots/${botId}?at=mail`);
  await check.press("Enter");
  await reply.fill("nobody");
  expect(await said.getByText("Accepted, and saved").count()).toBe(0);
  await page.getByRole("button", { name: "Check", exact: true }).press("Enter");
  await said.getByText(/^Rejected. The bot says: “This email doesn't seem to be valid/).waitFor();

  // A limit from a variable, which still has its initial value.
  await page.locator('[data-key="block:count"]').click();
  await check.press("Enter");
  await reply.fill("7");
  await reply.press("Enter");
  await said.getByText(/^Rejected/).waitFor();
  await reply.fill("4,5");
  await reply.press("Enter");
  await said.getByText("Accepted, and saved as “4.5”.").waitFor();
  expect(await host.draft(ada, botId)).toEqual(before);
  // A changed rule removes the message about the tested reply.
  await page.getByLabel("At most", { exact: true }).fill("3");
  await said.getByText(/^Accepted/).waitFor({ state: "detached" });
  expect(problems).toEqual([]);
});

inBrowser("the form of a text adds the next block", async ({ context, problems }) => {
  const { botId, page } = await open(context, "hello");
  const blocks = async () => (await host.draft(ada, botId)).groups[0]?.blocks ?? [];
  await page.getByRole("group", { name: "Add below" }).getByRole("button", { name: "Buttons" }).press("Enter");
  await page.getByRole("heading", { name: "Buttons", exact: true }).waitFor();
  await saved(page);
  expect((await blocks()).map(({ type }) => type).slice(0, 3)).toEqual(["text", "choice input", "image"]);

  await page.locator('[data-key="block:picture"]').click();
  const place = page.locator(".app-form-drop");
  await place.waitFor();
  const drop = (name: string, type: string, base64: string) =>
    place.evaluate(
      (element, file) => {
        const bytes = Uint8Array.from(atob(file.base64), (one) => one.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], file.name, { type: file.type }));
        for (const kind of ["dragover", "drop"])
          element.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      },
      { name, type, base64 },
    );
  // A drop outside the drop area has no effect, and the page stays.
  const isLeft = page.getByRole("heading", { name: "Image", exact: true }).evaluate((heading) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["no"], "notes.txt"));
    return heading.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  });
  expect(await isLeft).toBe(false);
  await drop("notes.txt", "text/plain", "bm8=");
  await page.locator(".app-field-error", { hasText: "This file is not an image" }).waitFor();
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p2GJXwAAAABJRU5ErkJggg==";
  await drop("dot.png", "image/png", pixel);
  const address = page.getByLabel("Image", { exact: true });
  await page.locator("img.app-form-picture").waitFor();
  const url = await address.inputValue();
  expect(url).toMatch(/\/api\/workspace-files\/[\w-]+\.png/);
  await address.fill("https://example.com/{{Most}}.png");
  await page.getByRole("button", { name: "From the library" }).press("Enter");
  const library = page.getByRole("dialog", { name: "Images in the workspace" });
  await library.getByRole("option", { name: "dot.png" }).waitFor();
  expect(await axeProblems(page)).toEqual([]);
  await page.keyboard.type("dot");
  await page.keyboard.press("Enter");
  await library.waitFor({ state: "detached" });
  expect(await address.inputValue()).toBe(url);
  await looksFine(page, ".app-form-drop");

  await page.goto(`${host.origin}/app/bots/${botId}?at=papers`);
  const kind = (name: string) => page.getByRole("button", { name, exact: true });
  await kind("Images").press("Enter");
  await kind("PDF").press("Space");
  expect(await kind("PDF").getAttribute("aria-pressed")).toBe("true");
  await saved(page);
  const allowed = async () => Object((await blocks()).find(({ id }) => id === "papers")?.["options"]).allowedFileTypes;
  expect(await allowed()).toEqual({ isEnabled: true, types: ["image/*", ".pdf"] });
  await looksFine(page, ".app-form-chip");
  await page.goto(`${host.origin}/app/bots/${botId}?at=papers`);
  await kind("Images").click();
  await kind("PDF").click();
  await page.getByText("All file types are accepted.").waitFor();
  await saved(page);
  expect(await allowed()).toBeUndefined();
  // The expected problems are the rejected file and the picture, whose address belongs to the chats' host.
  expect(problems.filter((problem) => !/status of 4\d\d|ERR_INTERNET_DISCONNECTED/.test(problem))).toEqual([]);
});

inBrowser("the test of an e-mail block sends the e-mail to the author", async ({ context, problems }) => {
  const { page } = await open(context, "letter");
  await page.getByLabel("Most", { exact: true }).fill("9");
  await page.getByRole("button", { name: "Send me a test e-mail" }).press("Enter");
  await page.getByText(`Sent to ${ada.email}.`).first().waitFor();
  expect(mailServer.mails.at(-1)).toMatchObject({ to: [ada.email], headers: { subject: "Most: 9" } });
  await looksFine(page, ".trial");
  expect(problems).toEqual([]);
});
