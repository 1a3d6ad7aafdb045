import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { createThreads, type Threads } from "../support/threads.ts";
import { publishTypebot } from "./bot.ts";
import type { Outside } from "./client-actions.ts";
import { openPage } from "./existing-client.ts";
import { checkStep } from "./what-it-needs.ts";

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
const open = (publicId: string, outside: Outside = {}) => openPage({ handle: api.handle, publicId, outside });
const text = (words: string) => ({ type: "text", text: words });

const setsVariable = {
  id: "set",
  type: "Set variable",
  options: { variableId: idOf("Name"), expressionToEvaluate: "[1, 2].length + 1", isExecutedOnClient: true },
};
const calls = {
  id: "call",
  type: "Webhook",
  options: {
    isExecutedOnClient: true,
    isAdvancedConfig: true,
    webhook: { url: "https://shop.example/price", method: "GET" },
    responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.price" }],
  },
};
const pauses = { id: "pause", type: "Wait", options: { secondsToWaitFor: "1", shouldPause: true } };
const redirects = { id: "redirect", type: "Redirect", options: { url: "https://shop.example/thanks", isNewTab: true } };
const script = {
  id: "script",
  type: "Code",
  options: { content: "globalThis.greeted = {{Name}}", shouldExecuteInParentContext: true },
};
const listens = {
  id: "listen",
  type: "webhook",
  options: { responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.order" }] },
};

describe("actions of an existing client", () => {
  test("the client sends the result of a Set variable action", async () => {
    const { publicId } = await published(
      flowOf([says("One moment"), setsVariable, says("It is {{Name}}"), asks("text input")]),
    );
    const page = await open(publicId);

    expect(page.seen()).toEqual(["One moment", "It is 3"]);
    expect(page.sent.at(1)?.body).toEqual({ message: { type: "text", text: "3" } });
    expect(page.input()?.["type"]).toBe("text input");
  });

  test("the client runs an HTTP request in the page", async () => {
    const { publicId } = await published(
      flowOf([says("One moment"), calls, says("Costs {{Name}}"), asks("text input")]),
    );
    const priced = await open(publicId, { fetch: ({ url }) => ({ price: `12 at ${url}` }) });
    const alone = await open(publicId);

    expect(priced.seen()).toEqual(["One moment", "Costs 12 at https://shop.example/price"]);
    expect(alone.seen()).toEqual(["One moment", "Costs "]);
    expect(alone.input()?.["type"]).toBe("text input");
  });

  test("the client pauses, and then continues without a reply", async () => {
    const { publicId } = await published(flowOf([says("Wait"), pauses, says("Now"), asks("text input")]));
    const page = await open(publicId);

    expect(page.seen()).toEqual(["Wait", "Now"]);
    expect(page.sent.at(1)?.body).toEqual({});
  });

  test("the client runs several actions that send a report, one after another", async () => {
    const { publicId } = await published(
      flowOf([says("A"), setsVariable, pauses, says("B {{Name}}"), calls, says("C"), redirects, asks("text input")]),
    );
    const done: string[] = [];
    const page = await open(publicId, { done: (type) => done.push(type) });

    expect(page.seen()).toEqual(["A", "B 3", "C"]);
    expect(done).toEqual(["redirect"]);
    expect(page.sent.slice(1).map(({ body }) => Object.keys(Object(body)))).toEqual([["message"], [], ["message"]]);
  });

  test("the client runs a script and a redirect without delaying the flow", async () => {
    const { publicId } = await published(flowOf([says("A"), script, redirects, says("B"), asks("text input")]));
    const done: (readonly [string, unknown])[] = [];
    const page = await open(publicId, { done: (type, payload) => done.push([type, payload]) });

    expect(page.seen()).toEqual(["A", "B"]);
    expect(done).toEqual([
      ["scriptToExecute", expect.objectContaining({ content: expect.stringContaining("greeted") })],
      ["redirect", { url: "https://shop.example/thanks", isNewTab: true }],
    ]);
  });

  test("a redirect to a prefilled address needs no confirmation", async () => {
    const leads = { ...redirects, options: { url: "{{Name}}", isNewTab: false } };
    const { publicId } = await published(flowOf([says("A"), leads, asks("text input")]));
    const started = await start(api.client, publicId, { prefilledVariables: { Name: "https://evil.example/login" } });

    expect(started.at("clientSideActions")).toEqual([
      {
        type: "redirect",
        lastBubbleBlockId: idOf("says A"),
        redirect: { url: "https://evil.example/login", isNewTab: false },
      },
    ]);
  });

  test("the client gets the head code and the Tag Manager id", async () => {
    const settings = { metadata: { googleTagManagerId: "GTM-1", customHeadCode: "<meta name=x>" } };
    const { publicId } = await published({ ...flowOf([says("A"), asks("text input")]), settings });
    const done: unknown[] = [];
    await open(publicId, { done: (_type, payload) => done.push(payload) });

    expect(done).toEqual([{ gtmId: "GTM-1", customHeadCode: "<meta name=x>" }]);
  });

  test("an event of an embedded page continues the chat", async () => {
    const embed = {
      id: "embed",
      type: "embed",
      content: {
        url: "https://shop.example/map",
        waitForEvent: { isEnabled: true, name: "picked", saveDataInVariableId: idOf("Name") },
      },
    };
    const { publicId } = await published(flowOf([embed, says("You picked {{Name}}"), asks("text input")]));
    const page = await open(publicId);
    await page.event(text("seat 12"));
    const silent = await open(publicId);
    await silent.event();

    expect(page.seen()).toEqual(["https://shop.example/map", "You picked seat 12"]);
    expect(silent.seen()).toEqual(["https://shop.example/map", "You picked "]);
  });
});

describe("a chat that waits for an external call", () => {
  const flow = flowOf([says("Please pay"), listens, says("Order {{Name}} is paid"), asks("email input")]);
  const call = (typebotId: string, resultId: string) =>
    api.client.post(`/api/v1/typebots/${typebotId}/blocks/listen/results/${resultId}/executeWebhook`, {
      token: owner.token,
      body: { order: "A-17" },
    });
  const begin = (publicId: string) => api.client.post(`/api/v1/typebots/${publicId}/startChat`, { body: {} });

  test("the client's report is delayed until the external call has arrived", async () => {
    const { typebotId, publicId } = await published(flow);
    const begun = await begin(publicId);
    const [action] = checkStep(begun.body).clientSideActions;
    expect(action).toMatchObject({
      type: "setVariable",
      lastBubbleBlockId: idOf("says Please pay"),
      expectsDedicatedReply: true,
    });

    const report = say(api.client, begun.text("sessionId"), text("parley-listening-1"));
    await call(typebotId, begun.text("resultId"));
    const answer = await report;

    expect(answer.at("messages.*.content.plainText")).toEqual(["Order A-17 is paid"]);
    expect(answer.at("input.type")).toBe("email input");
  });

  test.each([false, true])(
    "a chat that waits for an external call continues if the call arrived before the report (scripts forbidden: %p)",
    async (forbidsScripts) => {
      const { typebotId, publicId } = await published(flow);
      const page = openPage({
        publicId,
        outside: { forbidsScripts },
        async handle(request) {
          const response = await api.handle(request);
          if (request.method === "POST" && request.url.endsWith("/startChat")) {
            const { resultId }: { resultId: string } = await response.clone().json();
            await call(typebotId, resultId);
          }
          return response;
        },
      });

      expect((await page).seen()).toEqual(["Please pay", "Order A-17 is paid"]);
      expect((await page).input()?.["type"]).toBe("email input");
    },
  );

  test("a report from an origin that is not allowed is rejected", async () => {
    const settings = { security: { allowedOrigins: ["https://shop.example"] } };
    const { typebotId, publicId } = await published({ ...flow, settings });
    const begun = await begin(publicId);
    await call(typebotId, begun.text("resultId"));
    const report = (origin: string) =>
      say(api.client, begun.text("sessionId"), text("parley-listening-1"), { headers: { Origin: origin } });

    expect(await report("https://evil.example")).toMatchObject({ status: 403, body: { code: "origin.not_allowed" } });
    expect((await report("https://shop.example")).at("messages.*.content.plainText")).toEqual(["Order A-17 is paid"]);
  });

  test("the text of a report is an ordinary reply if no block waits for a call", async () => {
    const { publicId } = await published(
      flowOf([asks("text input", { variableId: idOf("Name") }), says("Hello {{Name}}")]),
    );
    const page = await open(publicId);
    await page.answer(text("parley-listening-1"));

    expect(page.seen()).toEqual(["Hello parley-listening-1"]);
  });

  test("an existing client uses a script to wait for an external call", async () => {
    const later = flowOf([asks("text input"), says("Please pay"), listens, says("Paid: {{Name}}")]);
    const theirs = await published(later);
    const begun = await begin(theirs.publicId);
    const listening = await say(api.client, begun.text("sessionId"), text("Hi"));
    const ours = await publish(api.client, { token: owner.token, workspaceId }, flow);

    expect(listening.at("clientSideActions.0.setVariable.scriptToExecute.content")).toBe('return "parley-listening-2"');
    expect((await start(api.client, ours.publicId)).at("clientSideActions.0.type")).toBe("listenForWebhook");
    await call(theirs.typebotId, begun.text("resultId"));
    const answer = await say(api.client, begun.text("sessionId"), text("parley-listening-2"));
    expect(answer.at("messages.*.content.plainText")).toEqual(["Paid: A-17"]);
  });
});

describe("positions of actions", () => {
  const flow = flowOf([
    says("A"),
    script,
    redirects,
    says("B"),
    pauses,
    says("C"),
    setsVariable,
    says("D"),
    asks("text input"),
  ]);

  test("actions follow the same bubbles in both APIs", async () => {
    const theirs = await published(flow);
    const ours = await publish(api.client, { token: owner.token, workspaceId }, flow);
    for (const path of [`/api/v1/typebots/${theirs.publicId}/startChat`, `/api/v1/bots/${ours.publicId}/startChat`]) {
      const begun = await api.client.post(path, { body: {} });
      const paused = checkStep(begun.body);
      const set = checkStep((await say(api.client, begun.text("sessionId"), undefined)).body);

      expect(paused.clientSideActions.map(({ type, lastBubbleBlockId }) => [type, lastBubbleBlockId])).toEqual([
        ["scriptToExecute", idOf("says A")],
        ["redirect", idOf("says A")],
        ["wait", idOf("says B")],
      ]);
      expect(set.clientSideActions).toMatchObject([{ type: "setVariable", lastBubbleBlockId: idOf("says C") }]);
    }
  });
});
