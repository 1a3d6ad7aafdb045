import type { SeenPage, visitor } from "../../../support/web-page.ts";
import { happens } from "../model.ts";
import { moveNow, noteSeen, plain, watchAll } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { ask, type Chat, momentFrom, outsideOf, type Run } from "../run.ts";
import { type Outside, waitingPart } from "../walk.ts";
import type { Act } from "./act.ts";
import { asksNow, holdPrepared, rightReply } from "./talk.ts";

export const pageActs: readonly Act[] = [
  {
    name: "postForm",
    means: "A visitor without scripts posts the form of the newest page.",
    often: 4,
    when: (_, chat) => asksNow(chat) && chat.page?.revision === chat.model.revision && chat.page.now.form !== undefined,
    async run(run, chat, pick) {
      const { page, model } = chat;
      if (!page) return;
      const begunAt = run.world.now();
      const message = rightReply(run, chat, pick);
      const now = await post(page.browser, page.now, chat, message);
      moveNow(chat);
      const step = happens.answer(model, message, outsideAfterPage(run, now), momentFrom(run, begunAt));
      model.unseen = undefined;
      holdPage(chat, now, step.said);
      chat.page = { browser: page.browser, now, former: page.now, revision: model.revision };
      await learn(run, chat);
    },
  },
  {
    name: "postFormerForm",
    means: "A visitor without scripts posts the form of a page before the newest one, with other words.",
    often: 2,
    when: (_, { page, model }) => page?.former?.form !== undefined && page.revision === model.revision,
    async run(run, chat) {
      const { page } = chat;
      if (!page?.former) return;
      const fields = page.former.form?.fields ?? [];
      const isText = fields.some(({ name }) => name === "text");
      const button = page.former.form?.buttons.find(({ name }) => name !== "")?.label;
      if (!isText && button === undefined) return;
      const now = await (isText
        ? page.browser.post(page.former, { text: "other words" })
        : page.browser.post(page.former, {}, button));
      hold("former", now.status === 200, { status: now.status });
      const read = await ask(run, "get", `/sessions/${chat.sessionId}`);
      holdEqual("former", {
        expected: chat.model.revision,
        seen: read.at("session.revision"),
        note: "A former form was posted",
      });
      await watchAll(run);
    },
  },
];

export type Browser = ReturnType<typeof visitor>;

/** Submits the form of a page as its visitor would. */
export function post(
  browser: Browser,
  page: SeenPage,
  { model }: Pick<Chat, "model">,
  message: string,
): Promise<SeenPage> {
  const part = waitingPart(model.state);
  return part && "choose" in part ? browser.post(page, {}, message) : browser.post(page, { text: message });
}

/** Compares the end of a page with the last step. */
export function holdPage({ model }: Pick<Chat, "model">, page: SeenPage, said: readonly string[]): void {
  const seen = said.length === 0 ? [] : page.said.slice(-said.length).map((line) => inOwnWords(plain(line)));
  const expected = said.map((text) => inOwnWords(`bot: ${text}`));
  holdEqual("shown", { flow: model.flow, page: page.status, expected, seen });
}

const paymentRefused = "bot: A payment of ";

/** Shortens the sentence about a refused payment, because pages show it in the visitor's language. */
function inOwnWords(line: string): string {
  return line.startsWith(paymentRefused) ? paymentRefused : line;
}

/**
 * Returns the responses of external servers for a page's step. While the provider is unavailable, the step's payment
 * may have been refused.
 */
export function outsideAfterPage(run: Run, page: SeenPage): Outside {
  const isPaymentRefused = run.away > 0 && page.said.some((line) => line.startsWith(paymentRefused));
  holdPrepared(run, isPaymentRefused, page.said);
  return outsideOf(run, { isPaymentRefused });
}

/** Reads the data that a page does not show from the session of its chat. */
export async function learn(run: Run, chat: Chat): Promise<void> {
  const read = await ask(run, "get", `/sessions/${chat.sessionId}`);
  noteSeen(run, chat, {
    at: (path) =>
      read.at(
        path.startsWith("input") ? `session.${path}` : `session.steps.${read.list("session.steps").length - 1}.${path}`,
      ),
  });
}
