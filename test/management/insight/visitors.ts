import type { DueSteps } from "../../../src/chat/due/due-steps.ts";
import type { Dice } from "../../core/editing/dice.ts";
import type { FakeStripe } from "../../fake-providers/stripe.ts";
import type { TestApi } from "../../support/api.ts";
import { start } from "../../support/chat.ts";
import type { Answer } from "../../support/client.ts";
import { moveClock } from "../../support/moved-clock.ts";
import { waitFor } from "../../support/wait.ts";
import { edgeOfPlan, type Moment, moments, noCodeEdge, noMoneyEdge } from "./visited-flow.ts";

/** An answer that was not undone, with the edge of its choice, and the times at which it was sent and accepted. */
export type Given = {
  readonly blockId: string;
  readonly content: string;
  readonly edgeId: string | undefined;
  readonly sentAt: number;
  readonly takenAt: number;
};

/** A visit with everything that the visitor saw and did. */
export type Visit = {
  readonly resultId: string;
  /** The version in the greeting, or undefined for an imported visit without a version. */
  readonly version: number | undefined;
  readonly moment: Moment;
  readonly name: string;
  readonly startSentAt: number;
  readonly startedAt: number;
  /** All blocks that were ever on the page. */
  readonly shown: Set<string>;
  waitsAt: string | undefined;
  isEnded: boolean;
  hasAnswered: boolean;
  readonly answers: Given[];
  /** The edges that timeouts followed. */
  readonly timedOut: string[];
  payments: number;
  /** Whether a payment arrived a day after the visit. */
  paysNextDay: boolean;
  isGone: boolean;
};

export const webhookSecret = "whsec_planted_live_secret";
const mostActs = 14;

type Visiting = {
  readonly api: TestApi;
  readonly due: DueSteps;
  readonly stripe: FakeStripe;
  readonly credentialsId: string;
  readonly dice: Dice;
  readonly moment: Moment;
  /** Decides whether the chat gets the canary's version. */
  readonly startKey: string;
};

export async function visit(around: Visiting, publicId: string): Promise<Visit> {
  const { api, dice, moment, startKey } = around;
  const { client, deps } = api;
  const page = { revision: 1, secret: "" };
  /** The seconds by which the visitor has advanced the clock. */
  let waited = 0;
  const now = () => Date.now() + waited * 1_000;
  const pause = async (seconds: number) => {
    waited += seconds;
    await moveClock(deps.sql, (Date.parse(moment.at) - startSentAt) / 1_000 + waited);
  };
  await moveClock(deps.sql, (Date.parse(moment.at) - Date.now()) / 1_000);
  const startSentAt = Date.now();
  const started = await start(client, publicId, {}, { headers: { "idempotency-key": startKey } });
  const sessionId = started.text("sessionId");
  const greeting = started.text("messages.0.content.plainText");
  const seen: Visit = {
    ...{ resultId: started.text("resultId"), version: Number(greeting.replace("Welcome ", "")), moment },
    name: dice.pick(["Ada", "Cleo", "Dora", "Eve", "Bob"]) ?? "",
    ...{ startSentAt, startedAt: Date.now(), shown: new Set<string>(), waitsAt: undefined, isEnded: false },
    ...{ hasAnswered: false, answers: [], timedOut: [], payments: 0, paysNextDay: false, isGone: false },
  };
  const note = (answer: Answer) => noteAnswer(seen, page, answer);
  note(started);
  const answer = async (content: string) => {
    if (!seen.hasAnswered) await pause(4 + dice.below(50));
    const [blockId, sentAt] = [seen.waitsAt ?? "", now()];
    const body = { message: content, afterRevision: page.revision };
    note(await client.post(`/api/v1/sessions/${sessionId}/continueChat`, { body }));
    const edgeId = blockId === "plan" ? edgeOfPlan.get(content) : undefined;
    seen.answers.push({ blockId, content, edgeId, sentAt, takenAt: now() });
    seen.hasAnswered = true;
  };
  const goBack = async () => {
    note(await client.post(`/api/v1/sessions/${sessionId}/goBack`));
    seen.answers.pop();
  };
  const waitInVain = async () => {
    seen.timedOut.push(seen.waitsAt === "code" ? noCodeEdge : noMoneyEdge);
    await pause(61);
    await settle(around);
    const { steps, input } = Object((await client.get(`/api/v1/sessions/${sessionId}`)).at("session"));
    noteStep(seen, page, { ...Object(steps.at(-1)), input });
  };
  const payLate = async () => {
    const late = page.secret;
    await waitInVain();
    // The chat has expired after 26 hours.
    seen.paysNextDay = moments.indexOf(moment) % 2 === 1;
    if (seen.paysNextDay) await pause(26 * 3_600);
    around.stripe.confirm(late);
    const { body, signature } = around.stripe.report(intentOf(late), { secret: webhookSecret });
    const path = `/api/v1/payments/stripe/${around.credentialsId}`;
    await client.post(path, { rawBody: body, headers: { "stripe-signature": signature } });
    await settle(around);
    seen.payments++;
  };
  for (let acts = 0; acts < mostActs && !seen.isEnded && !seen.paysNextDay; acts++) {
    const roll = dice.below(100);
    // A visitor cannot undo a payment. Bob does not go back, because an undone name also counts when the person is
    // erased.
    const isFree = seen.payments === 0 && seen.timedOut.length === 0 && seen.name !== "Bob";
    const canGoBack = isFree && seen.answers.length > 0;
    if (seen.waitsAt === "code") {
      if (roll < 18) await waitInVain();
      else if (roll < 28 && canGoBack) await goBack();
      else await answer("1234");
    } else if (seen.waitsAt === "pay") {
      if (roll < 20) await payLate();
      else if (roll < 32) await waitInVain();
      else if (roll < 45 && canGoBack) await goBack();
      else {
        around.stripe.confirm(page.secret);
        await answer("Success");
        seen.payments++;
      }
    } else if (roll < leavesAt(seen.waitsAt)) break;
    else if (roll > 88 && canGoBack) await goBack();
    else await answer(replyTo(seen, dice));
  }
  // No visitor stops at these two questions.
  if (seen.waitsAt === "code" || seen.waitsAt === "pay") await waitInVain();
  return seen;
}

/** Returns the percentage of visitors who leave at a question. */
function leavesAt(blockId: string | undefined): number {
  return blockId === "name" ? 24 : blockId === "plan" ? 12 : 8;
}

function replyTo({ waitsAt, name }: Visit, dice: Dice): string {
  switch (waitsAt) {
    case "plan":
      return dice.pick(["Free", "Pro", "Pro", "Pro", "Not now"]) ?? "";
    case "mail":
      return "somebody@example.com";
    case "name":
      return name;
    case "size":
      return dice.pick(["Small", "Large"]) ?? "";
    case "stars":
      return String(1 + dice.below(10));
    default:
      return "so";
  }
}

type Page = { revision: number; secret: string };

function noteAnswer(seen: Visit, page: Page, { status, body }: Answer): void {
  if (status !== 200) throw new Error(`A visitor met ${status}: ${JSON.stringify(body)}`);
  noteStep(seen, page, Object(body));
}

type Step = {
  readonly revision: number;
  readonly messages: readonly { readonly id: string }[];
  readonly input?: unknown;
};

function noteStep(seen: Visit, page: Page, { revision, messages, input }: Step): void {
  for (const { id } of messages) seen.shown.add(id);
  const { id, runtimeOptions } = Object(input ?? {});
  if (id !== undefined) seen.shown.add(id);
  seen.waitsAt = id;
  seen.isEnded = id === undefined;
  page.revision = revision;
  page.secret = Object(runtimeOptions ?? {}).paymentIntentSecret ?? "";
}

function intentOf(secret: string): string {
  return secret.slice(0, secret.indexOf("_secret_"));
}

async function settle({ api, due }: Visiting): Promise<void> {
  await waitFor(async () => {
    due.wake();
    const rows = await api.deps.sql`
      select
      from due_steps
      where held_until <= clock() or held_by is not null`;
    return rows.length === 0;
  });
}
