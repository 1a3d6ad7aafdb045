import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { shardOf } from "../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, nameAndEmail, publish, says } from "../support/chat.ts";
import { moveClock } from "../support/moved-clock.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { type SeenPage, visitor } from "../support/web-page.ts";

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

const published = (flow: object) => publish(api.client, { token: owner.token, workspaceId }, flow);

async function resultsOf(botId: string): Promise<readonly unknown[]> {
  const answer = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
  return answer.list("results");
}

const sessionOf = (page: SeenPage) => page.form?.hidden["session"] ?? "";

const choices = (id: string, options: object = {}) => ({
  id,
  type: "choice input",
  items: [
    { id: `${id}1`, content: "Red & round" },
    { id: `${id}2`, content: "Blue", value: "b" },
    { id: `${id}3`, content: "Green" },
  ],
  options,
});

describe("a chat without script", () => {
  test("a complete conversation works by posting forms, and its answers are stored", async () => {
    const { botId, publicId } = await published(
      flowOf([
        says("Which one?"),
        choices("one"),
        says("Several?"),
        choices("several", { isMultipleChoice: true }),
        says("How many?"),
        asks("number input", { min: 1, max: 5 }),
        says("Your page?"),
        asks("url input"),
        says("Why?"),
        asks("text input", { isLong: true, variableId: idOf("Name") }),
        says("You said {{Name}}"),
      ]),
    );
    const browser = visitor(api);

    let page = await browser.visit(`/${publicId}`);
    page = await browser.post(page, {}, "Blue");
    page = await browser.post(page, { choice: "several3" }, "Send");
    page = await browser.post(page, { text: "4" });
    page = await browser.post(page, { text: "example.org" });
    page = await browser.post(page, { text: "One\r\nTwo" });

    expect(page.said).toEqual([
      "bot: Which one?",
      "visitor: Blue",
      "bot: Several?",
      "visitor: Green",
      "bot: How many?",
      "visitor: 4",
      "bot: Your page?",
      "visitor: https://example.org",
      "bot: Why?",
      "visitor: One\nTwo",
      "bot: You said One\nTwo",
    ]);
    expect(page.form).toBeUndefined();
    expect(await resultsOf(botId)).toMatchObject([
      {
        isCompleted: true,
        answers: [
          { content: "b" },
          { content: "Green" },
          { content: "4" },
          { content: "https://example.org" },
          { content: "One\nTwo" },
        ],
      },
    ]);
  });

  test("the session's id is in the form, and in no address", async () => {
    const { publicId } = await published(nameAndEmail);
    const browser = visitor(api);

    const page = await browser.post(await browser.visit(`/${publicId}`), { text: "Ana" });

    expect(sessionOf(page)).toMatch(/^[a-z\d]{26}$/);
    expect(page.form?.action).toBe(`/${publicId}#last-answer`);
    expect(page.html.match(new RegExp(`(href|src|action)="[^"]*${sessionOf(page)}`))).toBeNull();
    expect(page.headers.get("set-cookie")).toBeNull();
  });

  test("a form that is posted twice counts once", async () => {
    const { botId, publicId } = await published(nameAndEmail);
    const browser = visitor(api);
    const first = await browser.visit(`/${publicId}`);

    const [one, other] = await Promise.all([
      browser.post(first, { text: "Ana" }),
      browser.post(first, { text: "Ana" }),
    ]);
    const late = await browser.post(first, { text: "Ana" });

    expect(sessionOf(one)).toBe(sessionOf(other));
    for (const page of [one, other, late]) {
      expect(page.said).toEqual(["bot: Your name?", "visitor: Ana", "bot: Hello Ana, and your e-mail?"]);
    }
    expect(await resultsOf(botId)).toMatchObject([{ answers: [{ content: "Ana" }] }]);
  });

  test("an old form with another answer changes nothing", async () => {
    const { publicId } = await published(nameAndEmail);
    const browser = visitor(api);
    const first = await browser.visit(`/${publicId}`);
    await browser.post(first, { text: "Ana" });

    const page = await browser.post(first, { text: "Bea" });

    expect(page.said.slice(0, 2)).toEqual(["bot: Your name?", "visitor: Ana"]);
    expect(page.remarks).toEqual(["You have already answered this question. The chat continues here."]);
  });

  test("a refused answer is reported at its field, which keeps the answer", async () => {
    const { publicId } = await published(nameAndEmail);
    const browser = visitor(api);
    const asked = await browser.post(await browser.visit(`/${publicId}`), { text: "Ana" });

    const here = await browser.post(asked, { text: "ana" });
    const there = await browser.post(here, { text: "ana@nowhere" });

    expect(here.remarks).toEqual(["Please enter an e-mail address, such as name@example.com."]);
    expect(here.form?.fields[0]?.value).toBe("ana");
    expect(there.remarks).toEqual(["This email doesn't seem to be valid. Can you type it again?"]);
    expect(there.form?.fields[0]?.value).toBe("ana@nowhere");
    expect(there.said).toEqual(asked.said);
    expect(there.html).toContain('aria-invalid="true"');
    const right = await browser.post(there, { text: "ANA@example.com" });
    expect(right.said.slice(-2)).toEqual(["visitor: ANA@example.com", "bot: Thank you"]);
  });

  test("steps that require a script are skipped with a link or a message", async () => {
    const { publicId } = await published(
      flowOf([
        asks("text input"),
        {
          id: "sv",
          type: "Set variable",
          options: { variableId: idOf("Name"), expressionToEvaluate: "1", isExecutedOnClient: true },
        },
        {
          id: "http",
          type: "Webhook",
          options: {
            isExecutedOnClient: true,
            webhook: { url: "https://example.com" },
            responseVariableMapping: [{ variableId: idOf("Email"), bodyPath: "statusCode" }],
          },
        },
        { id: "code", type: "Code", options: { content: "alert(1)" } },
        says("Status {{Email}}, name {{Name}}."),
        { id: "go", type: "Redirect", options: { url: "https://example.com/next?a=1" } },
      ]),
    );
    const browser = visitor(api);

    const page = await browser.post(await browser.visit(`/${publicId}?Name=Ana`), { text: "x" });

    expect(page.said).toEqual(["visitor: x", "bot: Status 500, name Ana."]);
    expect(page.remarks).toEqual([
      "Continue to example.com",
      "Some parts of this chat need JavaScript and are missing here.",
      "This chat has ended.",
    ]);
    expect(page.html).toContain('href="https://example.com/next?a=1"');
  });

  test("a wait is a page that refreshes automatically", async () => {
    const wait = { id: "w", type: "Wait", options: { secondsToWaitFor: "30", shouldPause: true } };
    const { publicId } = await published(flowOf([asks("text input"), says("Hold on"), wait, says("Here we are")]));
    const browser = visitor(api);

    const waiting = await browser.post(await browser.visit(`/${publicId}`), { text: "x" });

    expect(waiting.html).toMatch(new RegExp(`http-equiv="refresh" content="(29|30); url=/${publicId}"`));
    expect(waiting.headers.get("set-cookie")).toMatch(new RegExp(`Path=/${publicId}; HttpOnly; SameSite=Lax$`));
    expect(waiting.form).toBeUndefined();
    await moveClock(api.deps.sql, -3_600);
    expect((await browser.visit(`/${publicId}`)).html).not.toContain("http-equiv");
    await moveClock(api.deps.sql, 0);
    expect((await browser.visit(`/${publicId}`)).html).toContain("http-equiv");
    await api.deps.sql`update steps set created_at = created_at - interval '1 minute'`;
    const over = await browser.visit(`/${publicId}`);
    expect(over.said).toEqual(["visitor: x", "bot: Hold on"]);
    expect(over.html).not.toContain("http-equiv");
    const next = await browser.post(over, {}, "Continue");
    expect(next.said.at(-1)).toBe("bot: Here we are");
    expect((await browser.visit(`/${publicId}`)).said).toEqual([]);
  });

  test("a page waits for an external call by refreshing", async () => {
    const { botId, publicId } = await published(
      flowOf([
        asks("text input"),
        { id: "listen", type: "webhook", options: {} },
        says("It came"),
        asks("email input"),
      ]),
    );
    const browser = visitor(api);
    const waiting = await browser.post(await browser.visit(`/${publicId}`), { text: "x" });
    expect(waiting.html).toContain(`content="5; url=/${publicId}"`);
    expect((await browser.visit(`/${publicId}`)).remarks).toEqual(["Waiting for a response from another service…"]);

    const history = await api.client.get(`/api/v1/bots/${botId}/results`, { token: owner.token });
    await api.client.post(
      `/api/v1/bots/${botId}/blocks/listen/results/${history.text("results.0.id")}/executeWebhook`,
      { token: owner.token, body: {} },
    );

    expect((await browser.visit(`/${publicId}`)).said).toEqual(["visitor: x", "bot: It came"]);
  });

  test("an outdated waiting page does not end the wait for a call", async () => {
    const wait = { id: "w", type: "Wait", options: { secondsToWaitFor: "30", shouldPause: true } };
    const listen = { id: "listen", type: "webhook", options: {} };
    const { publicId } = await published(flowOf([asks("text input"), wait, listen, says("It came")]));
    const browser = visitor(api);
    await browser.post(await browser.visit(`/${publicId}`), { text: "x" });
    await api.deps.sql`update steps set created_at = created_at - interval '1 minute'`;
    const [one, other, third] = [
      await browser.visit(`/${publicId}`),
      await browser.visit(`/${publicId}`),
      await browser.visit(`/${publicId}`),
    ];
    // Pages of earlier releases have no step number.
    const { revision: _, ...hidden } = third.form?.hidden ?? {};
    const older = { ...third, forms: third.forms.map((form) => ({ ...form, hidden })) };

    const waiting = await browser.post(one, {}, "Continue");
    const late = await browser.post(other, {}, "Continue");
    const lateOlder = await browser.post(older, {}, "Continue");

    for (const { said, remarks } of [waiting, late, lateOlder]) {
      expect({ said, remarks }).toEqual({
        said: ["visitor: x"],
        remarks: ["Waiting for a response from another service…"],
      });
    }
  });

  test("posting a form of an expired chat returns a page with the reason", async () => {
    const { publicId } = await published(nameAndEmail);
    const browser = visitor(api);
    const page = await browser.post(await browser.visit(`/${publicId}`), { text: "Ana" });
    const id = sessionOf(page);
    await api.deps.sql`update sessions set expires_at = clock() where shard = ${shardOf(id)} and id = ${id}`;

    const gone = await browser.post(page, { text: "a@example.com" });

    expect({ status: gone.status, remarks: gone.remarks }).toEqual({ status: 404, remarks: ["This chat has ended."] });
  });

  test("a form with an invalid key or too much text is rejected", async () => {
    const { publicId } = await published(nameAndEmail);
    const post = (body: BodyInit, type: string) =>
      api.handle(
        new Request(`http://localhost/${publicId}`, { method: "POST", body, headers: { "content-type": type } }),
      );

    const form = "application/x-www-form-urlencoded";
    expect((await post("key=short", form)).status).toBe(400);
    expect((await post("{}", "application/json")).status).toBe(400);
    expect((await post(`key=${"k".repeat(20)}&text=${"x".repeat(300_000)}`, form)).status).toBe(413);
  });
});
