import { say } from "./rare-words.ts";
import { numberAt, textAt } from "./read.ts";
import type { Words } from "./words.ts";

/** Returns a message of the service itself in the page's language. */
export function noticeText(notice: unknown, words: Words): string {
  if (textAt(notice, "code") === "model.no_answer") return words.noAnswer;
  if (textAt(notice, "code") === "payment.processing") return words.payProcessing;
  if (textAt(notice, "code") === "payment.checking") return words.payChecking;
  const amount = numberAt(notice, "amount");
  if (amount === undefined) return words.payElsewhere;
  return say(words, "payAmountElsewhere", { amount: moneyIn(words, amount, textAt(notice, "currency") ?? "") });
}

function moneyIn({ language }: Words, amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(language, { style: "currency", currency }).format(amount);
  } catch {
    // `currency` is not a valid currency code.
    return `${amount} ${currency}`;
  }
}
