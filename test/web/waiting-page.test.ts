import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "../../src/service/app.ts";
import { flowOf, publish, says } from "../support/chat.ts";
import { createModelChats, type ModelChats } from "../support/model-chats.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { waitFor } from "../support/wait.ts";
import { visitor } from "../support/web-page.ts";

let chats: ModelChats;

beforeAll(async () => {
  chats = await createModelChats();
});
afterAll(() => chats.close());

/** Creates the service with a clock that the test controls, and a visitor. */
function visit() {
  const clock = createVirtualClock();
  const app = createApp({ ...chats.api.deps, clock });
  const held = Promise.withResolvers<void>();
  const unwatch = chats.model.onAsked(() => held.promise);
  return {
    clock,
    browser: visitor({ handle: (request) => app.handle(request) }),
    letGo(): void {
      unwatch();
      held.resolve();
    },
  };
}

test("posting the same form again continues a slow first step", async () => {
  const { token, workspaceId, api, model } = chats;
  const [, block, shows] = chats.answers({});
  const flow = flowOf([says("Welcome"), block ?? {}, shows ?? {}]);
  const { publicId } = await publish(api.client, { token, workspaceId }, flow);
  const { clock, browser, letGo } = visit();
  const calls = model.asked.length;
  const first = await browser.visit(`/${publicId}`);

  const posted = browser.post(first, {}, "Continue");
  await waitFor(() => model.asked.length > calls, { what: "the model to be asked" });
  await clock.advance(20_000);
  const page = await posted;
  letGo();
  const whole = await browser.post(page, {}, "Continue");

  expect({ said: page.said, remarks: page.remarks }).toEqual({
    said: ["bot: Welcome"],
    remarks: ["One moment, please…"],
  });
  expect(whole.said).toEqual(["bot: Welcome", "bot: Answer: You said: I am"]);
  expect(model.asked.length - calls).toBe(1);
});

test("a page without script waits 20 seconds for an answer", async () => {
  const { token, workspaceId, api, model } = chats;
  const { publicId } = await publish(api.client, { token, workspaceId }, flowOf(chats.answers({})));
  const { clock, browser, letGo } = visit();
  const calls = model.asked.length;
  const first = await browser.visit(`/${publicId}`);

  const posted = browser.post(first, { text: "Ana" });
  await waitFor(() => model.asked.length > calls, { what: "the model to be asked" });
  await clock.advance(20_000);
  const page = await posted;
  const again = await browser.visit(`/${publicId}`);

  expect(page.said).toEqual(["visitor: Ana"]);
  for (const { remarks, form, html } of [page, again]) {
    expect({ remarks, form }).toEqual({ remarks: ["One moment, please…"], form: undefined });
    expect(html).toContain(`http-equiv="refresh" content="5; url=/${publicId}"`);
  }
  letGo();
  const whole = await waitFor(async () => {
    const { said, html } = await browser.visit(`/${publicId}`);
    return html.includes("http-equiv") ? undefined : said;
  });
  expect(whole).toEqual(["visitor: Ana", "bot: Answer: You said: I am Ana"]);
  expect(model.asked.length - calls).toBe(1);
});
