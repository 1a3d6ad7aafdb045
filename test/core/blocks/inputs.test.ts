import { describe, expect, test } from "bun:test";
import type { Reply } from "../../../src/core/interpreter/program/state.ts";
import vectors from "./input-vectors.json";
import { play, type Scene } from "./one-block.ts";

const variables = { m: "5", zero: "0", word: "abc", Pattern: "yyyy/MM/dd", Last: "2024-01-10T18:00:00.000Z" };

/**
 * Replies and their stored values. The value of a rejected reply is null. Names such as `I1` identify test vectors of
 * the flow language.
 */
describe.each(vectors)("$vector: $type", ({ type, options, reply, answer }) => {
  test(`with the options ${JSON.stringify(options)}, the reply ${JSON.stringify(reply)} gives ${JSON.stringify(answer)}`, () => {
    const scene = play({ block: { type, options }, variables });
    const said = scene.say(reply);
    expect(said.answer).toBe(answer);
    expect(said.input).toEqual(answer === null ? scene.asked.input : null);
  });
});

describe("a long reply", () => {
  const url = (length: number) => `x.com/${"a".repeat(length - 6)}`;
  const blanks = " ".repeat(2_000);
  test.each([
    ["url input", "accepted up to the length limit of an address", url(2_083), url(2_083)],
    ["url input", "rejected above the length limit of an address", url(2_084), null],
    ["phone number input", "rejected because it is too long to be searched", `+33612345678${blanks}`, null],
    ["date input", "rejected because it is too long to be searched", `2024-05-31${blanks}`, null],
  ])("a long reply to a %s is %s", (type, _, reply, answer) => {
    expect(play({ block: { type } }).say(reply).answer).toBe(answer);
  });
});

/** A payment that a provider would accept. */
const payable = { credentialsId: "c", amount: "5" };
const granted = { kind: "payment", paymentIntentSecret: "secret", publicKey: "pk" } as const;

describe("a reply that is not text", () => {
  const audio: Reply = { type: "audio", url: "https://files.example.com/voice.webm" };
  const only = {
    type: "text input",
    options: { variableId: "v_Kept", audioClip: { isEnabled: true, saveVariableId: "v_Clip" } },
  };

  test("I22: the address of an audio reply is the answer", () => {
    const said = play({ block: only, variables: { Kept: "before", Clip: null } }).say(audio);
    expect(said).toMatchObject({ answer: audio.url, variables: { Kept: "before", Clip: audio.url } });
  });

  test("I22: an empty text clears the variable", () => {
    const said = play({
      block: { type: "text input", options: { variableId: "v_Kept" } },
      variables: { Kept: "before" },
    }).say("");
    expect(said).toMatchObject({ answer: "", variables: { Kept: null } });
  });

  test("I20: a required file input rejects an empty reply", () => {
    const outgoingEdgeId = "on";
    const required = play({ block: { type: "file input" } });
    expect(required.say(null)).toMatchObject({ answer: null, input: { type: "file input" } });
    const optional = play({ block: { type: "file input", options: { isRequired: false }, outgoingEdgeId } });
    expect(optional.say(null)).toMatchObject({ answer: null, input: null, edge: "on" });
  });

  test("a file input accepts a voice clip", () => {
    expect(play({ block: { type: "file input" } }).say(audio).answer).toBe(audio.url);
  });

  test("a file input rejects a file of another chat", () => {
    const [own, strange] = ["https://files.example.com/own.png", "https://files.example.com/strange.png"];
    const scene = play({ block: { type: "file input", options: { isMultipleAllowed: true } } });
    const text = `${own}, ${strange}`;
    expect(scene.say({ type: "text", text }).answer).toBe(text);
    expect(scene.say({ type: "text", text, strangeFileUrls: [strange] }).answer).toBe(null);
  });

  const others = [
    "number",
    "email",
    "url",
    "phone number",
    "date",
    "time",
    "rating",
    "choice",
    "picture choice",
    "payment",
  ];
  test.each([...others.map((word) => `${word} input`), "cards"])(
    "the block %s accepts neither audio nor an empty reply",
    (type) => {
      const items = [{ id: "a", content: "A", title: "A" }];
      const scene = play({ block: { type, items, options: payable }, report: granted });
      for (const reply of [audio, null]) expect(scene.say(reply)).toMatchObject({ answer: null, input: { type } });
    },
  );
});

describe("I23: the message after a rejected reply", () => {
  const system = { general: { systemMessages: { invalidMessage: "Nope {{Name}}" } } };
  const emailText = "This email doesn't seem to be valid. Can you type it again?";
  const common = "Invalid message. Please, try again.";
  const own = { retryMessageContent: "Again, {{Name}}?" };
  const sayings: readonly (readonly [string, Scene["block"], Record<string, unknown>, string])[] = [
    ["email, by default", { type: "email input" }, system, emailText],
    ["email, with the author's text", { type: "email input", options: own }, system, "Again, Bob?"],
    ["url, by default", { type: "url input" }, {}, common],
    ["url, with the bot's text", { type: "url input" }, system, "Nope Bob"],
    ["url, with the author's text", { type: "url input", options: own }, system, "Again, Bob?"],
    ["phone, by default", { type: "phone number input" }, {}, common],
    ["phone, with the author's text", { type: "phone number input", options: own }, {}, "Again, Bob?"],
    ["number, with the bot's text", { type: "number input" }, system, "Nope Bob"],
    ["payment, by default", { type: "payment input", options: payable }, system, "Payment failed. Please, try again."],
    [
      "payment, with the author's text",
      { type: "payment input", options: { ...payable, ...own } },
      system,
      "Again, Bob?",
    ],
  ];

  test.each(sayings)("a rejected reply is followed by the expected message: %s", (_, block, settings, text) => {
    const said = play({ block, settings, variables: { Name: "Bob" }, report: granted }).say("§");
    expect(said.messages).toMatchObject([{ id: "block", type: "text", content: { plainText: text } }]);
    expect(said).toMatchObject({ answer: null, logs: [], actions: [], lastMessageNewFormat: null });
  });
});

describe("an input for the client", () => {
  const shown: readonly (readonly [string, Scene["block"], unknown])[] = [
    [
      "no limit whose variable is empty",
      { type: "number input", options: { min: "{{Nothing}}", max: "{{m}}", step: "0,5", unknownKey: 1 } },
      { id: "block", type: "number input", options: { max: 5, step: 0.5 } },
    ],
    [
      "the variable's value as the prefilled value",
      { type: "url input", options: { variableId: "v_word" } },
      { id: "block", type: "url input", options: { variableId: "v_word" }, prefilledValue: "abc" },
    ],
    [
      "unchanged texts in lists",
      { type: "file input", options: { allowedFileTypes: { isEnabled: true, types: ["{{word}}"] } } },
      { id: "block", type: "file input", options: { allowedFileTypes: { isEnabled: true, types: ["{{word}}"] } } },
    ],
    [
      "date limits without their time",
      { type: "date input", options: { min: "{{Last}}", max: "{{Nothing}}", labels: { from: "{{word}}" } } },
      { id: "block", type: "date input", options: { min: "2024-01-10", labels: { from: "abc" } } },
    ],
    [
      "date limits with their time if the input has a time",
      { type: "date input", options: { hasTime: true, max: "{{Last}}" } },
      { id: "block", type: "date input", options: { hasTime: true, max: "2024-01-10T18:00" } },
    ],
    ["no options if none are configured", { type: "time input" }, { id: "block", type: "time input" }],
  ];

  test.each(shown)("the client receives %s", (_, block, input) => {
    expect(play({ block, variables }).asked.input).toEqual(input);
  });

  test("the value of a variable in a date limit is not evaluated as a template", () => {
    const code = { Code: "{{=1+1=}}", Text: "{{word}}" };
    const date = play({
      block: { type: "date input", options: { min: "{{Code}}", max: "{{Text}}" } },
      variables: { ...code, word: "abc" },
    });
    expect(date.asked.input).toMatchObject({ options: { min: "{{=1+1=}}", max: "{{word}}" } });
  });
});
