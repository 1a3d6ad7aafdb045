import { messageText } from "../words/message.ts";
import words from "./paid-words.json";

/** A payment of a visitor in whole units of the currency. An absent amount was erased. */
export type Paid = { readonly amount?: number | undefined; readonly currency?: string | undefined };

type PaidWords = { readonly paid: string; readonly paidAmount: string };

/**
 * The texts for payments in the languages of the chat page. The page loads the texts with its first payment.
 * Transcripts also use them.
 */
export const paidWords: Readonly<Record<string, PaidWords>> = words;

/**
 * Returns a text which states that a payment was made. Falls back to English if the language is unknown or has no text.
 */
export function paidText({ amount, currency }: Paid, language: string): string {
  const locale = localeOf(language);
  const words = wordsIn(locale);
  if (amount === undefined || currency === undefined) return words.paid;
  const label = new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
  return messageText(words.paidAmount, { amount: label }, locale.toString());
}

/**
 * Returns the texts in the language of a locale, or in English. A tag with another script counts as another language:
 * `zh-TW` is not `zh`.
 */
function wordsIn(locale: Intl.Locale): PaidWords {
  const wanted = locale.maximize();
  const tag = Object.keys(paidWords).find((known) => {
    const { language, script } = new Intl.Locale(known).maximize();
    return language === wanted.language && script === wanted.script;
  });
  return paidWords[tag ?? "en"] ?? words.en;
}

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag);
  } catch {
    // Authors can enter any text as a language.
    return new Intl.Locale("en");
  }
}
