import { afterAll, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { axeProblems } from "../../support/axe.ts";
import { browserTests, longBrowserTests } from "../../support/browser.ts";
import { flowOf, says } from "../../support/chat.ts";
import { type ChatHost, openChatHost } from "../../support/chat-host.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { named } from "./flows.ts";

const folder = temporaryFolder();
let host: ChatHost;
const inBrowser = browserTests();
const inLongRun = longBrowserTests();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

beforeAll(async () => {
  host = await openChatHost({ config: { DATA_DIR: folder.path } });
});
afterAll(async () => {
  await host.close();
  folder.remove();
});

const withFiles = { attachments: { isEnabled: true } };
const withVoice = { audioClip: { isEnabled: true } };
const letter = { name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all") };

async function open(page: Page, options: object): Promise<void> {
  const { address } = await host.publish(
    flowOf([says("What is it?"), named("said", "text input", options), says("Noted")]),
  );
  await page.goto(address);
  await page.locator("body.is-live").waitFor();
}

/** Simulates a microphone that records a tone. Without `isAllowed`, access to the microphone is denied. */
async function giveMicrophone(page: Page, { isAllowed }: { isAllowed: boolean }): Promise<void> {
  await page.addInitScript((allowed) => {
    const hear = async (): Promise<MediaStream> => {
      if (!allowed) throw new DOMException("No", "NotAllowedError");
      const context = new AudioContext();
      const tone = context.createOscillator();
      const out = context.createMediaStreamDestination();
      tone.connect(out);
      tone.start();
      Object.assign(window, { microphone: out.stream });
      return out.stream;
    };
    Object.defineProperty(navigator.mediaDevices, "getUserMedia", { value: hear });
  }, isAllowed);
}

/** Whether the microphone is still recording. */
function isListening(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const stream: unknown = Reflect.get(window, "microphone");
    return stream instanceof MediaStream && stream.getTracks().some(({ readyState }) => readyState === "live");
  });
}

const answer = (page: Page) => page.locator(".typebot-guest-bubble:not(.is-under-way)");
const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`${selector} is not drawn`);
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
};

inBrowser(
  "text, paperclip, microphone and send button are in one row",
  async ({ page, problems }) => {
    await giveMicrophone(page, { isAllowed: true });
    await open(page, { ...withFiles, ...withVoice });
    await page.getByRole("button", { name: "Record a voice message" }).waitFor();

    const field = await boxOf(page, ".composer");
    const parts = await Promise.all(
      [".composer .text-input", ".composer label.tool", ".record-button", ".send-button"].map((one) =>
        boxOf(page, one),
      ),
    );
    for (const [index, part] of parts.entries()) {
      expect(part.left).toBeGreaterThanOrEqual(parts[index - 1]?.right ?? field.left);
      expect(part.top).toBeGreaterThanOrEqual(field.top);
      expect(part.bottom).toBeLessThanOrEqual(field.bottom);
    }
    expect(field.bottom - field.top).toBeLessThan(60);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  },
  phone,
);

inBrowser("chosen files are shown within the field, with their upload progress", async ({ page, problems }) => {
  await open(page, withFiles);
  const asked = Promise.withResolvers<void>();
  await page.route("**/api/v3/generate-upload-url", async (route) => {
    await asked.promise;
    await route.continue().catch(() => {});
  });
  await page.getByRole("textbox", { name: "What is it?" }).fill("Two letters");
  await page.locator("input[name=file]").setInputFiles([letter, { ...letter, name: "second.txt" }]);

  const field = await boxOf(page, ".composer");
  const chips = await boxOf(page, ".chosen-files");
  expect(chips.top).toBeGreaterThan(field.top);
  expect(chips.bottom).toBeLessThan((await boxOf(page, ".text-input")).top + 1);
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByRole("progressbar", { name: "Uploading letter.txt…" }).waitFor();
  expect(await page.getByRole("textbox").getAttribute("readonly")).not.toBeNull();
  await page.getByRole("button", { name: "Cancel" }).click();
  asked.resolve();
  await page.getByRole("button", { name: "Remove second.txt" }).click();
  await page.getByRole("button", { name: "Send" }).click();

  await answer(page).waitFor();
  expect(await answer(page).textContent()).toBe("letter.txtTwo letters");
  expect(problems).toEqual([]);
});

inLongRun("files that are dropped on the field or pasted into the field are accepted", async ({ page }) => {
  await open(page, withFiles);
  for (const type of ["drop", "paste"]) {
    await page.locator(".composer").evaluate((field, kind) => {
      const data = new DataTransfer();
      data.items.add(new File(["Dear all"], `${kind}.txt`, { type: "text/plain" }));
      const init = { bubbles: true, cancelable: true };
      const event =
        kind === "drop"
          ? new DragEvent("drop", { ...init, dataTransfer: data })
          : new ClipboardEvent("paste", { ...init, clipboardData: data });
      field.querySelector(".text-input")?.dispatchEvent(event);
    }, type);
    await page.getByRole("button", { name: `Remove ${type}.txt` }).waitFor();
  }
  await page.getByRole("button", { name: "Send" }).click();

  await answer(page).waitFor();
  expect(await answer(page).locator(".answer-file").allTextContents()).toEqual(["drop.txt", "paste.txt"]);
});

inBrowser("a voice message can be recorded, played and sent", async ({ page, problems }) => {
  await giveMicrophone(page, { isAllowed: true });
  await open(page, withVoice);
  await page.getByRole("button", { name: "Record a voice message" }).click();
  const timer = page.getByRole("timer");
  await timer.getByText("0:01").waitFor();

  expect(await isListening(page)).toBe(true);
  expect(await axeProblems(page)).toEqual([]);
  // The sound of the microphone is drawn as a waveform.
  await page.waitForFunction(() => {
    const canvas = document.querySelector("canvas");
    const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
    return data?.some((value) => value > 0) === true;
  });
  await page.getByRole("button", { name: "Stop recording" }).click();
  const preview = page.locator(".composer");
  await preview.getByRole("slider", { name: "Recording" }).waitFor();
  expect(await isListening(page)).toBe(false);
  expect(await axeProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.activeElement?.className)).toContain("send-button");
  await preview.getByRole("button", { name: "Play" }).click();
  await preview.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Send" }).click();

  await answer(page).waitFor();
  expect(await answer(page).locator("audio").getAttribute("src")).toMatch(/\.(webm|mp4|ogg)/);
  // Recordings of browsers do not contain their duration.
  await answer(page)
    .getByText(/^0:[0-5][1-9]$/)
    .waitFor();
  await answer(page).getByRole("button", { name: "Play" }).click();
  await answer(page).getByRole("button", { name: "Pause" }).waitFor();
  await answer(page).getByRole("button", { name: "Play" }).waitFor();
  expect(problems).toEqual([]);
});

inLongRun("a discarded recording keeps the text that was typed before", async ({ page }) => {
  await giveMicrophone(page, { isAllowed: true });
  await open(page, withVoice);
  await page.getByRole("textbox").fill("Typed");
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Record a voice message" }).waitFor();
  expect(await isListening(page)).toBe(false);
  await page.getByRole("button", { name: "Record a voice message" }).click();
  await page.getByRole("button", { name: "Stop recording" }).click();
  await page.getByRole("button", { name: "Remove Recording" }).click();
  expect(await page.evaluate(() => document.activeElement?.className)).toContain("record-button");
  await page.getByRole("button", { name: "Send" }).click();
  await answer(page).waitFor();
  expect(await answer(page).textContent()).toBe("Typed");
});

inBrowser("a visitor without access to the microphone is informed, and can type", async ({ page }) => {
  await giveMicrophone(page, { isAllowed: false });
  await open(page, withVoice);
  await page.getByRole("button", { name: "Record a voice message" }).click();

  await page.getByRole("alert").getByText("The microphone cannot be used here.").waitFor();
  await page.getByRole("textbox").fill("Typed");
  await page.keyboard.press("Enter");
  await answer(page).waitFor();
  expect(await answer(page).textContent()).toBe("Typed");
});

for (const { kind, options, isHinted } of [
  { kind: "a desktop", options: {}, isHinted: true },
  { kind: "a phone", options: phone, isHinted: false },
]) {
  inBrowser(
    `the keys that send a long text are shown on ${kind}: ${isHinted}`,
    async ({ page }) => {
      await open(page, { isLong: true });
      expect(await page.getByText("Press Ctrl and Enter to send.").count()).toBe(isHinted ? 1 : 0);
      expect(await page.locator("textarea").getAttribute("aria-describedby")).toBe(isHinted ? "said-keys" : null);
    },
    options,
  );
}

inLongRun(
  "without a script a text with files is a form of plain fields",
  async ({ page }) => {
    const { address } = await host.publish(
      flowOf([says("What is it?"), named("said", "text input", { ...withFiles, ...withVoice }), says("Noted")]),
    );
    await page.goto(address);
    await page.getByRole("button", { name: "Attach files" }).setInputFiles([letter]);
    await page.getByRole("textbox").fill("By post");
    await page.getByRole("button", { name: "Send" }).click();

    await page.getByText("Noted").waitFor();
    expect(await page.locator(".answer-text").textContent()).toBe("By post");
    expect(await page.locator(".answer-file").count()).toBe(1);
  },
  { javaScriptEnabled: false },
);
