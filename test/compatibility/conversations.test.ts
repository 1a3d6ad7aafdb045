import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, says } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot } from "./bot.ts";
import { openPage, type Variant } from "./existing-client.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const published = (flow: object) => publishTypebot(api.client, { token: owner.token, workspaceId }, flow);
const open = (publicId: string, more: object = {}) => openPage({ handle: api.handle, publicId, ...more });
const text = (words: string) => ({ type: "text", text: words });
const resultOf = async (typebotId: string, resultId: string | undefined) =>
  api.client.get(`/api/v1/typebots/${typebotId}/results/${resultId}`, { token: owner.token });

const image = "https://shop.example/tea.png";
const everyInput = flowOf([
  says("Welcome"),
  { id: "picture", type: "image", content: { url: image } },
  asks("text input"),
  asks("number input"),
  asks("email input"),
  asks("url input"),
  asks("phone number input", { defaultCountryCode: "FR" }),
  asks("date input"),
  asks("time input"),
  asks(
    "choice input",
    {},
    {
      items: [
        { id: "yes", content: "Yes" },
        { id: "no", content: "No", value: "never" },
      ],
    },
  ),
  asks("picture choice input", {}, { items: [{ id: "cat", title: "Cat", pictureSrc: image }] }),
  asks("rating input"),
  asks("file input", { isMultipleAllowed: true }),
  asks("cards", {}, { items: [{ id: "tea", title: "Tea", imageUrl: image, paths: [{ id: "buy", text: "Buy" }] }] }),
  says("Thank you"),
]);

test("a ranking and a matrix are answered by number", async () => {
  const { typebotId, publicId } = await published(
    flowOf([
      says("What counts most?"),
      asks("ranking input", {}, { items: ["Price", "Speed"].map((content) => ({ id: content, content })) }),
      says("How was it?"),
      asks("matrix input", { rows: [{ title: "Room" }, { title: "Food" }], columns: ["Bad", "Good"] }),
      says("Thank you"),
    ]),
  );
  const page = await open(publicId);
  expect(page.seen()).toEqual(["What counts most?", "1. Price\n2. Speed"]);
  expect(page.input()?.["type"]).toBe("text input");
  await page.answer(text("2, 1"));
  expect(page.seen().slice(-2)).toEqual(["How was it?", "1. Bad\n2. Good\n\nRoom\nFood"]);
  expect(page.input()?.["type"]).toBe("text input");
  // A number outside the list is rejected, and the list is shown again.
  await page.answer(text("2"));
  expect(page.seen().at(-1)).toBe("1. Bad\n2. Good\n\nRoom\nFood");
  await page.answer(text("2 1"));
  expect(page.seen().at(-1)).toBe("Thank you");
  const result = await resultOf(typebotId, page.started()?.resultId);
  expect(result.at("result.answers.*.content")).toEqual(["Speed, Price", "Room: Good, Food: Bad"]);
});

test("an address is requested as a text input, with the author's labels", async () => {
  const labels = { placeholder: "Street, city", button: "Here" };
  const { typebotId, publicId } = await published(
    flowOf([says("Where?"), asks("address input", { labels, parts: [{ part: "City", variableId: idOf("Name") }] })]),
  );
  const page = await open(publicId);
  expect(page.input()).toMatchObject({ type: "text input", options: { labels } });
  expect(JSON.stringify(page.input())).not.toContain("City");
  await page.answer(text(" "));
  expect(page.isOver()).toBe(false);
  await page.answer(text("12 Main Street"));
  expect(page.isOver()).toBe(true);
  const result = await resultOf(typebotId, page.started()?.resultId);
  expect(result.at("result.answers.*.content")).toEqual(["12 Main Street"]);
});

test("a signature is requested as a picture file", async () => {
  const { typebotId, publicId } = await published(flowOf([says("Sign here"), asks("signature input")]));
  const [page, other] = [await open(publicId), await open(publicId)];
  expect(page.input()).toMatchObject({
    type: "file input",
    options: { allowedFileTypes: { isEnabled: true, types: ["image/png", "image/jpeg"] }, sizeLimit: 5 },
  });
  const png = { name: "photo.png", type: "image/png", content: "drawn" };
  const theirs = await other.upload(png);
  await page.answer(text(theirs));
  expect(page.isOver()).toBe(false);
  await expect(page.upload(pdf("contract"))).rejects.toThrow();
  const mine = await page.upload(png);
  await page.answer({ ...text(mine), attachedFileUrls: [mine] });
  expect(page.isOver()).toBe(true);
  const result = await resultOf(typebotId, page.started()?.resultId);
  expect(result.at("result.answers.*.content")).toEqual([mine]);
  expect(mine).toContain(`/results/${page.started()?.resultId}/files/`);
});

describe("a complete conversation", () => {
  test.each<Variant>(["standard", "bubble", "popup"])(
    "a complete conversation runs through twelve types of inputs on a %s page",
    async (variant) => {
      const { typebotId, publicId } = await published(everyInput);
      const page = await open(publicId, { variant, framedBy: "https://outer.example" });
      const sentUnopened = page.sent.length;
      if (variant !== "standard") await page.open();
      expect(sentUnopened).toBe(variant === "standard" ? 1 : 0);
      expect(page.seen()).toEqual(["Welcome", image]);

      const asked = async (type: string, message: unknown): Promise<void> => {
        expect(page.input()?.["type"]).toBe(type);
        await page.answer(message);
      };
      await asked("text input", text("Hello"));
      await asked("number input", text("1234.5"));
      await asked("email input", text("ADA@Example.com"));
      await asked("url input", text("https://example.org"));
      // The client puts the dial code before the typed number, including the number's leading zero.
      await asked("phone number input", text("+330612345678"));
      await asked("date input", text("2026-12-31"));
      await asked("time input", text("14:30"));
      await asked("choice input", text("never"));
      await asked("picture choice input", text("cat"));
      await asked("rating input", text("8"));
      const files = [await page.upload(pdf("a")), await page.upload(pdf("b"))];
      await asked("file input", { ...text(files.join(", ")), attachedFileUrls: files });
      await asked("cards", { ...text("buy"), metadata: { replyId: "buy" }, attachedFileUrls: [image] });

      expect(page.isOver()).toBe(true);
      expect(page.progress()).toBe(100);
      expect(page.seen()).toEqual(["Welcome", image, "Thank you"]);
      expect(page.logs).toEqual([]);
      const result = await resultOf(typebotId, page.started()?.resultId);
      expect(result.at("result")).toMatchObject({ typebotId, isCompleted: true });
      expect(result.at("result.answers.*.content")).toEqual([
        "Hello",
        "1234.5",
        "ada@example.com",
        "https://example.org",
        "+33612345678",
        "31/12/2026",
        "14:30",
        "never",
        "Cat",
        "8",
        files.join(", "),
        "Tea",
      ]);
    },
  );

  test("a complete conversation sends only a start request and replies", async () => {
    const { publicId } = await published(flowOf([says("Name?"), asks("text input")]));
    const page = await open(publicId, { prefilledVariables: { Name: "Ada" } });
    await page.answer(text("Ada"));

    expect(page.sent).toEqual([
      {
        path: `/api/v1/typebots/${publicId}/startChat`,
        body: { isStreamEnabled: true, isOnlyRegistering: false, prefilledVariables: { Name: "Ada" } },
        status: 200,
      },
      {
        path: `/api/v1/sessions/${page.sessionId()}/continueChat`,
        body: { message: { type: "text", text: "Ada" } },
        status: 200,
      },
    ]);
  });

  test("the response to a start disables the client's own badge", async () => {
    const branded = { settings: { general: { isBrandingEnabled: true, isInputPrefillEnabled: true } } };
    const one = await published({ ...flowOf([asks("text input")]), ...branded });
    const other = await published(flowOf([asks("text input")]));
    const general = async (publicId: string) =>
      (await api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} })).at("typebot.settings.general");

    expect(await general(one.publicId)).toEqual({ isBrandingEnabled: false, isInputPrefillEnabled: true });
    expect(await general(other.publicId)).toEqual({ isBrandingEnabled: false });
  });

  test("the client shows the stored form of a reply as the visitor's own bubble", async () => {
    const { publicId } = await published(flowOf([asks("email input")]));
    const page = await open(publicId);
    await page.answer(text("ADA@Example.com"));

    expect(page.ownLastBubble()).toBe("ada@example.com");
  });

  test("the client's logs are received, even in a preview", async () => {
    const { typebotId, publicId } = await published(flowOf([asks("text input")]));
    const page = await open(publicId);
    await page.report([{ status: "error", description: "A script failed", details: "at line 1", context: "Script" }]);
    const preview = await open("any", { flow: flowOf([asks("text input")]) });
    await preview.report([{ description: "Failed to send the reply" }]);

    expect(preview.sent.at(-1)).toMatchObject({
      path: `/api/v2/sessions/${preview.sessionId()}/clientLogs`,
      status: 200,
    });
    const logs = await api.client.get(`/api/v1/typebots/${typebotId}/results/${page.started()?.resultId}/logs`, {
      token: owner.token,
    });
    expect(logs.at("logs.*.description")).toEqual(["A script failed"]);
  });
});

test("the v2 endpoint for client logs rejects an invalid body", async () => {
  const { publicId } = await published(flowOf([asks("text input")]));
  const page = await open(publicId);
  const report = (sessionId: string, body: object) =>
    api.client.post(`/api/v2/sessions/${sessionId}/clientLogs`, { body });

  expect((await report(page.sessionId(), { clientLogs: [{ description: "x", details: { at: 1 } }] })).body).toEqual({
    message: "Logs successfully saved.",
  });
  expect(await report(page.sessionId(), {})).toMatchObject({ status: 400, body: { code: "request.invalid" } });
  expect(await report("nonsense", { clientLogs: [] })).toMatchObject({
    status: 404,
    body: { code: "session.not_found" },
  });
});

describe("unusual requests of the client", () => {
  test.each([
    ["an empty number", asks("number input"), text("NaN")],
    ["several choices without a selected item", manyChoices(), text("")],
    ["half of a date range", asks("date input", { isRange: true }), text("2026-12-01T10:00 to ")],
    ["a skipped required file", asks("file input", { isRequired: true }), undefined],
    ["a reply without a message", asks("email input"), undefined],
  ])("an input is requested again after %s", async (_title, input, message) => {
    const { publicId } = await published(flowOf([input, says("Further")]));
    const page = await open(publicId);
    await page.answer(message);

    expect(page.seen()).toHaveLength(1);
    expect(page.seen()).not.toContain("Further");
    expect(page.seenIds()).toEqual([input.id]);
    expect(page.input()?.["id"]).toBe(input.id);
  });

  test("a payment without credentials is shown as a message, and ends the chat", async () => {
    const { publicId } = await published(flowOf([asks("payment input", { amount: "5" }), says("Paid")]));
    const page = await open(publicId);

    expect(page.seen()).toEqual([expect.stringContaining("A payment of $5.00 is due here")]);
    expect(page.input()).toBeUndefined();
    expect(page.isOver()).toBe(true);
  });

  test.each([
    ["the values of several choices", manyChoices(), text("Tea, milk"), "Tea, milk"],
    ["the id of a picture without a value", onePicture({}), text("cat"), "Cat"],
    ["the value of a picture", onePicture({ value: "felis" }), text("felis"), "felis"],
    ["the title of a picture in a multiple choice", onePicture({}, { isMultipleChoice: true }), text("Cat"), "Cat"],
    [
      "a date range",
      asks("date input", { isRange: true }),
      text("2026-12-01 to 2026-12-31"),
      "01/12/2026 to 31/12/2026",
    ],
    ["a phone number with a country code", asks("phone number input"), text("+41446681800"), "+41446681800"],
    ["a plain string instead of an object", asks("text input"), "Hello", "Hello"],
  ])("a reply with %s is accepted", async (_title, input, message, content) => {
    const { typebotId, publicId } = await published(flowOf([input]));
    const page = await open(publicId);
    await page.answer(message);

    const result = await resultOf(typebotId, page.started()?.resultId);
    expect(result.at("result.answers.*.content")).toEqual([content]);
    expect(page.isOver()).toBe(true);
  });

  test("an optional file can be skipped", async () => {
    const { typebotId, publicId } = await published(
      flowOf([asks("file input", { isRequired: false }), says("Further")]),
    );
    const page = await open(publicId);
    await page.answer(undefined);

    expect(page.seen()).toEqual(["Further"]);
    expect((await resultOf(typebotId, page.started()?.resultId)).at("result.answers")).toEqual([]);
  });

  test("a text with files is stored with the files", async () => {
    const { typebotId, publicId } = await published(flowOf([asks("text input", { attachments: { isEnabled: true } })]));
    const page = await open(publicId);
    const url = await page.upload(pdf("letter"));
    await page.answer({ ...text("See there"), attachedFileUrls: [url] });

    const result = await resultOf(typebotId, page.started()?.resultId);
    expect(result.at("result.answers.0")).toMatchObject({ content: "See there", attachedFileUrls: [url] });
  });

  test("a voice clip is accepted as an answer", async () => {
    const { typebotId, publicId } = await published(flowOf([asks("text input", { audioClip: { isEnabled: true } })]));
    const page = await open(publicId);
    const url = await page.upload({ name: "clip.webm", type: "audio/webm", content: "clip" });
    await page.answer({ type: "audio", url });

    expect((await resultOf(typebotId, page.started()?.resultId)).at("result.answers.*.content")).toEqual([url]);
  });
});

function pdf(name: string) {
  return { name: `${name}.pdf`, type: "application/pdf", content: `The words of ${name}` };
}

function manyChoices() {
  const items = [
    { id: "tea", content: "Tea" },
    { id: "milk", content: "With milk", value: "milk" },
  ];
  return asks("choice input", { isMultipleChoice: true, isSearchable: true }, { items });
}

function onePicture(item: object, options: object = {}) {
  return asks("picture choice input", options, { items: [{ id: "cat", title: "Cat", pictureSrc: image, ...item }] });
}
