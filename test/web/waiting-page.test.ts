import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "../../src/app.ts";
import { flowOf, publish } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";
import { visitor } from "../support/web-page.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats();
});
afterAll(() => chats.close());

test("without script a page waits 20 seconds for an answer, then shows what there is and looks again", async () => {
  const { token, workspaceId, api, model } = chats;
  const { publicId } = await publish(api.client, { token, workspaceId }, flowOf(chats.answers({})));
  const clock = createVirtualClock();
  const app = createApp({ ...api.deps, clock });
  const browser = visitor({ handle: (request) => app.handle(request) });
  const held = Promise.withResolvers<void>();
  const unwatch = model.onAsked(() => held.promise);
  const first = await browser.visit(`/${publicId}`);

  const posted = browser.post(first, { text: "Ana" });
  await waitFor(() => model.asked.length > 0, { what: "the model to be asked" });
  await clock.advance(20_000);
  const page = await posted;
  const again = await browser.visit(`/${publicId}`);

  expect(page.said).toEqual(["visitor: Ana"]);
  for (const { remarks, form, html } of [page, again]) {
    expect({ remarks, form }).toEqual({ remarks: ["One moment, please…"], form: undefined });
    expect(html).toContain(`http-equiv="refresh" content="5; url=/${publicId}"`);
  }
  unwatch();
  held.resolve();
  const whole = await waitFor(async () => {
    const { said, html } = await browser.visit(`/${publicId}`);
    return html.includes("http-equiv") ? undefined : said;
  });
  expect(whole).toEqual(["visitor: Ana", "bot: Answer: You said: I am Ana"]);
  expect(model.asked.length).toBe(1);
});
