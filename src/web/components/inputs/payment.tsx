/** @jsxImportSource preact */
import { paidText } from "../../../core/payments/paid-text.ts";
import { say } from "../../conversation/rare-words.ts";
import { filledTextAt, flagAt, numberAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import type { Words } from "../../conversation/words.ts";
import type { FieldProps, InputKind } from "./parts/input-kind.ts";
import { useLive } from "./parts/live.ts";
import { PaymentForm } from "./parts/PaymentForm.tsx";
import css from "./payment.css" with { type: "text" };

/**
 * A payment. If the service sent the keys for the provider's form and the provider's script can run, the form is in the
 * page. Otherwise, a separate page opens in a new tab, which works in a sandbox, in pages of other sites and without
 * scripts. A reply only makes the service ask the provider whether the payment was made. In a preview without test
 * keys, two buttons simulate the payment. If no payment is possible and the author allows it, a button continues
 * without one.
 */
export const paymentInput: InputKind = {
  css,
  View(props) {
    const { input, words } = props;
    const isLive = useLive(props.isLive);
    const { isSkipOffered, isSimulated } = casesOf(input);
    if (isSkipOffered) return <SendAs label={words.payWithout} {...props} />;
    if (isSimulated) return <Simulated {...props} />;
    const intent = intentOf(input);
    if (!isLive || !intent || self.origin === "null") return <PaymentLink {...props} />;
    const label = `${payLabel(input, words)} ${textAt(input, "runtimeOptions", "amountLabel") ?? ""}`.trim();
    return (
      <PaymentForm {...props} intent={intent} label={label} due={<Due input={input} />}>
        <PaymentLink {...props} />
      </PaymentForm>
    );
  },
  shownPaid: (paid, { language }) =>
    paidText({ amount: numberAt(paid, "amount"), currency: textAt(paid, "currency") }, language),
  read(form, input) {
    const { isSkipOffered, isSimulated } = casesOf(input);
    if (isSkipOffered) return { kind: "said", message: null };
    if (isSimulated && form.get("simulated") === "fail")
      return { kind: "said", message: { type: "text", text: "fail" } };
    const text = filledTextAt(input, "options", "labels", "success") ?? "Success";
    return { kind: "said", message: { type: "text", text } };
  },
};

/** The item and its price. */
function Due({ input, id }: { readonly input: Input; readonly id?: string }) {
  const bought = filledTextAt(input, "options", "additionalInformation", "description");
  return (
    <p class="payment-due" id={id}>
      {bought !== undefined && <span dir="auto">{bought}</span>} <b>{amountOf(input)}</b>
    </p>
  );
}

/** A link to a separate payment page in a new tab. After paying, the visitor continues on this page. */
function PaymentLink({ input, words, errorId }: FieldProps) {
  const pageUrl = safePage(textAt(input, "runtimeOptions", "pageUrl"));
  const amount = amountOf(input);
  const sentence = amount === undefined ? words.payElsewhere : say(words, "payAmountElsewhere", { amount });
  return (
    <div class="typebot-input payment">
      <Due input={input} />
      <p class="payment-words" id={`${input.id}-payment`}>
        {pageUrl === undefined ? sentence : say(words, "payInTab", { amount: amount ?? "" })}
      </p>
      {pageUrl !== undefined && (
        <a class="typebot-button note-link" href={pageUrl} target="_blank" rel="noopener">
          {payLabel(input, words)}
        </a>
      )}
      <button type="submit" class="typebot-button secondary-button" {...describedBy(input, errorId)}>
        {words.continue}
      </button>
    </div>
  );
}

/** Two buttons with which the author chooses the outcome. No money is charged. */
function Simulated({ input, words, errorId }: FieldProps) {
  return (
    <div class="typebot-input payment">
      <Due input={input} id={`${input.id}-payment`} />
      <button type="submit" class="typebot-button" {...describedBy(input, errorId)}>
        {payLabel(input, words)}
      </button>
      <button
        type="submit"
        class="typebot-button secondary-button"
        name="simulated"
        value="fail"
        {...describedBy(input, errorId)}
      >
        {words.cancel}
      </button>
    </div>
  );
}

function SendAs({ label, questionId }: FieldProps & { readonly label: string }) {
  return (
    <button type="submit" class="typebot-button" aria-describedby={questionId}>
      {label}
    </button>
  );
}

/** Returns the keys for the provider's form in the page, or undefined if the service sent none. */
function intentOf(input: Input) {
  const secret = textAt(input, "runtimeOptions", "paymentIntentSecret");
  const publicKey = textAt(input, "runtimeOptions", "publicKey");
  const pageUrl = safePage(textAt(input, "runtimeOptions", "pageUrl"));
  return secret === undefined || publicKey === undefined || pageUrl === undefined
    ? undefined
    : { secret, publicKey, pageUrl };
}

function casesOf(input: Input) {
  return {
    isSkipOffered: flagAt(input, "runtimeOptions", "isSkipOffered") === true,
    isSimulated: flagAt(input, "runtimeOptions", "isSimulated") === true,
  };
}

function payLabel(input: Input, words: Words): string {
  return filledTextAt(input, "options", "labels", "button") ?? words.pay;
}

function describedBy({ id }: Input, errorId: string | undefined) {
  return { "aria-describedby": [`${id}-payment`, errorId].filter(Boolean).join(" ") };
}

function amountOf(input: Input): string | undefined {
  const amount = filledTextAt(input, "options", "amount");
  const stated = amount && `${amount} ${filledTextAt(input, "options", "currency") ?? "USD"}`;
  return textAt(input, "runtimeOptions", "amountLabel") || stated;
}

/** Returns the URL that the service created; undefined if it is not an HTTP or HTTPS URL. */
function safePage(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//.test(url) ? url : undefined;
}
