/** @jsxImportSource preact */
import { filledTextAt, textAt } from "../../conversation/read.ts";
import { fill } from "../../conversation/words.ts";
import type { InputKind } from "./parts/input-kind.ts";
import css from "./payment.css" with { type: "text" };

/**
 * A payment. Pages cannot take one: they say so, and offer to continue. The service itself asks the provider whether it was paid,
 * so continuing only makes it look.
 */
export const paymentInput: InputKind = {
  css,
  View({ input, words, errorId }) {
    const amount = textAt(input, "runtimeOptions", "amountLabel") ?? statedAmount(input);
    const sentence = amount === undefined ? words.payElsewhere : fill(words.payAmountElsewhere, { amount });
    return (
      <div class="typebot-input payment">
        <p class="payment-words" id={`${input.id}-payment`}>
          {sentence}
        </p>
        <button
          type="submit"
          class="typebot-button"
          aria-describedby={[`${input.id}-payment`, errorId].filter(Boolean).join(" ")}
        >
          {words.continue}
        </button>
      </div>
    );
  },
  read(_form, input) {
    const text = filledTextAt(input, "options", "labels", "success") ?? "Success";
    return { kind: "said", message: { type: "text", text } };
  },
};

function statedAmount(input: unknown): string | undefined {
  const amount = filledTextAt(input, "options", "amount");
  return amount && `${amount} ${filledTextAt(input, "options", "currency") ?? "USD"}`;
}
