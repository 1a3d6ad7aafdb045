import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Asked } from "../../fake-providers/kit.ts";
import { type FakeStripe, startFakeStripe } from "../../fake-providers/stripe.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../support/chat.ts";
import type { Answer, Client } from "../../support/client.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { type ArrowWorld, createArrowWorld, insist, lost } from "./arrow-world.ts";

setDefaultTimeout(60_000);

const webhookSecret = "whsec_planted_live_secret";
const account = { liveSecretKey: "sk_live_planted", livePublicKey: "pk_live_1", liveWebhookSecret: webhookSecret };

/** The timeout of the input, in seconds. It only expires when the test advances the clock. */
const lateSeconds = 600;
/**
 * The step in which the node of a chat dies: the step prepares the payment, checks it for a reply, handles its report,
 * or goes back.
 */
type Act = "prepare" | "reply" | "report" | "back";
/**
 * The event after the death. `asked again`: the client or the provider repeats its request. `reported`: the provider
 * reports the payment. `nothing`: the tab is closed, and no report arrives. `late`: a report arrives after the timeout
 * of the input. `paid`: the visitor pays before the request is repeated.
 */
type After = "asked again" | "reported" | "nothing" | "late" | "paid";

/**
 * `asked`: the provider has received the request. `made`: the provider has done the work, but its response does not
 * arrive.
 */
type Hold =
  | { readonly provider: "asked" | "made"; readonly of: "POST" | "GET"; readonly nth?: number }
  | { readonly table: string; readonly on: "insert" | "update"; readonly when?: string }
  | { readonly place: "before the save" | "after the save" };

type Arrow = { readonly name: string; readonly act: Act; readonly hold: Hold; readonly after: After };

const taking: Hold = { table: "payments", on: "update", when: "new.taken_revision is not null" };
const noting: Hold = {
  table: "payments",
  on: "update",
  when: "new.status = 'succeeded' and old.status <> 'succeeded'",
};
const ending: Hold = { table: "payments", on: "update", when: "new.status = 'canceled'" };
const due: Hold = { table: "due_steps", on: "insert", when: "new.kind = 'payment'" };
const arrows: readonly (Arrow & { readonly ticket: string })[] = (
  [
    { name: "its row is written, the intent is asked for", act: "prepare", hold: { provider: "asked", of: "POST" } },
    { name: "the intent is made, the answer does not come", act: "prepare", hold: { provider: "made", of: "POST" } },
    {
      name: "the intent's id is saved, the report is not",
      act: "prepare",
      hold: { table: "effect_reports", on: "insert" },
    },
    { name: "the report is saved, the step is not", act: "prepare", hold: { place: "before the save" } },
    { name: "the step is saved, its answer does not come", act: "prepare", hold: { place: "after the save" } },
    { name: "the provider is asked whether it was paid", act: "reply", hold: { provider: "asked", of: "GET" } },
    { name: "it was paid, which is not noted", act: "reply", hold: noting },
    { name: "it is noted, not taken", act: "reply", hold: taking },
    { name: "it is noted, not taken, and a report comes", act: "reply", hold: taking, after: "reported" },
    { name: "it is noted, not taken, and nobody comes back", act: "reply", hold: taking, after: "nothing" },
    { name: "it is taken, the step is not saved", act: "reply", hold: { place: "before the save" } },
    {
      name: "it is taken, the step is not saved, and a report comes",
      act: "reply",
      hold: { place: "before the save" },
      after: "reported",
    },
    {
      name: "it is taken, the step is not saved, and nobody comes back",
      act: "reply",
      hold: { place: "before the save" },
      after: "nothing",
    },
    {
      name: "it is taken, the step is not saved, and its time is over",
      act: "reply",
      hold: { place: "before the save" },
      after: "late",
    },
    {
      name: "the step that takes it is saved, its answer does not come",
      act: "reply",
      hold: { place: "after the save" },
    },
    { name: "a report has come, and the provider is asked", act: "report", hold: { provider: "asked", of: "GET" } },
    { name: "a report has come, and its step is being left", act: "report", hold: due },
    {
      name: "a report has come, its step is being left, and it is not sent again",
      act: "report",
      hold: due,
      after: "nothing",
    },
    { name: "a report has come, and it is being noted", act: "report", hold: noting },
    {
      name: "a report has come, it is being noted, and it is not sent again",
      act: "report",
      hold: noting,
      after: "nothing",
    },
    {
      name: "the step of a report asks the provider",
      act: "report",
      hold: { provider: "asked", of: "GET", nth: 2 },
      after: "nothing",
    },
    { name: "the step of a report takes it", act: "report", hold: taking, after: "nothing" },
    { name: "the step of a report is not saved", act: "report", hold: { place: "before the save" }, after: "nothing" },
    { name: "the step of a report is saved", act: "report", hold: { place: "after the save" } },
    { name: "going back asks the provider for the payment", act: "back", hold: { provider: "asked", of: "GET" } },
    { name: "going back has it cancelled", act: "back", hold: { provider: "asked", of: "POST" } },
    {
      name: "going back has it cancelled, and it is paid before that",
      act: "back",
      hold: { provider: "asked", of: "POST" },
      after: "paid",
    },
    { name: "it is cancelled, the answer does not come", act: "back", hold: { provider: "made", of: "POST" } },
    { name: "it is cancelled, which is not noted", act: "back", hold: ending },
    { name: "it is cancelled, the report is not saved", act: "back", hold: { table: "effect_reports", on: "insert" } },
    {
      name: "it is cancelled, the step that goes back is not saved",
      act: "back",
      hold: { table: "steps", on: "insert", when: "new.went_back_to is not null" },
    },
    {
      name: "it is cancelled, the step that goes back is not saved, and nobody goes back again",
      act: "back",
      hold: { table: "steps", on: "insert", when: "new.went_back_to is not null" },
      after: "nothing",
    },
  ] as const satisfies readonly (Omit<Arrow, "after"> & { after?: After })[]
).map((arrow, index) => ({ after: "asked again", ...arrow, ticket: `ticket-${index + 1}` }));

let stripe: FakeStripe;
let world: ArrowWorld;
let shop: string;
let credentialsId: string;

beforeAll(async () => {
  stripe = await startFakeStripe();
  const holds = arrows.flatMap(({ hold, ticket }) => ("place" in hold ? [[ticket, hold.place] as const] : []));
  world = await createArrowWorld({ fakes: [stripe], holds: Object.fromEntries(holds) });
  credentialsId = await world.makeCredentials("stripe", account);
  shop = `/api/v1/payments/stripe/${credentialsId}`;
});
afterAll(async () => {
  await world.close();
  await stripe.close();
});

/**
 * Returns a flow in which a fault point pauses the first step with the ticket. Depending on the act, this is the step
 * that asks for the payment, or the next step.
 */
const flowFor = (act: Act) => ({
  ...flowOf(
    [
      asks("text input", { variableId: idOf("Name") }),
      ...(act === "prepare" ? [says("Hello {{Name}}")] : []),
      asks("payment input", {
        credentialsId,
        amount: "12.50",
        currency: "EUR",
        timeout: { after: lateSeconds, outgoingEdgeId: idOf("e1") },
      }),
      says("Paid by {{Name}}"),
      asks("email input"),
    ],
    [says("Too late"), asks("number input")],
  ),
  ...(act === "back" && { settings: { general: { isGoBackEnabled: true } } }),
});

type Chat = (typeof arrows)[number] & { readonly sessionId: string; readonly resultId: string; readonly botId: string };

const intentsOf = async ({ sessionId }: Chat) => {
  const rows = await world.sql<{ id: string; intentId: string | null }[]>`
    select id, intent_id from payments where session_id = ${sessionId}`;
  const made = [...stripe.intents.values()].filter(({ metadata }) =>
    rows.some(({ id }) => id === Object(metadata)["parley_payment"]),
  );
  return { rows, made };
};
const pay = async (chat: Chat): Promise<void> => {
  const intent = (await intentsOf(chat)).made.at(-1);
  stripe.confirm(intent?.client_secret ?? "");
};
const report = async (client: Client, chat: Chat): Promise<Answer> => {
  const [intent] = (await intentsOf(chat)).made;
  const { body, signature } = stripe.report(intent?.id ?? "", { secret: webhookSecret });
  return client.post(shop, { rawBody: body, headers: { "stripe-signature": signature } });
};
const keyOf = (act: string, { ticket }: Chat) => `${act}-of-${ticket}`;
const named = (client: Client, chat: Chat) =>
  say(client, chat.sessionId, chat.ticket, { headers: { "Idempotency-Key": keyOf("name", chat) } });
const wentBack = (client: Client, { sessionId, ...chat }: Chat) =>
  client.post(`/api/v1/sessions/${sessionId}/goBack`, {
    headers: { "Idempotency-Key": keyOf("back", { sessionId, ...chat }) },
  });
const replied = (client: Client, chat: Chat) =>
  say(client, chat.sessionId, "Success", { headers: { "Idempotency-Key": keyOf("reply", chat) } });

async function holdAt(chat: Chat): Promise<() => Promise<boolean> | boolean> {
  const { hold, ticket, sessionId } = chat;
  if ("place" in hold) return () => world.dying.isHeld(ticket);
  if ("table" in hold) {
    return world.holdStatement({ when: "true", ...hold, sessionId });
  }
  let count = 0;
  let isHeld = false;
  const keeps = (asked: Asked): boolean => {
    if (asked.method !== hold.of || askedFor.get(asked) !== sessionId) return false;
    count++;
    isHeld ||= count >= (hold.nth ?? 1);
    return isHeld;
  };
  if (hold.provider === "made") stripe.fail("hang", { of: keeps, times: 10, isDone: true });
  else holding.push(keeps);
  return () => isHeld;
}

/** The session whose payment each request concerns. */
const askedFor = new WeakMap<Asked, string>();
/** Predicates for requests that are left unanswered. */
const holding: ((asked: Asked) => boolean)[] = [];

async function watch(asked: Asked): Promise<unknown> {
  const paymentId = new URLSearchParams(asked.text).get("metadata[parley_payment]");
  const [row] = await world.sql<{ sessionId: string }[]>`
    select session_id from payments
    where id = ${paymentId} or intent_id = any(${asked.path.split("/")}::text[])`;
  if (row) askedFor.set(asked, row.sessionId);
  return holding.some((keeps) => keeps(asked)) ? Promise.withResolvers().promise : undefined;
}

/**
 * Continues a chat whose node died during a step back. The visitor goes back again, enters the name, and pays, unless a
 * payment was made and forbids going back.
 */
async function goOnFromBack(client: Client, chat: Chat): Promise<void> {
  const { sessionId, ticket: message } = chat;
  if (chat.after === "paid") {
    await pay(chat);
    await waitFor(async () => (await wentBack(client, chat)).at("code") === "payment.made", { withinMs: 60_000 });
    return;
  }
  if (chat.after === "nothing") {
    // A visitor who loads the question again can still pay.
    const shown = await insist(client, { sessionId, message: "fail", key: keyOf("fail", chat) });
    expect([chat.name, shown.at("input.type")]).toEqual([chat.name, "payment input"]);
  } else {
    const isAsked = async () => (await wentBack(client, chat)).at("input.type") === "text input";
    await waitFor(isAsked, { withinMs: 60_000, what: chat.name });
    const shown = await insist(client, { sessionId, message, key: keyOf("name-again", chat) });
    expect([chat.name, shown.body]).toMatchObject([chat.name, { input: { type: "payment input" } }]);
  }
  await pay(chat);
  await insist(client, { sessionId, message: "Success", key: keyOf("reply", chat) });
}

test("a payment is charged once, no matter when a node dies", async () => {
  const { dying } = world;
  const bots = new Map(
    await Promise.all(
      (["prepare", "reply", "report", "back"] as const).map(
        async (act) => [act, await world.publish(flowFor(act))] as const,
      ),
    ),
  );
  const chats = await Promise.all(
    arrows.map(async (arrow): Promise<Chat> => {
      const { botId = "", publicId = "" } = bots.get(arrow.act) ?? {};
      const started = await start(dying.client, publicId);
      return { ...arrow, botId, sessionId: started.text("sessionId"), resultId: started.text("resultId") };
    }),
  );
  const stop = stripe.onAsked(watch);

  for (const chat of chats) {
    if (chat.act === "prepare") continue;
    await named(dying.client, chat);
    if (chat.act !== "back") await pay(chat);
  }
  // All triggers are created before any statement is paused, because a paused statement would block the next trigger.
  const held: (readonly [Chat, () => Promise<boolean> | boolean])[] = [];
  for (const chat of chats) held.push([chat, await holdAt(chat)]);
  const asking = chats.map((chat) => {
    if (chat.act === "prepare") return lost(named(dying.client, chat));
    if (chat.act === "back") return lost(wentBack(dying.client, chat));
    return lost(chat.act === "reply" ? replied(dying.client, chat) : report(dying.client, chat));
  });
  for (const [{ name }, isHeld] of held) await waitFor(isHeld, { withinMs: 10_000, what: name });
  const { client } = await world.succeed();
  stop();
  stripe.recover();
  await Promise.all(asking);

  await Promise.all(
    chats.map(async (chat) => {
      if (chat.act === "back") return goOnFromBack(client, chat);
      if (chat.after === "nothing" || chat.after === "late") return;
      if (chat.act === "prepare") {
        const { sessionId, ticket: message } = chat;
        const shown = await insist(client, { sessionId, message, key: keyOf("name", chat) });
        expect([chat.name, shown.at("input.type")]).toEqual([chat.name, "payment input"]);
        await pay(chat);
        await insist(client, { sessionId, message: "Success", key: keyOf("reply", chat) });
      } else if (chat.act === "reply" && chat.after === "asked again") {
        await insist(client, { sessionId: chat.sessionId, message: "Success", key: keyOf("reply", chat) });
      } else expect([chat.name, (await report(client, chat)).status]).toEqual([chat.name, 200]);
    }),
  );
  // The remaining payments were not reported. The service would query the provider after ten minutes, and the test
  // makes this check due now.
  const unheard = chats.filter(({ after }) => after === "nothing").map(({ sessionId }) => sessionId);
  await world.sql`
    update payments set next_check_at = clock()
    where next_check_at is not null and session_id = any(${unheard}::uuid[])`;
  await world.runTask("payment-checks");
  const stepsOf = async ({ sessionId }: Chat) => {
    const session = await client.get(`/api/v1/sessions/${sessionId}`);
    return [session.at("session.steps.*.messages.*.content.plainText")]
      .flat(3)

      .filter((text) => /^(Paid|Too late)/.test(String(text)));
  };
  const outcomeOf = async (chat: Chat) => {
    const { name, botId, resultId } = chat;
    // A chat that never continues fails below, in the comparison of all chats.
    await waitFor(async () => (await stepsOf(chat)).length > 0, { withinMs: 15_000 }).catch(() => {});
    const { rows, made } = await intentsOf(chat);
    const path = `/api/v1/bots/${botId}/results/${resultId}`;
    const { at } = await client.get(path, { token: world.token });
    const logs = await client.get(`${path}/logs`, { token: world.token });
    return {
      ...{ name, rows: rows.length, intents: made.map(({ status }) => status), steps: await stepsOf(chat) },
      ...{ isPaid: at("result.isPaid"), answers: at("result.answers.*.content"), logs: logs.at("logs.*.description") },
    };
  };
  const endedFirst = ({ act, after }: Chat) => act === "back" && after !== "paid";
  const late = chats.filter(({ after }) => after === "late");
  const inTime = chats.filter(({ after }) => after !== "late");
  expect(await Promise.all(inTime.map(outcomeOf))).toEqual(
    inTime.map((chat) => ({
      ...{ name: chat.name, rows: 1, steps: [`Paid by ${chat.ticket}`] },
      intents: endedFirst(chat) ? ["canceled", "succeeded"] : ["succeeded"],
      ...{ isPaid: true, answers: [chat.ticket, "Success"], logs: [] },
    })),
  );

  await moveClock(world.sql, 2 * lateSeconds);
  for (const chat of late) {
    await waitFor(async () => (await stepsOf(chat)).length > 0);
    expect((await report(client, chat)).status).toBe(200);
    const description = "A payment was made after the chat had continued without it";
    await waitFor(async () => String((await outcomeOf(chat)).logs) !== "");
    expect(await outcomeOf(chat)).toEqual({
      ...{ name: chat.name, rows: 1, intents: ["succeeded"], steps: ["Too late"] },
      ...{ isPaid: true, answers: [chat.ticket], logs: [description] },
    });
  }
  expect(stripe.taken()).toBe(chats.length * 1_250);
});
