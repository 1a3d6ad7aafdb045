import { knownLanguage, localeOf } from "../words/languages.ts";
import { messageText } from "../words/message.ts";
import words from "./paid-words.json";

/**
 * A payment of a visitor in the main unit of the currency. The amount and the currency are absent if they are unknown.
 */
export type Paid = { readonly amount?: number | undefined; readonly currency?: string | undefined };

type PaidWords = { readonly paid: string; readonly paidAmount: string };

/** The texts for payments in the languages of the chat page. Transcripts also use these texts. */
export const paidWords: Readonly<Record<string, PaidWords>> = words;

/**
 * Returns a text that states that a payment was made. Falls back to English if the language is unknown or has no text.
 */
export function paidText({ amount, currency }: Paid, language: string): string {
  const locale = localeOf(language) ?? new Intl.Locale("en");
  const said = paidWords[knownLanguage(language, Object.keys(paidWords)) ?? "en"] ?? words.en;
  if (amount === undefined || currency === undefined) return said.paid;
  const label = new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
  return messageText(said.paidAmount, { amount: label }, locale.toString());
}
