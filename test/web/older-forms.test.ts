import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createDueWorld, type DueWorld } from "../chat/due/due-world.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { moveClock } from "../support/moved-clock.ts";
import { type SeenPage, visitor } from "../support/web-page.ts";

let world: DueWorld;

beforeAll(async () => {
  world = await createDueWorld();
});
afterEach(async () => {
  await moveClock(world.api.deps.sql, 0);
  await world.api.deps.sql`truncate due_steps`;
});
afterAll(() => world.close());

const settings = { general: { isGoBackEnabled: true } };
const colour = asks("text input", { variableId: idOf("Name") }, { id: idOf("colour") });
const mail = asks("email input", { variableId: idOf("Email") });
const size = asks("text input", {}, { id: idOf("size") });
const threeQuestions = flowOf([says("Name?"), asks("text input"), says("Colour?"), colour, says("Size?"), size]);
const jump = { id: idOf("jump"), type: "Jump", options: { groupId: idOf("g1") } };
const timedColour = { ...colour, options: { timeout: { after: 60, outgoingEdgeId: idOf("e2") } } };

/** Starts a chat and answers its first question. */
async function begin(flow: { readonly edges: readonly object[] }) {
  const edges = [...flow.edges, { id: idOf("on"), from: { blockId: idOf("x") }, to: { groupId: idOf("g1") } }];
  const bot = await world.make({ ...flow, edges, settings });
  const browser = visitor(world.api);
  const page = await browser.post(await browser.visit(`/${bot.publicId}`), { text: "Ana" });
  return { bot, browser, page, sessionId: page.form?.hidden["session"] ?? "" };
}

const fieldOf = (page: SeenPage) => page.form?.fields.find(({ name }) => name === "text")?.value;
const answersOf = async ({ botId }: { botId: string }) => {
  const rows = await world.api.deps.sql<{ content: string }[]>`
    select content from answers where bot_id = ${botId} and replaced_at is null order by revision`;
  return rows.map(({ content }) => content);
};
const alreadyAnswered = "You have already answered this question. The chat continues here.";
const timeOver = "The time for that question is over. The chat continues here.";
const moved = "The conversation has moved on. Please answer here.";

describe("the step number of a page without scripts", () => {
  test("an older window cannot answer another question", async () => {
    const { bot, browser, page } = await begin(threeQuestions);
    await browser.post(page, { text: "blue" });

    // The page in another window has a different key.
    const older = { ...page, forms: page.forms, form: withKey(page, "another-window-of-it") };
    const late = await browser.post(older, { text: "red" });

    expect(page.form?.hidden["revision"]).toBe("2");
    expect(late.said.at(-1)).toBe("bot: Size?");
    expect(late.remarks).toEqual([alreadyAnswered]);
    expect(fieldOf(late)).toBe("red");
    expect(await answersOf(bot)).toEqual(["Ana", "blue"]);
    await browser.post(late, { text: "large" });
    expect(await answersOf(bot)).toEqual(["Ana", "blue", "large"]);
  });

  test("a form that is posted twice counts once", async () => {
    const { bot, browser, page } = await begin(threeQuestions);
    await browser.post(page, { text: "blue" });
    const again = await browser.post(page, { text: "blue" });

    expect(again.remarks).toEqual([alreadyAnswered]);
    expect(fieldOf(again)).toBe("");
    expect(await answersOf(bot)).toEqual(["Ana", "blue"]);
  });

  test("an older window cannot undo an answer of another window", async () => {
    const { bot, browser, page } = await begin(threeQuestions);
    await browser.post(page, { text: "blue" });

    const late = await browser.post(page, {}, "Change last answer");

    expect(late.remarks).toEqual([moved]);
    expect(await answersOf(bot)).toEqual(["Ana", "blue"]);
    const now = await browser.post(late, {}, "Change last answer");
    expect(fieldOf(now)).toBe("blue");
    expect(await answersOf(bot)).toEqual(["Ana"]);
  });

  test("an answer counts once if another window was refused in the meantime", async () => {
    const { bot, browser, page } = await begin(flowOf([says("Name?"), asks("text input"), says("Mail?"), mail]));
    await browser.post(page, { text: "no mail" });
    const older = { ...page, form: withKey(page, "another-window-of-it") };

    const taken = await browser.post(older, { text: "ana@example.com" });
    const again = await browser.post(older, { text: "ana@example.com" });

    expect(taken.said.at(-1)).toBe("visitor: ana@example.com");
    expect(again.remarks).toEqual(taken.remarks);
    expect(await answersOf(bot)).toEqual(["Ana", "ana@example.com"]);
  });
});

describe("a late answer without scripts", () => {
  test("a late answer gets a time-out notice at the repeated question", async () => {
    const { bot, browser, page } = await begin(hurriedOn());
    await world.pass(61);

    const late = await browser.post(page, { text: "blue" });

    expect(late.said).toEqual(["bot: Name?", "visitor: Ana", "bot: Colour?", "bot: Hurry", "bot: Colour?"]);
    expect(late.remarks).toEqual([timeOver]);
    expect(fieldOf(late)).toBe("blue");
    expect(await answersOf(bot)).toEqual(["Ana"]);
    const counted = await browser.post(late, { text: "blue" });
    expect(counted.said.at(-1)).toBe("bot: Thanks");
    expect(await answersOf(bot)).toEqual(["Ana", "blue"]);
  });

  test("a late answer gets a time-out notice if the chat has ended", async () => {
    const { bot, browser, page } = await begin(hurriedOn([[says("Colour?"), timedColour], [says("Bye")]]));
    await world.pass(61);

    const late = await browser.post(page, { text: "blue" });

    expect(late.said.at(-1)).toBe("bot: Bye");
    expect(late.remarks).toContain(timeOver);
    expect(await answersOf(bot)).toEqual(["Ana"]);
  });

  test("a late answer without a step number counts for the open question", async () => {
    const { bot, browser, page } = await begin(hurriedOn());
    await world.pass(61);
    const { revision: _, ...hidden } = page.form?.hidden ?? {};
    const former = { ...page, form: page.form && { ...page.form, hidden } };

    await browser.post(former, { text: "blue" });

    expect(await answersOf(bot)).toEqual(["Ana", "blue"]);
  });
});

describe("an impossible step number in a form", () => {
  for (const revision of ["-1", "0", "1.5", "x", "01", "2147483648", "99999999999"])
    test(`an impossible step number in a form is refused: ${revision}`, async () => {
      const { bot, browser, page } = await begin(threeQuestions);
      const form = page.form && { ...page.form, hidden: { ...page.form.hidden, revision } };
      expect((await browser.post({ ...page, form, forms: [] }, { text: "blue" })).status).toBe(400);
      expect(await answersOf(bot)).toEqual(["Ana"]);
    });

  test("a form with a step number from the future changes nothing", async () => {
    const { bot, browser, page } = await begin(threeQuestions);
    const form = page.form && { ...page.form, hidden: { ...page.form.hidden, revision: "9" } };

    const late = await browser.post({ ...page, form, forms: [] }, { text: "blue" });

    expect(fieldOf(late)).toBe("blue");
    expect(await answersOf(bot)).toEqual(["Ana"]);
  });
});

/**
 * Returns a flow with a first question, followed by a timed question. By default, the time-out repeats the timed
 * question.
 */
function hurriedOn(
  others: readonly (readonly object[])[] = [
    [says("Colour?"), timedColour, says("Thanks")],
    [says("Hurry"), jump],
  ],
) {
  return flowOf([says("Name?"), asks("text input", {}, { outgoingEdgeId: idOf("on") })], ...others);
}

function withKey({ form }: SeenPage, key: string) {
  return form && { ...form, hidden: { ...form.hidden, key } };
}
