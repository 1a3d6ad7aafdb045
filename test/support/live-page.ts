import type { Page } from "playwright-core";

/** Opens a chat and waits until it is live and has started. Returns the id of its session. */
export async function openChat(page: Page, address: string): Promise<string> {
  // JSON, or events if the start takes more than a second. Read at once, since Chromium soon drops it.
  const started = page.waitForResponse("**/startChat").then((response) => response.text());
  const [answer] = await Promise.all([started, page.goto(address)]);
  await page.locator("body.is-live form").waitFor();
  const id = /"sessionId":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error("The chat started without a session");
  return id;
}

/**
 * Opens a chat and waits until its script has taken over: before that the browser itself posts the form, and shows
 * another page.
 */
export async function openLive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("body.is-live").waitFor();
}

/** Answers the open text field. */
export async function answer(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await page.keyboard.press("Enter");
}
