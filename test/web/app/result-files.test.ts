import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerParts } from "../../../src/web/app/screens/results/answer-parts.ts";
import { type AppHost, openAppHost } from "../../support/app-host.ts";
import { axeProblems } from "../../support/axe.ts";
import { browserTests } from "../../support/browser.ts";
import { idOf } from "../../support/builder-ids.ts";
import { flowOf } from "../../support/chat.ts";
import { askToUpload, put } from "../../support/uploads.ts";

let host: AppHost;
const inBrowser = browserTests();
beforeAll(async () => {
  host = await openAppHost();
});
afterAll(() => host.close());

const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p2GJXwAAAABJRU5ErkJggg=="),
  (letter) => letter.charCodeAt(0),
);

describe("an answer in the results", () => {
  const question = { blockId: "ask", label: "Ask", isFile: true };
  const answered = (content: string, storedFileUrls: string[] = [], attachedFileUrls: string[] = []) => ({
    answers: [
      {
        ...{ createdAt: "", resultId: "", blockId: "ask", groupId: "", variableId: null, storageUsed: 0 },
        ...{ content, attachedFileUrls, storedFileUrls },
      },
    ],
  });

  test("an answer to a file question is parsed into files", () => {
    expect(
      answerParts(answered("https://a.example/x%20y.pdf, https://b.example/", ["https://b.example/"]), question),
    ).toEqual({
      files: [
        { url: "https://a.example/x%20y.pdf", isStored: false, name: "x y.pdf" },
        { url: "https://b.example/", isStored: true, name: "b.example" },
      ],
      text: "",
    });
  });

  test("a file in the text and the attachments of an answer is shown once", () => {
    const own = "https://b.example/1.pdf";
    expect(answerParts(answered(own, [own], [own]), question)).toEqual({
      files: [{ url: own, isStored: true, name: "1.pdf" }],
      text: "",
    });
  });

  test("an answer to a text question stays a text, next to its attached files", () => {
    const words = { ...question, isFile: false };
    expect(answerParts(answered("https://a.example/x.pdf"), words)).toEqual({
      files: [],
      text: "https://a.example/x.pdf",
    });
    expect(answerParts(answered("See", [], ["https://a.example/%x"]), words)).toEqual({
      files: [{ url: "https://a.example/%x", isStored: false, name: "%x" }],
      text: "See",
    });
    expect(answerParts({ answers: [] }, words)).toEqual({ files: [], text: "" });
  });
});

inBrowser("files of results are shown by name", async ({ page, context, problems }) => {
  const { client } = host.api;
  const ask = { id: "ask", type: "file input", options: { isMultipleAllowed: true, variableId: idOf("v1") } };
  const bot = await host.publish({ ...flowOf([ask]), variables: [{ id: idOf("v1"), name: "Photos" }] });
  const started = await client.post(`/api/v1/bots/${bot.publicId}/startChat`, { body: {} });
  const sessionId = started.text("sessionId");
  const asked = await askToUpload(client, sessionId, { blockId: "ask", fileName: "cat.png", fileType: "image/png" });
  await put(client, asked, pixel);
  const stored = asked.text("fileUrl");
  const message = `${stored}, https://files.example.com/cv%20of%20Ada.pdf`;
  await client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body: { message } });

  await host.signIn(context);
  await page.goto(`${host.builder}/bots/${bot.botId}/results`);
  const row = page.locator("tbody tr").first();
  await row.getByRole("button", { name: "PNG file" }).waitFor();
  const link = row.getByRole("link", { name: "cv of Ada.pdf" });
  expect(await link.getAttribute("href")).toBe("https://files.example.com/cv%20of%20Ada.pdf");
  expect(await row.textContent()).toContain("not stored here");
  expect(await row.textContent()).not.toContain("http");
  expect(await axeProblems(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    row.getByRole("button", { name: "PNG file" }).click(),
  ]);
  expect(await Bun.file(await download.path()).bytes()).toEqual(pixel);

  await row.getByRole("link").first().click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("tab", { name: "Data" }).click();
  await sheet
    .getByRole("button", { name: /^cat\.png/ })
    .first()
    .waitFor();
  await sheet.locator("img.results-thumbnail").first().waitFor();
  expect(await sheet.getByRole("tabpanel").textContent()).not.toContain("http");
  expect(await axeProblems(page)).toEqual([]);
  expect(problems).toEqual([]);
});
