import { newKey } from "../../../conversation/step.ts";
/** The provider requires that its script is loaded from this URL, always in the newest version. */
export const providerScriptUrl = "https://js.stripe.com/v3/";

/** The keys of a payment, for the form of its provider. */
export type PaymentIntent = {
  readonly secret: string;
  readonly publicKey: string;
  /** The page of this payment, for banks that redirect visitors to their own page and back. */
  readonly pageUrl: string;
};

/**
 * A payment in the provider's form. There is a form only if `status` is `ready`. Otherwise, the payment was already
 * made, is being processed or was cancelled.
 */
export type OpenPayment = {
  readonly status: "ready" | "processing" | "paid" | "closed";
  /** Pays with the entered data. Visitors leave this page if their bank requires its own page. */
  pay(): Promise<{ readonly status: "ready" | "processing" | "paid"; readonly problem?: string }>;
  /** Removes the form from the page. */
  close(): void;
};

/**
 * Loads the provider's script, checks the status of the payment and, if the payment is still open, inserts the form
 * into `place`. Rejects if one of these steps fails.
 */
export async function openPayment(place: Element, intent: PaymentIntent, locale: string): Promise<OpenPayment> {
  const stripe = (await loadProvider())(intent.publicKey, { locale });
  const { paymentIntent: known, error } = await stripe.retrievePaymentIntent(intent.secret);
  if (error) throw new Error(error.message);
  const status = statusOf(known?.status);
  if (status !== "ready") return { status, pay: async () => ({ status: "ready" }), close: () => {} };
  const inner = lightPlace(place);
  const elements = stripe.elements({ clientSecret: intent.secret, appearance: appearanceAt(place) });
  const form = elements.create("payment");
  const close = (): void => {
    form.destroy();
    inner.remove();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      form.on("ready", () => resolve());
      form.on("loaderror", () => reject(new Error("The form of the provider did not load")));
      form.mount(inner.element);
    });
  } catch (cause) {
    close();
    throw cause;
  }
  return {
    status,
    close,
    async pay() {
      const confirmParams = { return_url: returnUrl(intent.pageUrl) };
      try {
        const done = await stripe.confirmPayment({ elements, confirmParams, redirect: "if_required" });
        const now = statusOf(done.paymentIntent?.status);
        if (!done.error) return { status: now === "closed" ? "ready" : now };
        return { status: "ready", ...(done.error.message && { problem: done.error.message }) };
      } catch {
        // The response was lost. The next attempt shows whether the payment was made.
        return { status: "ready" };
      }
    },
  };
}

function statusOf(status: string | undefined): OpenPayment["status"] {
  switch (status) {
    case "succeeded":
      return "paid";
    case "processing":
      return "processing";
    case "canceled":
      return "closed";
    default:
      return "ready";
  }
}

let loading: Promise<Provider> | undefined;

/** Loads one script for all chats of a page. After a failure, the next payment loads the script again. */
function loadProvider(): Promise<Provider> {
  if (window.Stripe) return Promise.resolve(window.Stripe);
  loading ??= new Promise<Provider>((resolve, reject) => {
    const script = document.createElement("script");
    script.async = true;
    script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
    script.onload = () => (window.Stripe ? resolve(window.Stripe) : reject(new Error("The script defines nothing")));
    script.onerror = () => reject(new Error("The script of the provider did not load"));
    script.src = providerScriptUrl;
    document.head.append(script);
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/**
 * Creates an element outside all shadow trees that is displayed in `place`. The provider's form does not work in a
 * shadow tree, but embedded chats are in one. Each shadow tree around `place` therefore gets a slot that displays
 * content of the tree outside it.
 */
function lightPlace(place: Element): { readonly element: HTMLElement; remove(): void } {
  const made: Element[] = [];
  let element = document.createElement("div");
  place.append(element);
  made.push(element);
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = element.getRootNode()) {
    const slot = document.createElement("slot");
    slot.name = `parley-payment-${newKey()}`;
    element.append(slot);
    element = document.createElement("div");
    element.slot = slot.name;
    root.host.append(element);
    made.push(element);
  }
  return {
    element,
    remove() {
      for (const one of made) one.remove();
    },
  };
}

/** Returns the colors and fonts of the chat, which the frames of the form do not inherit. */
function appearanceAt(place: Element) {
  const { color, fontFamily } = getComputedStyle(place);
  const { backgroundColor } = getComputedStyle(place.parentElement ?? place);
  const [red = 255, green = 255, blue = 255] = (/^rgba?\(([^)]+)\)$/.exec(backgroundColor)?.[1] ?? "")
    .split(",")
    .flatMap((part) => (part.trim() === "" ? [] : Number(part)));
  const isDark = 0.299 * red + 0.587 * green + 0.114 * blue < 128;
  return {
    theme: isDark ? "night" : "stripe",
    variables: { colorText: color, colorBackground: `rgb(${red}, ${green}, ${blue})`, fontFamily },
  };
}

/**
 * Returns the URL to which a bank returns the visitor. For a page of Parley, it is the page of the payment, which
 * returns the visitor to the chat in this history entry (`server/pay-back.js`). For a page of another site, it is the
 * page itself, because only that page contains the chat.
 */
function returnUrl(pageUrl: string): string {
  if (new URL(pageUrl).origin !== location.origin) return location.href;
  try {
    const { pathname, search, hash } = location;
    sessionStorage.setItem("parley-paying", JSON.stringify({ page: pathname + search + hash, state: history.state }));
  } catch {
    // Without storage, the page of the payment informs the visitor that the payment was made.
  }
  return `${pageUrl}/done`;
}

/** The parts of Stripe.js that are used here (docs.stripe.com/js). */
type Provider = (publicKey: string, options: { readonly locale: string }) => Stripe;

type Stripe = {
  elements(options: { readonly clientSecret: string; readonly appearance: object }): Elements;
  retrievePaymentIntent(secret: string): Promise<Answered>;
  confirmPayment(options: {
    readonly elements: Elements;
    readonly confirmParams: { readonly return_url: string };
    readonly redirect: "if_required";
  }): Promise<Answered>;
};

type Elements = { create(type: "payment"): ProviderForm };

type ProviderForm = {
  mount(place: HTMLElement): void;
  destroy(): void;
  on(event: "ready" | "loaderror", listener: () => void): void;
};

type Answered = {
  readonly paymentIntent?: { readonly status: string };
  readonly error?: { readonly message?: string };
};

declare global {
  interface Window {
    readonly Stripe?: Provider;
  }
}
