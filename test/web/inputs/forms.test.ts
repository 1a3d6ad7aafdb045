import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { publish } from "../../support/chat.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";
import { type Filled, type SeenPage, visitor } from "../../support/web-page.ts";
import { askingFlow, inputs, named } from "./flows.ts";

const folder = temporaryFolder();
let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads, config: { DATA_DIR: folder.path } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
  folder.remove();
});

type Asked = {
  readonly botId: string;
  readonly page: SeenPage;
  post(values?: Filled, button?: string): Promise<SeenPage>;
};

/** Publishes a bot with the inputs. Returns its page for a visitor without scripts. */
async function pageAsking(...blocks: readonly object[]): Promise<Asked> {
  const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, askingFlow(...blocks));
  const browser = visitor(api);
  let page = await browser.visit(`/${publicId}`);
  return {
    botId,
    page,
    async post(values, button) {
      page = await browser.post(page, values, button);
      return page;
    },
  };
}

async function answersOf(botId: string): Promise<readonly unknown[]> {
  const [result] = (await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token })).list("results");
  const id = (result && typeof result === "object" && "id" in result && String(result.id)) || "";
  const found = await api.client.get(`/api/v1/bots/${botId}/results/${id}`, { token: owner.token });
  return found.list("result.answers").map((answer) => {
    if (!answer || typeof answer !== "object" || !("content" in answer)) throw new Error("An answer has no content");
    return answer.content;
  });
}

const letter = (name = "letter.txt", content = "Dear all") => new File([content], name, { type: "text/plain" });

const ended = "This chat has ended.";

describe("dates", () => {
  test("dates, ranges and times are accepted in the format of pickers", async () => {
    const chat = await pageAsking(inputs.date, inputs.moment, inputs.range, inputs.time);

    await chat.post({ from: "2026-05-31" });
    await chat.post({ from: "2026-05-31T09:30" });
    await chat.post({ from: "2026-05-31", to: "2026-06-02" });
    const end = await chat.post({ text: "14:30" });

    const said = end.said.map((line) => line.replaceAll(/[\u2009\u202f]/g, " "));
    expect(said.filter((line) => line.startsWith("visitor"))).toEqual([
      "visitor: May 31, 2026",
      "visitor: May 31, 2026 at 9:30 AM",
      "visitor: May 31 – June 2, 2026",
      "visitor: 2:30 PM",
    ]);
    expect(end.said.at(-1)).toBe("bot: Thank you");
  });

  test("a range without its second date is not sent, and keeps its first date", async () => {
    const chat = await pageAsking(inputs.range);

    const page = await chat.post({ from: "2026-05-31", to: "" });

    expect(page.remarks).toEqual(["Please choose both dates."]);
    expect(page.form?.fields.map(({ name, value }) => [name, value])).toEqual([
      ["from", "2026-05-31"],
      ["to", ""],
    ]);
    expect(await chat.post({ from: "2026-05-31", to: "2026-06-01" })).toMatchObject({ remarks: [ended] });
  });

  test("a range that ends before it begins is not sent", async () => {
    const chat = await pageAsking(inputs.range);

    const page = await chat.post({ from: "2026-05-31", to: "2026-05-30" });

    expect(page.remarks).toEqual(["The second date is before the first one."]);
  });

  test("a day outside the limits is not sent", async () => {
    const chat = await pageAsking(inputs.date);

    expect((await chat.post({ from: "2025-12-31" })).remarks).toEqual(["Please choose January 1, 2026 or later."]);
    expect((await chat.post({ from: "2027-01-01" })).remarks).toEqual(["Please choose December 31, 2026 or earlier."]);
    expect((await chat.post({ from: "2026-12-31" })).remarks).toEqual([ended]);
  });
});

describe("phone numbers", () => {
  test("a national phone number is sent with the code of the selected country", async () => {
    const chat = await pageAsking(inputs.phone, { ...inputs.phone, id: "other" });

    await chat.post({ country: "FR", text: "06 12 34 56 78" });
    const end = await chat.post({ country: "DE", text: "0151 23456789" });

    expect(end.said).toContain("visitor: +33612345678");
    expect(end.said).toContain("visitor: +4915123456789");
  });

  test("a number with its own country code needs no country", async () => {
    const chat = await pageAsking(named("phone", "phone number input"));

    expect((await chat.post({ country: "", text: "0612345678" })).remarks).toEqual([
      "Please choose the country, or begin with + and its code.",
    ]);
    expect((await chat.post({ country: "", text: "00 33 6 12 34 56 78" })).said).toContain("visitor: +33612345678");
  });

  test("a text that is not a phone number is not sent", async () => {
    const chat = await pageAsking(inputs.phone);

    expect((await chat.post({ country: "FR", text: "later" })).remarks).toEqual(["Please enter a phone number."]);
  });
});

describe("ratings", () => {
  test("a rating is answered by a selected step or a clicked icon", async () => {
    const chat = await pageAsking(inputs.rating, inputs.stars);

    await chat.post({ text: "4" });
    const end = await chat.post({ text: "5" });

    expect(end.said.filter((line) => line.startsWith("visitor"))).toEqual(["visitor: 4 of 5", "visitor: 5 of 5"]);
    expect(end.said.at(-1)).toBe("bot: Thank you");
  });

  test("a rating without a choice, or outside the scale, is requested again", async () => {
    const chat = await pageAsking(inputs.rating);

    expect((await chat.post({})).remarks).toEqual(["Please choose one."]);
    expect((await chat.post({ text: "6" })).remarks).toEqual(["Please enter a number from 1 to 5."]);
  });
});

describe("pictures and cards", () => {
  test("chosen pictures are shown with their titles and stored by value", async () => {
    const chat = await pageAsking(inputs.pictures, inputs.several);

    await chat.post({ choice: "dog" });
    const end = await chat.post({ choice: ["cat2", "dog2"] });

    expect(end.said.filter((line) => line.startsWith("visitor"))).toEqual(["visitor: Dog", "visitor: Cat, Dog"]);
    expect(await answersOf(chat.botId)).toEqual(["canine", "Cat, canine"]);
  });

  test("a picture without a title is shown as a picture", async () => {
    const chat = await pageAsking(inputs.pictures);

    const end = await chat.post({ choice: "fox" });

    expect(end.html).toContain('class="answer-picture');
    expect(end.said.at(-1)).toBe("bot: Thank you");
  });

  test("a card is chosen by one of its buttons", async () => {
    const chat = await pageAsking(inputs.cards);

    const end = await chat.post({ choice: "more1" });

    expect(end.said).toContain("visitor: Black tea");
    expect(await answersOf(chat.botId)).toEqual(["Black tea"]);
  });

  test("an empty selection is requested again", async () => {
    const chat = await pageAsking(inputs.several, inputs.cards);

    expect((await chat.post({})).remarks).toEqual(["Choose at least one."]);
    await chat.post({ choice: "cat2" });
    expect((await chat.post({ choice: "nothing" })).remarks).toEqual(["Choose at least one."]);
  });
});

/** Posts a form with files. Its body stays open until the test ends it. */
function hangingForm(path: string) {
  let end = (): void => {};
  let noteRead = (): void => {};
  const isRead = new Promise<void>((resolve) => {
    noteRead = resolve;
  });
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        end = () => controller.close();
      },
      pull: () => noteRead(),
    },
    { highWaterMark: 0 },
  );
  const headers = { accept: "text/html", "Content-Type": "multipart/form-data; boundary=x" };
  const response = api.handle(new Request(`http://localhost${path}`, { method: "POST", headers, body }));
  return { response, isRead, end: () => end() };
}

describe("files", () => {
  test("files are stored, and the answer contains their addresses", async () => {
    const chat = await pageAsking(inputs.file);

    const end = await chat.post({ file: [letter(), letter("list.txt", "Milk")] });

    const [answer] = await answersOf(chat.botId);
    const addresses = String(answer).split(", ");
    expect(addresses).toHaveLength(2);
    const stored = await api.handle(new Request(addresses[1] ?? ""));
    expect(await stored.text()).toBe("Milk");
    expect(end.said.at(-1)).toBe("bot: Thank you");
    expect(end.html).toContain(`href="${addresses[0]}"`);
  });

  test("a picture is displayed, except an SVG, which is shown as a link", async () => {
    const chat = await pageAsking(named("pictures", "file input", { isMultipleAllowed: true }));

    const { html } = await chat.post({ file: [letter("a.png"), letter("b.svg")] });

    expect(html).toMatch(/<img class="answer-picture[^"]*" src="[^"]+\.png"/);
    expect(html).toMatch(/<a class="answer-file" href="[^"]+\.svg"/);
  });

  test("a file of another type is refused at the field", async () => {
    const chat = await pageAsking(inputs.file);

    const page = await chat.post({ file: new File(["%PDF"], "a.pdf", { type: "application/pdf" }) });

    expect(page.remarks).toEqual(["a.pdf was not accepted: its type is not allowed here."]);
  });

  test("a file that is too large is refused at the field", async () => {
    const chat = await pageAsking(named("small", "file input", { sizeLimit: 0.001 }));

    const page = await chat.post({ file: letter("long.txt", "x".repeat(2_000)) });

    expect(page.remarks).toEqual(["long.txt is larger than 0.001MB"]);
  });

  test("a file above the service's own limit is refused at the field", async () => {
    const chat = await pageAsking(inputs.file);

    const page = await chat.post({ file: letter("long.txt", "x".repeat(11 * 1024 * 1024)) });

    expect(page.remarks).toEqual(["long.txt is larger than 10MB"]);
  });

  test("a file is refused at the field if the workspace has reached its daily limit", async () => {
    const chat = await pageAsking(inputs.file);
    await api.deps.sql`update instance_defaults set anonymous_megabytes_a_day = 1`;

    const page = await chat.post({ file: letter("long.txt", "x".repeat(2 * 1024 * 1024)) });
    await api.deps.sql`update instance_defaults set anonymous_megabytes_a_day = 20000`;

    expect(page.remarks).toEqual([
      "No more files can be uploaded today. You can continue without a file, or come back tomorrow.",
    ]);
    expect((await chat.post({ file: letter() })).said.at(-1)).toBe("bot: Thank you");
  });

  test("a form with too many bytes is refused with the reason", async () => {
    const chat = await pageAsking(inputs.file);

    const page = await chat.post({ file: letter("long.txt", "x".repeat(33 * 1024 * 1024)) });

    expect(page.status).toBe(413);
    expect(page.remarks).toEqual(["You sent too much at once"]);
  });

  test("slow forms use at most their bot's share of the capacity", async () => {
    const published = () => publish(api.client, { token: owner.token, workspaceId }, askingFlow(inputs.file));
    const [{ publicId: slow }, { publicId: other }] = await Promise.all([published(), published()]);
    const { formsAtOnce, formShares, waiting } = limits.uploads;
    const read = formsAtOnce * formShares.bot;
    const under = Array.from({ length: read + waiting * formShares.bot }, () => hangingForm(`/${slow}`));
    await waitFor(() => api.deps.formsWithFiles.usage().waiting === under.length - read, {
      what: "the line to be full",
    });

    const refused = await hangingForm(`/${slow}`).response;
    const another = hangingForm(`/${other}`);
    await another.isRead;
    expect(api.deps.formsWithFiles.usage()).toMatchObject({ held: read + 1, waiting: under.length - read });
    for (const { end } of [...under, another]) end();
    const ended = await Promise.all([...under, another].map(({ response }) => response));

    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 400));
  });

  test("a question for a file can be skipped only if no file is required", async () => {
    const chat = await pageAsking(inputs.file, inputs.optional);

    expect((await chat.post({ skip: "1" })).remarks).toEqual(["Please choose a file."]);
    await chat.post({ file: letter() });
    const end = await chat.post({}, "Skip");

    expect(end.said.at(-1)).toBe("bot: Thank you");
    expect(await answersOf(chat.botId)).toHaveLength(1);
  });

  test("an empty field for files adds no file", async () => {
    const chat = await pageAsking(inputs.file, inputs.optional, inputs.attachments);
    // Browsers post an empty file input as a part without a name and without content.
    const none = new File([], "");

    expect(await chat.post({ file: none })).toMatchObject({ status: 200, remarks: ["Please choose a file."] });
    await chat.post({ file: letter() });
    await chat.post({ file: none }, "Skip");
    const end = await chat.post({ text: "No letter today", file: none });

    expect(end.said.at(-1)).toBe("bot: Thank you");
    expect(await answersOf(chat.botId)).toMatchObject([expect.stringContaining(".txt"), "No letter today"]);
  });

  test("files are sent together with a text", async () => {
    const chat = await pageAsking(inputs.attachments);

    const end = await chat.post({ text: "Here it is", file: letter() });

    expect(end.said.find((line) => line.startsWith("visitor"))).toContain("Here it is");
    expect(end.html).toContain(">letter.txt<");
    expect(await answersOf(chat.botId)).toEqual(["Here it is"]);
  });
});
