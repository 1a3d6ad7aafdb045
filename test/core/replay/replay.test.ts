import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import fc from "fast-check";
import type { FlowDocument } from "../../../src/core/interpreter/flow.ts";
import type { StoredStep } from "../../../src/core/replay/chat.ts";
import type { Impact } from "../../../src/core/replay/impact.ts";
import { contentHash, effectHash, readInputs, writeInputs } from "../../../src/core/replay/inputs.ts";
import { replayPage } from "../../../src/core/replay/replay-page.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../support/chat.ts";
import type { Conversation } from "../../support/conversation.ts";
import { equalSteps, holdConversation, holdTalk, replayAll, type StoredChat, tools } from "../../support/held-chats.ts";
import { talks } from "../../support/talks.ts";

const folder = `${import.meta.dir}/../..`;

describe("a replay with the chat's own flow", () => {
  test("a replay of each test conversation reproduces all its steps", async () => {
    let steps = 0;
    for await (const path of new Glob("conversations/*/*.json").scan(folder)) {
      const conversation: Conversation = await Bun.file(`${folder}/${path}`).json();
      const flow: FlowDocument =
        typeof conversation.flow === "string"
          ? await Bun.file(`${folder}/flows/${conversation.flow}.json`).json()
          : conversation.flow;
      const stored = holdConversation(flow, conversation);

      expect([path, equalSteps(stored)]).toEqual([path, stored.steps.length]);
      steps += stored.steps.length;
    }
    expect(steps).toBeGreaterThan(500);
  }, 60_000);

  test("a replay of any chat of any flow reproduces all its steps", () => {
    fc.assert(
      fc.property(talks(), fc.nat(1_000_000), (talk, number) => {
        const stored = holdTalk(talk, number);
        expect(equalSteps(stored)).toBe(stored.steps.length);
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});

const name = asks("text input", { variableId: idOf("Name") });
const drink = {
  ...{ id: "drink", type: "choice input", options: { variableId: idOf("Email") } },
  items: [
    { id: "tea", content: "Tea", outgoingEdgeId: "to-tea" },
    { id: "coffee", content: "Coffee" },
  ],
};
const room = { id: "tea-room", title: "Tea room", blocks: [says("Here is your tea")] };
const order = {
  ...{ id: "order", type: "Webhook" },
  options: {
    webhook: { url: "https://example.com/{{Name}}" },
    responseVariableMapping: [{ id: "m", variableId: idOf("Name"), bodyPath: "data.name" }],
  },
};

/** A flow that asks for a name, which a call replaces, and for a drink. Tea leads to a separate group. */
const flow = withRoom(flowOf([says("Your name?"), name, order, says("Welcome {{Name}}"), drink, says("No tea then")]));

function withRoom(plain: ReturnType<typeof flowOf>, target = "tea-room"): FlowDocument {
  const toTea = { id: "to-tea", to: { groupId: target } };
  return JSON.parse(JSON.stringify({ ...plain, groups: [...plain.groups, room], edges: [...plain.edges, toTea] }));
}

const answer = { kind: "http", statusCode: 200, text: '{"name":"Dr. Ana"}' } as const;
const held = (...words: string[]): StoredChat =>
  holdConversation(flow, {
    turns: [{ expect: {} }, ...words.map((say) => ({ say, reports: [answer], expect: {} }))],
  });
const chats = [held("Ana", "Tea"), held("Ana", "Coffee"), held("Ana")];

function impactOf(other: FlowDocument, of: readonly StoredChat[] = chats): Impact {
  const page = replayAll(of, other);
  if (page.kind !== "replayed") throw new Error(`Flows are missing: ${JSON.stringify(page.names)}`);
  return page.impact;
}

describe("a difference between the flows", () => {
  test("a replay with an identical flow reports no difference", () => {
    expect(impactOf(structuredClone(flow))).toMatchObject({
      same: 3,
      changed: 0,
      diverging: 0,
      unknown: {},
      places: [],
    });
  });

  test("a changed text is reported with its block and both texts", () => {
    const impact = impactOf(
      withRoom(
        flowOf([
          says("Your name?"),
          name,
          order,
          says("Good day {{Name}}", idOf("says Welcome {{Name}}")),
          drink,
          says("No tea then"),
        ]),
      ),
    );

    expect(impact).toMatchObject({ same: 0, changed: 3, diverging: 0 });
    expect(impact.places).toMatchObject([
      {
        ...{
          kind: "words",
          blockId: idOf("says Welcome {{Name}}"),
          groupId: idOf("g0"),
          groupTitle: "Group 0",
          chats: 3,
        },
        examples: Array(3).fill({
          ...{ step: 2, reply: "Ana" },
          was: { shows: ["Welcome Dr. Ana"], asks: "choice input", choices: ["Tea", "Coffee"] },
          wouldBe: { shows: ["Good day Dr. Ana"] },
        }),
      },
    ]);
  });

  test("an added or removed bubble is reported", () => {
    const more = impactOf(
      withRoom(
        flowOf([
          says("Good day"),
          says("Your name?"),
          name,
          order,
          says("Welcome {{Name}}"),
          drink,
          says("No tea, sorry", idOf("says No tea then")),
        ]),
      ),
    );

    expect(more).toMatchObject({ same: 0, changed: 3, diverging: 0 });
    expect(more.places).toMatchObject([
      { kind: "bubbles", blockId: null, wasNext: idOf("says Your name?"), next: idOf("says Good day"), chats: 3 },
      { kind: "words", blockId: idOf("says No tea then"), chats: 1 },
    ]);
    const less = impactOf(withRoom(flowOf([name, order, says("Welcome {{Name}}"), drink, says("No tea then")])));
    expect(less.places).toMatchObject([
      { kind: "bubbles", wasNext: idOf("says Your name?"), next: idOf("asks text input"), chats: 3 },
    ]);
  });

  test("the number of reported differences per chat is limited", () => {
    const questions = limits.replay.differencesOfChat + 5;
    const asking = (word: string): FlowDocument =>
      JSON.parse(
        JSON.stringify(
          flowOf(
            Array.from({ length: questions }, (_, index) => [
              says(`${word} ${index}`, idOf(`says ${index}`)),
              asks("text input", {}, { id: idOf(`asks ${index}`) }),
            ]).flat(),
          ),
        ),
      );
    const turns = Array.from({ length: questions }, (_, index) => ({ ...(index > 0 && { say: "Ana" }), expect: {} }));
    const impact = impactOf(asking("Tell"), [holdConversation(asking("Say"), { turns })]);

    expect(impact).toMatchObject({ changed: 1, diverging: 0 });
    expect(impact.places).toHaveLength(limits.replay.differencesOfChat);
  });

  test("a missing target of an edge is reported", () => {
    const impact = impactOf(
      withRoom(
        flowOf([says("Your name?"), name, order, says("Welcome {{Name}}"), drink, says("No tea then")]),
        "nowhere",
      ),
    );

    expect(impact).toMatchObject({ same: 2, changed: 0, diverging: 1 });
    expect(impact.places).toMatchObject([
      {
        ...{ kind: "way", blockId: "drink", wasNext: idOf("says Here is your tea"), next: null, chats: 1 },
        examples: [{ step: 3, reply: "Tea", was: { shows: ["Here is your tea"] }, wouldBe: { shows: [] } }],
      },
    ]);
  });

  test("a removed input is reported", () => {
    const impact = impactOf(
      withRoom(flowOf([says("Your name?"), order, says("Welcome {{Name}}"), drink, says("No tea then")])),
    );

    expect(impact).toMatchObject({ same: 0, diverging: 3 });
    expect(impact.places).toMatchObject([{ kind: "uncalled", blockId: "order", chats: 3 }]);
    const without = impactOf(
      withRoom(flowOf([says("Your name?"), name, order, says("Welcome {{Name}}"), says("No tea then")])),
    );
    expect(without.places).toMatchObject([
      {
        ...{
          kind: "way",
          blockId: idOf("says Welcome {{Name}}"),
          wasNext: "drink",
          next: idOf("says No tea then"),
          chats: 3,
        },
        examples: [
          { was: { asks: "choice input" }, wouldBe: { shows: ["Welcome Dr. Ana", "No tea then"], asks: null } },
          {},
          {},
        ],
      },
    ]);
  });

  test("a removed choice is reported for a visitor who chose it", () => {
    const [coffee] = drink.items.slice(1);
    const impact = impactOf(
      withRoom(
        flowOf([
          says("Your name?"),
          name,
          order,
          says("Welcome {{Name}}"),
          { ...drink, items: [coffee] },
          says("No tea then"),
        ]),
      ),
    );

    expect(impact).toMatchObject({ same: 0, changed: 2, diverging: 1 });
    expect(impact.places).toMatchObject([
      { kind: "words", blockId: "drink", chats: 3 },
      {
        kind: "way",
        blockId: "drink",
        chats: 1,
        examples: [{ step: 3, reply: "Tea", wouldBe: { choices: ["Coffee"] } }],
      },
    ]);
  });

  test("changed and additional calls are reported", () => {
    const { webhook: _, ...options } = order.options;
    const another = { ...order, options: { ...options, webhook: { url: "https://example.com/others/{{Name}}" } } };
    const impact = impactOf(
      withRoom(flowOf([says("Your name?"), name, another, says("Welcome {{Name}}"), drink, says("No tea then")])),
    );

    expect(impact).toMatchObject({ changed: 3, diverging: 0, places: [{ kind: "call", blockId: "order", chats: 3 }] });
    const second = impactOf(
      withRoom(
        flowOf([
          says("Your name?"),
          name,
          order,
          { ...order, id: "again" },
          says("Welcome {{Name}}"),
          drink,
          says("No tea then"),
        ]),
      ),
    );
    expect(second).toMatchObject({ diverging: 3, places: [{ kind: "uncalled", blockId: "again", chats: 3 }] });
    expect(second.places[0]?.examples[0]?.wouldBe).toBeNull();
  });

  test("a chat that would continue instead of ending is reported", () => {
    const longer = withRoom(
      flowOf([
        says("Your name?"),
        name,
        order,
        says("Welcome {{Name}}"),
        drink,
        says("No tea then"),
        asks("email input"),
      ]),
    );
    expect(impactOf(longer)).toMatchObject({
      same: 2,
      diverging: 1,
      places: [{ kind: "way", next: idOf("asks email input") }],
    });
  });

  test("a step that would be refused is reported with the reason", () => {
    const [endless, loop] = [says("No tea then"), says("Round")].map((block) => ({
      ...block,
      outgoingEdgeId: idOf("e1"),
    }));
    const impact = impactOf(
      withRoom(flowOf([says("Your name?"), name, order, says("Welcome {{Name}}"), drink, endless ?? {}], [loop ?? {}])),
    );

    expect(impact).toMatchObject({ same: 2, diverging: 1 });
    expect(impact.places).toMatchObject([
      {
        kind: "refused",
        blockId: idOf("says No tea then"),
        examples: [{ step: 3, reply: "Coffee", code: "step.over_budget" }],
      },
    ]);
  });
});

describe("an unknown outcome", () => {
  const [stored = held()] = chats;
  const unknownOf = (more: Partial<StoredChat>, other: FlowDocument = flow) => {
    const page = replayAll([{ ...stored, ...more }], other);
    return page.kind === "replayed" ? page.impact : page.names;
  };
  const changed = (change: (step: StoredStep) => StoredStep) => ({ steps: stored.steps.map(change) });

  test("chats with steps of an earlier release have an unknown outcome", () => {
    const old = changed(([revision, reply, response, , back]) => [revision, reply, response, null, back]);
    expect(unknownOf(old)).toMatchObject({ same: 0, unknown: { inputs_not_kept: 1 } });
    const mixed = changed((step) => (step[0] === 3 ? [step[0], step[1], step[2], null, step[4]] : step));
    expect(unknownOf(mixed)).toMatchObject({ same: 0, unknown: { inputs_not_kept: 1 } });
  });

  test("a chat with an oversized response has an unknown outcome", () => {
    const big = { ...answer, text: JSON.stringify({ name: "x".repeat(20_000) }) };
    const inputs = JSON.stringify([
      0,
      "0".repeat(32),
      { reports: [{ effect: "e", blockId: "order", hash: contentHash(big) }] },
    ]);
    const cut = changed((step) => (step[0] === 2 ? [step[0], step[1], step[2], inputs, step[4]] : step));
    expect(unknownOf(cut)).toMatchObject({ same: 0, unknown: { report_cut: 1 } });
    const large = changed((step) => (step[0] === 2 ? [step[0], step[1], null, step[3], step[4]] : step));
    expect(unknownOf(large)).toMatchObject({ same: 0, unknown: { too_large: 1 } });
  });

  test("a chat that cannot be reproduced has an unknown outcome", () => {
    const other = changed((step) =>
      step[0] === 1 ? [step[0], step[1], step[2]?.replaceAll("Your name", "Thy name") ?? null, step[3], step[4]] : step,
    );
    expect(unknownOf(other)).toMatchObject({ same: 0, changed: 0, unknown: { not_reproducible: 1 }, places: [] });
  });

  test("a thread requests the flows that it lacks", () => {
    const page = {
      ...{
        target: { key: "bot:new", botId: "bot" },
        programs: [],
        chats: [{ ...stored.chat, flowHash: "older" }],
        from: 0,
      },
      steps: JSON.stringify([stored.steps]),
    };
    const names = [
      { key: "bot:new", botId: "bot" },
      { key: `${stored.chat.botId}:older`, botId: stored.chat.botId },
    ];
    expect(replayPage(tools, { ...page, gone: [] }, () => false)).toEqual({ kind: "unknown_programs", names });
    const program = { key: "bot:new", botId: "bot", flow: JSON.stringify(flow) };
    const replayed = replayPage(
      tools,
      { ...page, programs: [program], gone: [`${stored.chat.botId}:older`] },
      () => false,
    );
    expect(replayed).toMatchObject({ kind: "replayed", until: 1, impact: { same: 0, unknown: { version_gone: 1 } } });
  });
});

test("a replay that is asked to stop ends after the current chat", () => {
  const { chat, programs } = held();
  const page = {
    ...{ target: { key: `${chat.botId}:${chat.flowHash}`, botId: chat.botId }, programs, gone: [] },
    ...{ chats: chats.map((one) => one.chat), steps: JSON.stringify(chats.map(({ steps }) => steps)) },
  };
  const [first, second] = [0, 1].map((from) => replayPage(tools, { ...page, from }, () => true));
  expect(first).toMatchObject({ until: 1, impact: { same: 1 } });
  expect(second).toMatchObject({ until: 2, impact: { same: 1 } });
});

describe("the record of a step", () => {
  const context = { now: 1_763_640_000_000, seed: "0".repeat(32), isLive: true, contentFormat: "richText" } as const;
  const reply = { kind: "reply", state: "{}", reply: { type: "text", text: "Ana" } } as const;
  const recorded = (text: string) => ({ effect: "e", blockId: "order", report: { ...answer, text } });
  const kept = (reports: readonly ReturnType<typeof recorded>[]) =>
    readInputs(writeInputs({ context, input: reply }, { reports, movedFrom: undefined })).reports ?? [];

  test("the record of a step contains its time and seed, but no oversized values", () => {
    const none = { reports: [], movedFrom: undefined };
    expect(writeInputs({ context, input: reply }, none)).toBe(`[1763640000000,"${"0".repeat(32)}"]`);
    const start = {
      kind: "start",
      resultId: "r",
      isStreamEnabled: false,
      isOnlyRegistering: false,
      reply: null,
    } as const;
    const plain = writeInputs({ context, input: { ...start, options: { prefilledVariables: {} } } }, none);
    expect(plain).toBe(`[1763640000000,"${"0".repeat(32)}"]`);
    const prefilledVariables = { Name: "x".repeat(20_000) };
    const large = writeInputs({ context, input: { ...start, options: { prefilledVariables } } }, none);
    expect(readInputs(large)).toMatchObject({ isCut: true });
    expect(large.length).toBeLessThan(100);
  });

  test("the hash of a payment depends on its amount", () => {
    const payment = { kind: "payment", paymentId: "p", credentialsId: "c", currency: "EUR", amount: 500 } as const;

    expect(effectHash({ ...payment, isNewVisit: true })).toBe(effectHash(payment));
    expect(effectHash({ ...payment, amount: 501 })).not.toBe(effectHash(payment));
  });

  test("the record of a step contains only the hashes of large results", () => {
    expect(kept([recorded("small")])).toEqual([recorded("small")]);
    expect(kept([recorded("x".repeat(263_000)), recorded("small")])).toEqual([
      { effect: "e", blockId: "order", hash: contentHash({ ...answer, text: "x".repeat(263_000) }) },
      recorded("small"),
    ]);
    const many = kept(Array.from({ length: 6 }, () => recorded("x".repeat(240_000))));
    expect(many.map((one) => "report" in one)).toEqual([true, true, true, true, false, false]);
  });
});

describe("a chat of an older release", () => {
  const score = { id: newId(), name: "Score" };
  const sets = (expressionToEvaluate: string) => ({
    ...{ id: "set", type: "Set variable" },
    options: { variableId: score.id, expressionToEvaluate },
  });
  const calls = { id: "call", type: "Webhook", options: { webhook: { url: "https://example.com/{{Score}}" } } };
  const flowWith = (expression: string, ...blocks: object[]): FlowDocument => {
    const plain = flowOf([sets("4"), asks("text input"), sets(expression), ...blocks]);
    return JSON.parse(JSON.stringify({ ...plain, variables: [score] }));
  };
  /** The state of an older release, in which the expression is replaced by its text. */
  const heldBefore = (...blocks: object[]): { readonly stored: StoredChat; readonly flow: FlowDocument } => {
    const flow = flowWith("{{Score}} + 1", ...blocks);
    const turns = [{ expect: {} }, { say: "go", reports: [answer], expect: {} }];
    const held = holdConversation(flowWith('"4 + 1"', ...blocks), { turns });
    const flowHash = contentHash(flow);
    const program = { key: `${held.chat.botId}:${flowHash}`, botId: held.chat.botId, flow: JSON.stringify(flow) };
    return { stored: { ...held, chat: { ...held.chat, flowHash }, programs: [program] }, flow };
  };
  const blameless = { changed: 0, diverging: 0, places: [] };

  test("an old chat that shows an unevaluated expression has an unknown outcome", () => {
    const { stored, flow } = heldBefore(says("You have {{Score}}"));
    const draft = flowWith("{{Score}} + 1", says("You have {{Score}}"), says("Goodbye"));

    for (const target of [flow, draft]) {
      expect(replayAll([stored], target)).toMatchObject({
        impact: { ...blameless, same: 0, unknown: { not_reproducible: 1 } },
      });
    }
  });

  test("an old chat that sends an unevaluated expression has an unknown outcome", () => {
    const { stored, flow } = heldBefore(calls, says("Done"));

    expect(replayAll([stored], flow)).toMatchObject({
      impact: { ...blameless, same: 0, unknown: { not_reproducible: 1 } },
    });
  });
});
