import type { BrowserContext, Route } from "playwright-core";
import type { FakeStripe } from "./stripe.ts";

/**
 * Numbers to enter in the fake form, by their outcome. They are from docs.stripe.com/testing, except the invented value
 * for the bank.
 */
export const cards = {
  succeeds: "4242424242424242",
  declined: "4000000000000002",
  /** A bank account whose payment takes days. */
  processes: "AT321904300235473204",
  /** A bank that redirects to its own page. */
  leads: "BANK",
} as const;

/**
 * Serves Stripe's parts to a browser: the script as documented on docs.stripe.com/js, the frame of its form, the API
 * that the script calls, and the page of a bank. The form works only in the document itself, and its frame does not
 * pass the card to the page.
 */
export async function serveStripeTo(context: BrowserContext, stripe: FakeStripe): Promise<void> {
  await context.route("https://js.stripe.com/v3/", (route) =>
    route.fulfill({ contentType: "text/javascript", body: script }),
  );
  await context.route("https://js.stripe.com/v3/fields.html", (route) => html(route, fields));
  await context.route("https://api.stripe.com/v1/payment_intents/**", (route) => asked(route, stripe));
  await context.route("https://hooks.stripe.com/**", (route) => {
    const { searchParams } = new URL(route.request().url());
    stripe.confirm(searchParams.get("secret") ?? "");
    const back = new URL(searchParams.get("back") ?? "");
    back.searchParams.set("redirect_status", "succeeded");
    return html(route, `<h1>Your bank</h1><a href="${back.href.replaceAll("&", "&amp;")}">Authorize</a>`);
  });
}

/** Handles a call of the script about an intent, which is authorized by the intent's secret. */
function asked(route: Route, stripe: FakeStripe): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  const body = new URLSearchParams(request.postData() ?? url.search);
  const secret = body.get("client_secret") ?? "";
  const intent = [...stripe.intents.values()].find(({ client_secret }) => client_secret === secret);
  const answer = (status: number, json: object) =>
    route.fulfill({ status, json, headers: { "Access-Control-Allow-Origin": "*" } });
  const refused = (status: number, error: object) => answer(status, { error });
  if (!intent || !(body.get("key") ?? "").startsWith("pk_"))
    return refused(404, { code: "resource_missing", type: "invalid_request_error" });
  if (!url.pathname.endsWith("/confirm")) return answer(200, { status: intent.status });
  const card = body.get("card");
  if (card === "") return refused(402, { type: "validation_error", message: "Your card number is incomplete." });
  if (card === cards.declined)
    return refused(402, { type: "card_error", code: "card_declined", message: "Your card was declined." });
  if (card === cards.leads) return answer(200, { status: "requires_action" });
  try {
    stripe.confirm(secret, { status: card === cards.processes ? "processing" : "succeeded" });
  } catch {
    return refused(400, { type: "invalid_request_error", code: "payment_intent_unexpected_state" });
  }
  return answer(200, { status: intent.status });
}

function html(route: Route, body: string): Promise<void> {
  const page = `<!doctype html><html lang="en"><title>Stripe</title><body>${body}`;
  return route.fulfill({ contentType: "text/html; charset=utf-8", body: page });
}

const fields = `<style>body { margin: 0; font: 16px sans-serif } label { display: block; color: GrayText } input { display: block; width: 95%; height: 44px; margin: 4px 0 12px }</style>
<main><label>Card number <input autocomplete="cc-number"></label><label>Expiry date <input autocomplete="cc-exp"></label></main>
<script>
  document.documentElement.style.colorScheme = location.hash.slice(1);
  addEventListener("message", ({ source, ports: [port] }) => port.postMessage(document.querySelector("input").value));
</script>`;

/** Runs in the browser. */
const script = `window.Stripe = (key, { locale } = {}) => {
  if (!/^pk_/.test(key)) throw new Error("IntegrationError: Missing value for Stripe(): apiKey should be a string.");
  const answered = async (call) => {
    const answer = await (await call).json();
    return answer.error ? { error: answer.error } : { paymentIntent: answer };
  };
  const api = "https://api.stripe.com/v1/payment_intents/";
  return {
    retrievePaymentIntent: (secret) =>
      answered(fetch(api + secret.split("_secret_")[0] + "?" + new URLSearchParams({ key, client_secret: secret }))),
    elements({ clientSecret, appearance }) {
      if (!/_secret_/.test(clientSecret)) throw new Error("IntegrationError: Invalid value for elements(): clientSecret");
      const made = { clientSecret, look: appearance && appearance.theme === "night" ? "dark" : "light" };
      made.create = (type) => {
        const listeners = { ready: [], loaderror: [] };
        return {
          on: (event, listener) => listeners[event].push(listener),
          mount(place) {
            const element = typeof place === "string" ? document.querySelector(place) : place;
            if (element.getRootNode() instanceof ShadowRoot)
              throw new Error("IntegrationError: Elements cannot be mounted in a ShadowRoot. Please mount in the Light DOM.");
            if (!element.isConnected) throw new Error("IntegrationError: payment Element didn't mount normally.");
            const frame = document.createElement("iframe");
            frame.title = "Secure payment input frame";
            frame.src = "https://js.stripe.com/v3/fields.html#" + made.look;
            frame.setAttribute("width", "100%");
            frame.setAttribute("height", "170");
            frame.setAttribute("frameborder", "0");
            frame.onload = () => listeners.ready.forEach((listener) => listener());
            element.append(frame);
            made.frame = frame;
          },
          destroy: () => made.frame && made.frame.remove(),
        };
      };
      return made;
    },
    async confirmPayment({ elements, confirmParams, redirect }) {
      const { frame, clientSecret } = elements;
      if (!frame || !frame.isConnected) throw new Error("IntegrationError: Please make sure the Element is still mounted.");
      const { port1, port2 } = new MessageChannel();
      const card = await new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
        frame.contentWindow.postMessage("", "*", [port2]);
      });
      const id = clientSecret.split("_secret_")[0];
      const body = new URLSearchParams({ key, client_secret: clientSecret, card });
      const done = await answered(fetch(api + id + "/confirm", { method: "POST", body }));
      const leads = done.paymentIntent && done.paymentIntent.status === "requires_action";
      if (!leads && (done.error || redirect === "if_required")) return done;
      const back = new URL(confirmParams.return_url);
      back.searchParams.set("payment_intent", id);
      back.searchParams.set("payment_intent_client_secret", clientSecret);
      const hook = new URLSearchParams({ secret: clientSecret, back: back.href });
      location.assign(leads ? "https://hooks.stripe.com/redirect/authenticate?" + hook : back.href);
      return new Promise(() => {});
    },
  };
};`;
