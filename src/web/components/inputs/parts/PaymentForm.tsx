/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { filledTextAt } from "../../../conversation/read.ts";
import type { FieldProps } from "./input-kind.ts";
import { type OpenPayment, openPayment, type PaymentIntent } from "./payment-provider.ts";

type Props = FieldProps & {
  readonly intent: PaymentIntent;
  /** The label of the pay button. */
  readonly label: string;
  /** The item and its price, which are shown above the form. */
  readonly due: ComponentChildren;
  /** Shown instead of the form if the form does not load or the payment was cancelled. */
  readonly children: ComponentChildren;
};

type State = "loading" | "offline" | "ready" | "paying" | "processing" | "paid" | "closed";

/** After this time, a link is shown instead of the form that is still loading. */
const slowMs = 20_000;

/**
 * The provider's form for one payment.
 *
 *     loading ─ the form is loaded ──────────────────────→ ready
 *     loading ─ no network ──────────────────────────────→ offline ─ the network is back ─→ loading
 *     loading ─ cancelled, not loaded, or too slow ──────→ closed: a link is shown instead
 *     loading, paying ─ the provider is processing it ───→ processing: a report to the service continues the chat
 *     loading, paying ─ paid ────────────────────────────→ paid: the form is sent, so the service checks the payment
 *     ready ─ the button is pressed ─────────────────────→ paying
 *     paying ─ declined, or the response was lost ───────→ ready, with the reason
 *
 * If the service has rejected the form of a paid payment, the form is not sent again automatically, because this could
 * repeat endlessly.
 */
export function PaymentForm({ input, words, errorId, intent, label, due, children }: Props) {
  const fields = useRef<HTMLDivElement>(null);
  const sender = useRef<HTMLButtonElement>(null);
  const payment = useRef<OpenPayment>(undefined);
  const [state, setState] = useState<State>("loading");
  const [problem, setProblem] = useState<string>();
  const [tries, setTries] = useState(0);
  const { secret } = intent;
  const wasRefused = errorId !== undefined;

  useEffect(() => {
    const place = fields.current;
    if (!place) return undefined;
    let isOver = false;
    const retry = () => {
      setState("loading");
      setTries((count) => count + 1);
    };
    const opened = (one: OpenPayment) => {
      if (isOver) return one.close();
      payment.current = one;
      setState(one.status);
    };
    const failed = () => {
      if (isOver) return;
      isOver = true;
      if (!navigator.onLine) addEventListener("online", retry, { once: true });
      setState(navigator.onLine ? "closed" : "offline");
    };
    const patience = setTimeout(failed, slowMs);
    openPayment(place, intent, words.language)
      .then(opened, failed)
      .finally(() => clearTimeout(patience));
    return () => {
      isOver = true;
      clearTimeout(patience);
      removeEventListener("online", retry);
      payment.current?.close();
    };
    // The form of a payment is kept while its secret does not change.
  }, [secret, tries]);

  useEffect(() => {
    // The button is clicked, because sandboxes that forbid submitting forms still allow clicks.
    if (state === "paid" && !wasRefused) sender.current?.click();
  }, [state, wasRefused]);

  const pay = async (): Promise<void> => {
    if (state !== "ready" || !payment.current) return;
    setState("paying");
    setProblem(undefined);
    const paid = await payment.current.pay();
    setState(paid.status);
    if (paid.status !== "ready") return;
    setProblem(paid.problem ?? filledTextAt(input, "options", "retryMessageContent") ?? words.payFailed);
  };

  if (state === "closed") return <>{children}</>;
  const said: Partial<Record<State, string>> = {
    loading: words.waiting,
    offline: words.payOffline,
    ...(!wasRefused && { processing: words.payProcessing }),
  };
  const problemId = `${input.id}-problem`;
  const isForm = state === "ready" || state === "paying";
  const isSent = state === "processing" || state === "paid";
  return (
    <fieldset
      class="typebot-input payment"
      aria-label={label}
      aria-busy={state === "loading" || state === "paying"}
      tabIndex={-1}
      data-focus
    >
      {due}
      <p class="payment-words" role="status">
        {said[state]}
      </p>
      <div class="payment-fields" ref={fields} hidden={isSent || state === "offline"} />
      {problem !== undefined && (
        <p class="typebot-input-error-message" id={problemId} role="alert" dir="auto">
          {problem}
        </p>
      )}
      {isForm && (
        <button
          type="button"
          class="typebot-button"
          aria-disabled={state === "paying"}
          aria-describedby={problem === undefined ? errorId : problemId}
          onClick={pay}
        >
          {state === "paying" ? words.waiting : label}
        </button>
      )}
      <button type="submit" class="typebot-button secondary-button" ref={sender} hidden={!isSent}>
        {words.continue}
      </button>
    </fieldset>
  );
}
