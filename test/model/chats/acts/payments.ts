import { checkingSentence, checkLater, triedAgain } from "../checks.ts";
import { happens, type Shown } from "../model.ts";
import { holdStep, intentOf, isPaid, moveNow, textsOf, watchAll } from "../observe.ts";
import { hold, holdEqual } from "../promises.ts";
import { type Chat, momentFrom, newWord, type Run } from "../run.ts";
import { waitingPart } from "../walk.ts";
import { type Act, picked } from "./act.ts";
import { outsideAfter, reply } from "./talk.ts";

const refusedSentence = "Payment failed. Please, try again.";
const processingSentence = "Your payment is being processed. The chat continues as soon as it is confirmed.";

export function paysNow({ model }: Chat): boolean {
  const part = waitingPart(model.state);
  return part !== undefined && "pay" in part;
}

/** Returns the payments that the chat has shown and that can still be made at the provider. */
function payable(run: Run, { model }: Chat): Shown[] {
  return model.shown.filter(({ secret }) => intentBy(run, secret)?.status === "requires_payment_method");
}

export function intentBy(run: Run, secret: string) {
  return [...run.world.stripe.intents.values()].find(({ client_secret }) => client_secret === secret);
}

export const paymentActs: readonly Act[] = [
  {
    name: "pay",
    means: "A visitor pays what the chat asks for, at the provider. The chat has not heard of it.",
    often: 7,
    when: (run, chat) => paysNow(chat) && intentOf(run, chat)?.status === "requires_payment_method",
    async run(run, chat) {
      run.world.stripe.confirm(intentOf(run, chat)?.client_secret ?? "");
    },
  },
  {
    name: "payLate",
    means: "A visitor pays in another tab what a former visit asked for.",
    often: 3,
    when: (run, chat) => payable(run, chat).some(({ visit }) => visit !== chat.model.visit),
    async run(run, chat, pick) {
      const former = payable(run, chat).filter(({ visit }) => visit !== chat.model.visit);
      run.world.stripe.confirm(former[pick % former.length]?.secret ?? "");
    },
  },
  {
    name: "sayPaid",
    means: "The page says that the visitor has paid, whether or not that is so.",
    often: 8,
    when: (_, chat) => paysNow(chat),
    run: sayPaid,
  },
  {
    name: "payTwice",
    means:
      "A visitor tries to pay a second time: the provider takes nothing, and the page says that it was paid once more.",
    often: 2,
    when: (run, chat) => paysNow(chat) && isPaid(run, chat),
    async run(run, chat) {
      const taken = run.world.stripe.taken();
      try {
        run.world.stripe.confirm(intentOf(run, chat)?.client_secret ?? "");
      } catch {}
      holdEqual("charged", { expected: taken, seen: run.world.stripe.taken() });
      await sayPaid(run, chat);
    },
  },
  {
    name: "process",
    means: "A visitor pays in a way that takes days, and the page says so.",
    often: 1,
    when: (run, chat) => run.away === 0 && paysNow(chat) && intentOf(run, chat)?.status === "requires_payment_method",
    async run(run, chat) {
      run.world.stripe.confirm(intentOf(run, chat)?.client_secret ?? "", { status: "processing" });
      await sayPaid(run, chat);
    },
  },
  {
    name: "report",
    means: "The provider reports a payment, once or twice.",
    often: 5,
    when: (run, { model }) => model.shown.some(({ secret }) => intentBy(run, secret)?.status === "succeeded"),
    async run(run, chat, pick) {
      const paid = chat.model.shown.flatMap(({ secret }) => {
        const intent = intentBy(run, secret);
        return intent?.status === "succeeded" ? [intent] : [];
      });
      const intent = paid[pick % paid.length];
      const isDue = run.away === 0 && paysNow(chat) && intent === intentOf(run, chat) && isPaid(run, chat);
      const before = chat.model.visit;
      for (let times = 0; times <= pick % 2; times++) {
        const { body, signature } = run.world.stripe.report(intent?.id ?? "", { secret: run.world.webhookSecret });
        const answer = await run.world.client().post(`/api/v1/payments/stripe/${run.stripeId}`, {
          rawBody: body,
          headers: { "stripe-signature": signature },
        });
        hold("kept", answer.status === 200 || (run.away > 0 && answer.status === 503), {
          status: answer.status,
          body: answer.body,
        });
      }
      await watchAll(run);
      hold("due", !isDue || chat.model.visit !== before, {
        note: "The report of this payment did not let its chat go on",
        visit: before,
      });
    },
  },
  {
    name: "goAway",
    means: "The provider answers the next calls with an error, and is there again afterwards.",
    often: 5,
    when: ({ away }) => away === 0,
    async run(run, _, pick) {
      run.away = picked([1, 2, 3, 4, 9], pick);
      run.awayFrom = run.world.stripe.asked.length;
      run.world.stripe.fail(pick % 2 === 0 ? "500" : "429", { times: run.away });
    },
  },
];

async function sayPaid(run: Run, chat: Chat): Promise<void> {
  const { model } = chat;
  const begunAt = run.world.now();
  const send = reply(run, chat, "Success", { key: newWord(run, "key-of-a-payment-") });
  const wasPaid = isPaid(run, chat);
  const isAway = run.away > triedAgain;
  const isProcessing = intentOf(run, chat)?.status === "processing";
  const answer = await send();
  moveNow(chat);
  model.unseen = undefined;
  const texts = textsOf(answer);
  const sentence = isAway ? checkingSentence : isProcessing ? processingSentence : refusedSentence;
  const facts = {
    ...{ flow: model.flow, costs: model.visit?.costs, taken: intentOf(run, chat)?.amount_received },
    ...{ seen: texts, input: answer.at("input.id"), away: run.away },
  };
  chat.last = { send, answer };
  const promised = run.away > 0 ? "kept" : "shown";
  if (isAway || !wasPaid) {
    hold(isAway ? "kept" : "paid", texts.length === 1 && texts[0] === sentence, facts);
    const step = happens.refuse(model, "Success", sentence, momentFrom(run, begunAt));
    if (isAway) checkLater(run, chat);
    holdStep(run, chat, answer, step, promised);
    return;
  }
  hold("due", texts[0] !== refusedSentence && texts[0] !== checkingSentence, facts);
  const step = happens.answer(model, "Success", outsideAfter(run, answer), momentFrom(run, begunAt));
  holdStep(run, chat, answer, step, promised);
}
