/** @jsxImportSource preact */
import { filledTextAt, flagAt, textAt } from "../../conversation/read.ts";
import type { Input } from "../../conversation/step.ts";
import { fill, type Words } from "../../conversation/words.ts";
import type { InputKind } from "./parts/input-kind.ts";
import css from "./payment.css" with { type: "text" };

/**
 * A payment. A page of its own takes it, in a new tab: that works in a sandbox, in pages of other sites and without scripts. The service itself asks
 * the provider whether it was paid, so continuing only makes it look. In a preview without test keys two buttons simulate it.
 */
export const paymentInput: InputKind = {
  css,
  View({ input, words, errorId }) {
    const pageUrl = safePage(textAt(input, "runtimeOptions", "pageUrl"));
    const isSimulated = flagAt(input, "runtimeOptions", "isSimulated") === true;
    const label = filledTextAt(input, "options", "labels", "button") ?? words.pay;
    const described = { "aria-describedby": [`${input.id}-payment`, errorId].filter(Boolean).join(" ") };
    return (
      <div class="typebot-input payment">
        <p class="payment-words" id={`${input.id}-payment`}>
          {sentenceOf(input, words, { isOpen: pageUrl !== undefined, isSimulated })}
        </p>
        {pageUrl !== undefined && (
          <a class="typebot-button note-link" href={pageUrl} target="_blank" rel="noopener">
            {label}
          </a>
        )}
        {isSimulated && (
          <button type="submit" class="typebot-button" name="simulated" value="fail" {...described}>
            {words.cancel}
          </button>
        )}
        <button type="submit" class="typebot-button" {...described}>
          {isSimulated ? label : words.continue}
        </button>
      </div>
    );
  },
  read(form, input) {
    if (form.get("simulated") === "fail") return { kind: "said", message: { type: "text", text: "fail" } };
    const text = filledTextAt(input, "options", "labels", "success") ?? "Success";
    return { kind: "said", message: { type: "text", text } };
  },
};

function sentenceOf(
  input: Input,
  words: Words,
  { isOpen, isSimulated }: { readonly isOpen: boolean; readonly isSimulated: boolean },
): string {
  const amount = textAt(input, "runtimeOptions", "amountLabel") || statedAmount(input);
  if (isSimulated) return amount ?? "";
  if (isOpen) return fill(words.payInTab, { amount: amount ?? "" });
  return amount === undefined ? words.payElsewhere : fill(words.payAmountElsewhere, { amount });
}

function statedAmount(input: unknown): string | undefined {
  const amount = filledTextAt(input, "options", "amount");
  return amount && `${amount} ${filledTextAt(input, "options", "currency") ?? "USD"}`;
}

/** The service makes this address; any other kind of it is not followed. */
function safePage(url: string | undefined): string | undefined {
  return url !== undefined && /^https?:\/\//.test(url) ? url : undefined;
}
