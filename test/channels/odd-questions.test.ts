import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Channel } from "../../src/core/channels/channel.ts";
import { channels, piecesOfSteps } from "../../src/core/channels/index.ts";
import { textsOf } from "../../src/core/channels/texts.ts";
import { limits } from "../../src/limits/index.ts";
import { newId } from "../../src/platform/ids.ts";
import { type FakeTelegram, startFakeTelegram } from "../fake-channels/telegram.ts";

let telegram: FakeTelegram;

beforeAll(async () => {
  telegram = await startFakeTelegram();
});
afterAll(() => telegram.close());

const family = "👨‍👩‍👧‍👦";
const titles: Readonly<Record<string, (index: number) => string>> = {
  equal: () => "Tea",
  empty: () => "",
  blank: () => " \n ",
  "very long": (index) => `${index} ${"long ".repeat(1_000)}`,
  "of two lines": (index) => `Tea\r\n${index}`,
  "from right to left": (index) => `\u202eشاي ${index}`,
  "of emoji families": (index) => family.repeat(1 + (index % 12)),
};
const counts = [0, 1, 31, 200];
const image = "https://example.com/a.png";

const questions: Readonly<Record<string, (count: number, titleOf: (index: number) => string) => object>> = {
  choice: (count, titleOf) => ({ type: "choice input", items: itemsOf(count, (at) => ({ content: titleOf(at) })) }),
  "choice of several": (count, titleOf) => ({
    type: "choice input",
    options: { isMultipleChoice: true, buttonLabel: titleOf(0) },
    items: itemsOf(count, (at) => ({ content: titleOf(at) })),
  }),
  "choice of pictures": (count, titleOf) => ({
    type: "picture choice input",
    items: itemsOf(count, (at) => ({ title: titleOf(at), description: titleOf(at), pictureSrc: image })),
  }),
  "set of cards": (count, titleOf) => ({
    type: "cards",
    items: itemsOf(count, (at) => ({
      ...{ title: titleOf(at), description: titleOf(at), ...(at % 2 === 0 && { imageUrl: image }) },
      paths: itemsOf(at % 4, (path) => ({ text: titleOf(path) })),
    })),
  }),
};

function itemsOf(count: number, partsOf: (index: number) => object): object[] {
  return Array.from({ length: count }, (_, index) => ({ id: `i${index}`, ...partsOf(index) }));
}

function shown(channel: Channel, said: readonly object[], input: object, texts = textsOf(undefined)) {
  const id = newId();
  const messages = said.map((content, index) => ({ id: `b${index}`, type: "text", content }));
  return piecesOfSteps([{ messages, clientSideActions: [], input: { id: "q", ...input } }]).map((piece) =>
    channel.render(piece, { texts, isGroup: false, token: (index) => `${id}.${index}` }),
  );
}

async function refusedBy(said: readonly object[], input: object, texts = textsOf(undefined)): Promise<string[]> {
  const channel = channels.get("telegram");
  if (!channel) throw new Error("There is no such channel");
  const answers = shown(channel, said, input, texts)
    .flatMap(({ messages }) => messages)
    .map(async (message) => {
      const to = { address: { kind: "chat", value: "7" }, messageId: newId() } as const;
      const { path, body } = channel.call(message, to, { settings: {}, secrets: { botToken: telegram.token } });
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(`${telegram.url}${path}`, { method: "POST", headers, body: body ?? "" });
      return answer.status === 200 ? [] : [await answer.text()];
    });
  return (await Promise.all(answers)).flat();
}

const bold = (text: string) => ({ text, bold: true });
const said: Readonly<Record<string, object[]>> = {
  nothing: [],
  "marks inside words": [{ richText: [{ type: "p", children: [{ text: "un" }, bold("bold"), { text: "ed*_" }] }] }],
  "50,000 characters": [{ richText: [{ type: "p", children: [bold(`${family} word. `.repeat(2_800))] }] }],
};

test.each(Object.keys(questions))(
  "the fake Telegram accepts a %s with 0, 1, 31 and 200 items and with unusual titles",
  async (name) => {
    for (const count of counts) {
      for (const [kind, titleOf] of Object.entries(titles)) {
        const before = Object.values(said)[(count + kind.length) % 3] ?? [];
        const input = questions[name]?.(count, titleOf) ?? {};
        expect([name, count, kind, await refusedBy(before, input)]).toEqual([name, count, kind, []]);
      }
    }
  },
);

test.each([...channels])(
  "the channel %s shows a button with a unique title for each item, up to a limit",
  (type, channel) => {
    for (const count of counts) {
      for (const [kind, titleOf] of Object.entries(titles)) {
        const rendered = shown(channel, [], questions["choice"]?.(count, titleOf) ?? {});
        const replies = rendered.flatMap(({ acts }) => [...acts.values()].filter((act) => act.kind === "reply"));
        const onPage = Math.min(count, channel.capabilities.buttons.most, limits.channels.itemsShown);
        expect([type, kind, count, replies.length]).toEqual([type, kind, count, onPage]);
        const words = rendered.flatMap(({ messages }) =>
          messages.flatMap((message) => channel.wordsOf(message).choices),
        );
        expect(new Set(words).size).toBe(words.length);
        expect(rendered.some(({ losses }) => losses.includes("items_left_out"))).toBe(
          count > limits.channels.itemsShown,
        );
      }
    }
  },
);

test.each(Object.entries(said))("the fake Telegram accepts a question below this text: %s", async (_, before) => {
  expect(await refusedBy(before, questions["choice"]?.(3, String) ?? {})).toEqual([]);
  expect(await refusedBy(before, { type: "text input", options: { followUps: ["", " ", "Tea"] } })).toEqual([]);
});

test("a payment without a button text shows the address of the payment page", async () => {
  const input = { type: "payment input", runtimeOptions: { pageUrl: "https://pay.example/1", amountLabel: "3 €" } };
  for (const pay of ["", null]) expect(await refusedBy([], input, textsOf({ pay }))).toEqual([]);
  expect(telegram.shown.slice(-2).map(({ text }) => text)).toEqual(Array(2).fill("3 €\nhttps://pay.example/1"));
});

test("a connection with blank texts still sends valid messages", async () => {
  const names = Object.keys(textsOf(undefined));
  const texts = textsOf(Object.fromEntries(names.map((name) => [name, " "])));
  for (const ask of Object.values(questions)) expect(await refusedBy([], ask(31, String), texts)).toEqual([]);
  for (const type of ["phone number input", "date input", "rating input"])
    expect(await refusedBy([], { type }, texts)).toEqual([]);
  expect(await refusedBy([], { type: "file input", options: { isRequired: false } }, texts)).toEqual([]);
});

test("buttons are shown even if there is no text above them", async () => {
  const texts = textsOf({ choose: "" });
  const before = telegram.shown.length;
  expect(await refusedBy([], questions["choice"]?.(2, String) ?? {}, texts)).toEqual([]);
  expect(await refusedBy([], questions["set of cards"]?.(2, () => "") ?? {}, texts)).toEqual([]);
  const keyboards = telegram.shown.slice(before).filter(({ body }) => body["reply_markup"] !== undefined);
  expect(keyboards).toHaveLength(3);
});

test("a bubble of 50,000 characters becomes at most ten messages", () => {
  for (const [type, channel] of channels) {
    const [{ messages = [], losses = [] } = {}] = shown(channel, said["50,000 characters"] ?? [], {
      type: "text input",
    });
    const last = messages.at(-1);
    expect([type, messages.length <= limits.channels.textParts]).toEqual([type, true]);
    expect([type, last !== undefined && channel.wordsOf(last).text.endsWith("…")]).toEqual([
      type,
      losses.includes("text_cut"),
    ]);
  }
});
