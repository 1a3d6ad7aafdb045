import type { Page } from "playwright-core";

/** Opens a chat and waits until it has started and is interactive. Returns the id of its session. */
export async function openChat(page: Page, address: string): Promise<string> {
  // The response is JSON, or events if the start takes more than a second. It is read immediately, because Chromium
  // soon discards it.
  const started = page.waitForResponse("**/startChat").then((response) => response.text());
  const [answer] = await Promise.all([started, page.goto(address)]);
  await page.locator("body.is-live form").waitFor();
  const id = /"sessionId":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error("The chat started without a session");
  return id;
}

/**
 * Opens a chat and waits until its script is active. Before that, the browser itself would submit the form and show
 * another page.
 */
export async function openLive(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("body.is-live").waitFor();
}

/** Types a text into the input field and sends it. */
export async function answer(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await page.keyboard.press("Enter");
}
