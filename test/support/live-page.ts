import type { Page } from "playwright-core";

/** Opens a chat and waits until it is live and has started. Gives the id of its session. */
export async function openChat(page: Page, address: string): Promise<string> {
  const started = page.waitForResponse("**/startChat");
  await page.goto(address);
  const answer: unknown = await (await started).json();
  await page.locator("body.is-live form").waitFor();
  const id = answer !== null && typeof answer === "object" && "sessionId" in answer ? answer.sessionId : undefined;
  if (typeof id !== "string") throw new Error("The chat started without a session");
  return id;
}

/** Answers the open text field. */
export async function answer(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox").fill(text);
  await page.keyboard.press("Enter");
}
