import { createHash, createHmac } from "node:crypto";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

type Intent = {
  readonly id: string;
  readonly object: "payment_intent";
  status: "requires_payment_method" | "requires_action" | "processing" | "succeeded" | "canceled";
  readonly amount: number;
  amount_received: number;
  currency: string;
  readonly client_secret: string;
  readonly description: string | null;
  readonly receipt_email: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

type Session = {
  readonly id: string;
  readonly object: "checkout.session";
  status: "open" | "complete" | "expired";
  url: string | null;
  payment_intent: string | null;
  /** The URL to which the browser is redirected after the payment. */
  readonly paid: string;
  readonly wanted: { readonly amount: number; readonly currency: string; readonly fields: Fields };
};

export type FakeStripe = FakeProvider & {
  readonly intents: ReadonlyMap<string, Intent>;
  readonly sessions: ReadonlyMap<string, Session>;
  readonly webhooks: readonly { readonly url: string; readonly secret: string }[];
  /** Confirms the intent of this secret, as the visitor's form does. Throws if the intent does not accept a payment. */
  confirm(secret: string, options?: { status?: Intent["status"]; received?: number; currency?: string }): void;
  /** Pays on the hosted page, as a visitor does. */
  payAtCheckout(sessionId: string): void;
  /** Creates a signed webhook report about an intent. */
  report(intentId: string, options: ReportOptions): { readonly body: string; readonly signature: string };
  /** Returns the total amount that visitors have paid, in the smallest currency unit. */
  taken(): number;
};

type ReportOptions = { readonly secret: string; readonly type?: string; readonly at?: number };
type Fields = ReadonlyMap<string, string>;
type Made = { readonly fields: string; readonly answer: Answer };

/**
 * Starts Stripe's API, based on docs.stripe.com/api: intents, Checkout sessions, webhook endpoints and the balance.
 * Bodies are forms, an idempotency key with other parameters is rejected, and a paid intent cannot be cancelled.
 */
export async function startFakeStripe({ port = 0 } = {}): Promise<FakeStripe> {
  const intents = new Map<string, Intent>();
  const sessions = new Map<string, Session>();
  const webhooks: { url: string; secret: string }[] = [];
  const made = new Map<string, Made>();
  let count = 0;

  const makeIntent = (fields: Fields, { amount, currency }: { amount: number; currency: string }): Intent => {
    count += 1;
    const id = `pi_${count}${createHash("sha256").update(`${count}`).digest("hex").slice(0, 20)}`;
    const intent: Intent = {
      ...{ id, object: "payment_intent", status: "requires_payment_method", amount, amount_received: 0, currency },
      ...{ client_secret: `${id}_secret_${createHash("sha256").update(id).digest("hex").slice(0, 24)}` },
      ...{ description: fields.get("description") ?? null, receipt_email: fields.get("receipt_email") ?? null },
      metadata: inBrackets(fields, "metadata"),
    };
    intents.set(id, intent);
    return intent;
  };

  const create = (fields: Fields): Answer => {
    const [amount, currency] = [Number(fields.get("amount")), fields.get("currency") ?? ""];
    if (!Number.isInteger(amount) || amount < 1)
      return invalid("This value must be greater than or equal to 1.", "amount");
    if (amount > 99_999_999) return invalid("Amount must be no more than $999,999.99", "amount_too_large");
    if (!/^[a-z]{3}$/.test(currency)) return invalid(`Invalid currency: ${currency}.`, "currency");
    return { json: makeIntent(fields, { amount, currency }) };
  };

  const checkout = (fields: Fields): Answer => {
    if (fields.get("mode") !== "payment") return invalid("Only payments are made here", "mode");
    const amount = Number(fields.get("line_items[0][price_data][unit_amount]"));
    const currency = fields.get("line_items[0][price_data][currency]") ?? "";
    const details = new Map(
      [...fields].flatMap(([name, value]) => {
        const [, first = "", rest = ""] = /^payment_intent_data\[(\w+)\](.*)$/.exec(name) ?? [];
        return first === "" ? [] : [[`${first}${rest}`, value] as const];
      }),
    );
    count += 1;
    const id = `cs_test_${count}`;
    const session: Session = {
      ...{ id, object: "checkout.session", status: "open", payment_intent: null },
      ...{ url: `${origin()}/c/pay/${id}`, wanted: { amount, currency, fields: details } },
      paid: fields.get("success_url") ?? "",
    };
    sessions.set(id, session);
    return { json: session };
  };

  const origin = (): string => fake.origin;
  const payAtCheckout = (id: string): void => {
    const session = sessions.get(id);
    if (session?.status !== "open") throw new Error(`The page takes no payment: ${session?.status}`);
    const intent = makeIntent(session.wanted.fields, session.wanted);
    Object.assign(intent, { status: "succeeded", amount_received: intent.amount });
    Object.assign(session, { status: "complete", payment_intent: intent.id, url: null });
  };

  const hostedPage = (method: string, id: string): Answer => {
    const { status, paid } = sessions.get(id) ?? {};
    const headers = { "content-type": "text/html; charset=utf-8" };
    if (status !== "open") return { status: 404, headers, text: "This page takes no payment." };
    if (method === "GET") return { headers, text: '<form method="post"><button>Pay here</button></form>' };
    payAtCheckout(id);
    return { status: 303, headers: { location: paid ?? "" } };
  };

  const answer = (asked: Asked): Answer => {
    const [, page] = /^\/c\/pay\/(.+)$/.exec(asked.path) ?? [];
    if (page !== undefined) return hostedPage(asked.method, page);
    const key = /^(?:Bearer|Basic) (.*)$/.exec(asked.headers["authorization"] ?? "")?.[1] ?? "";
    if (!/^[rs]k_/.test(key) || key.includes("wrong"))
      return {
        status: 401,
        json: { error: { message: `Invalid API Key provided: ${key}`, type: "invalid_request_error" } },
      };
    const fields: Fields = new Map(new URLSearchParams(asked.text));
    const [, , collection = "", ...path] = asked.path.split("/");
    if (asked.method === "GET" && collection === "balance") return { json: { object: "balance", available: [] } };
    if (collection === "webhook_endpoints" && asked.method === "POST") {
      const secret = `whsec_${createHash("sha256").update(`${webhooks.length}`).digest("hex").slice(0, 32)}`;
      webhooks.push({ url: fields.get("url") ?? "", secret });
      return { json: { id: `we_${webhooks.length}`, object: "webhook_endpoint", url: fields.get("url"), secret } };
    }
    if (collection === "payment_intents") return ofIntents(asked, fields, path);
    if (collection === "checkout" && path[0] === "sessions") return ofSessions(asked, fields, path.slice(1));
    return { status: 404, json: { error: { message: `Unrecognized request URL (${asked.method}: ${asked.path})` } } };
  };

  const ofIntents = (asked: Asked, fields: Fields, [id, act]: readonly string[]): Answer => {
    if (id === undefined) return asked.method === "POST" ? create(fields) : { status: 405 };
    const intent = intents.get(id);
    if (!intent) return missing(`No such payment_intent: '${id}'`);
    if (act === undefined) return { json: intent };
    if (act !== "cancel") return { status: 404 };
    if (!["requires_payment_method", "requires_action"].includes(intent.status))
      return {
        status: 400,
        json: {
          error: {
            code: "payment_intent_unexpected_state",
            type: "invalid_request_error",
            message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
          },
        },
      };
    intent.status = "canceled";
    return { json: intent };
  };

  const ofSessions = (asked: Asked, fields: Fields, [id, act]: readonly string[]): Answer => {
    if (id === undefined) return asked.method === "POST" ? checkout(fields) : { status: 405 };
    const session = sessions.get(id);
    if (!session) return missing(`No such checkout.session: '${id}'`);
    if (act === "expire") {
      if (session.status !== "open")
        return {
          status: 400,
          json: {
            error: {
              code: "checkout_session_not_open",
              type: "invalid_request_error",
              message: 'Only Checkout Sessions with a status in ["open"] can be expired.',
            },
          },
        };
      Object.assign(session, { status: "expired", url: null });
    }
    return { json: session };
  };

  const fake = await startFake({
    name: "stripe",
    port,
    refusal: (status, { headers }) => ({
      error: { message: `Refused with ${status}: ${headers["authorization"]}`, type: "api_error" },
    }),
    answer(asked) {
      const key = asked.headers["idempotency-key"];
      if (key === undefined || asked.method !== "POST") return answer(asked);
      const before = made.get(key);
      const fields = `${asked.path} ${asked.text}`;
      if (before && before.fields !== fields)
        return {
          status: 400,
          json: {
            error: {
              type: "idempotency_error",
              message:
                "Keys for idempotent requests can only be used with the same parameters they were first used with.",
            },
          },
        };
      // A rejected request runs again. A stored response is returned unchanged.
      const given = before?.answer ?? answer(asked);
      if ((given.status ?? 200) < 400) made.set(key, { fields, answer: { json: structuredClone(given.json) } });
      return given;
    },
  });

  return {
    ...fake,
    intents,
    sessions,
    webhooks,
    confirm(secret, { status = "succeeded", received, currency } = {}) {
      const intent = [...intents.values()].find(({ client_secret }) => client_secret === secret);
      if (!intent || !["requires_payment_method", "requires_action", "processing"].includes(intent.status))
        throw new Error(`The intent takes no payment: ${intent?.status}`);
      intent.status = status;
      intent.currency = currency ?? intent.currency;
      if (status === "succeeded") intent.amount_received = received ?? intent.amount;
    },
    payAtCheckout,
    report(intentId, { secret, type = "payment_intent.succeeded", at = Date.now() }) {
      const body = JSON.stringify({ id: "evt_1", object: "event", type, data: { object: intents.get(intentId) } });
      return { body, signature: signatureOf(body, { secret, at }) };
    },
    taken: () => [...intents.values()].reduce((sum, { amount_received }) => sum + amount_received, 0),
  };
}

/** Returns the header with which Stripe signs a report. */
export function signatureOf(body: string, { secret, at = Date.now() }: { secret: string; at?: number }): string {
  const seconds = Math.floor(at / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

function inBrackets(fields: Fields, name: string): Record<string, string> {
  return Object.fromEntries(
    [...fields].flatMap(([field, value]) => {
      const [, key = ""] = new RegExp(`^${name}\\[(.*)\\]$`).exec(field) ?? [];
      return key === "" ? [] : [[key, value]];
    }),
  );
}

function invalid(message: string, code: string): Answer {
  return { status: 400, json: { error: { code, message, type: "invalid_request_error" } } };
}

function missing(message: string): Answer {
  return { status: 404, json: { error: { code: "resource_missing", message, type: "invalid_request_error" } } };
}
