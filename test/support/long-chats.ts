import type { Page } from "playwright-core";
import { idOf } from "./builder-ids.ts";
import { asks, flowOf, says } from "./chat.ts";

/** A flow that repeats a question for a text. Each answer is a text of some lines that quotes the reply. */
export const endless = flowOf([
  says("What do you want to know?"),
  asks("text input", { variableId: idOf("Name") }, { id: "ask" }),
  says(
    `Of {{Name}} there are three kinds, told from each other by colour and smell. ${"It grows on hills, where mornings are cold. ".repeat(8)}`,
  ),
  { id: "jump", type: "Jump", options: { groupId: idOf("g0"), blockId: "ask" } },
]);

/** Creates a chat with this number of messages through the API: a question, then replies and answers. */
export async function talk(origin: string, publicId: string, messages: number): Promise<Chat> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { sessionId, resultId } = await post(`/api/v1/bots/${publicId}/startChat`, {});
  for (let said = 1; said < messages; said += 2)
    await post(`/api/v1/sessions/${sessionId}/continueChat`, { message: `kind ${said}` });
  return { publicId, sessionId, resultId };
}

type Chat = { readonly publicId: string; readonly sessionId: string; readonly resultId: string };

/** Opens a chat's page, as after a reload, and waits until it is complete. */
export async function openChat(page: Page, address: string, { publicId, ...ids }: Chat, messages: number) {
  await page.addInitScript(
    ([key, remembered]) => {
      if (history.state === null) history.replaceState({ [key]: remembered }, "");
    },
    [`parley-chat-${publicId}`, ids] as const,
  );
  await page.goto(address);
  await page.waitForFunction((count) => document.querySelectorAll(".chunk-entries > *").length >= count, messages);
  await page.getByRole("textbox").focus();
}

/** Sends a message in the chat, and waits until the bot has answered and repeated its question. */
export async function say(page: Page, text: string): Promise<void> {
  // This code does not read the whole transcript, so that only the page's own work is measured.
  const answered = page.evaluate(
    (said) =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          const isAnswered = document.getElementById("last-answer")?.textContent?.includes(said);
          const field = document.activeElement;
          const isAsked = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
          if (isAnswered && document.getElementById("question") && isAsked && field.value === "") resolve();
          else requestAnimationFrame(check);
        };
        const watch = new MutationObserver(() => {
          watch.disconnect();
          check();
        });
        watch.observe(document.querySelector(".transcript") ?? document, { childList: true, subtree: true });
      }),
    text,
  );
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await answered;
}
