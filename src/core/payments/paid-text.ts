import { messageText } from "../words/message.ts";
import words from "./paid-words.json";

/** A payment of a visitor, in whole units of the currency. Without an amount, the amount was erased. */
export type Paid = { readonly amount?: number | undefined; readonly currency?: string | undefined };

type PaidWords = { readonly paid: string; readonly paidAmount: string };

/** In the languages of the chat page. The page loads them with its first payment; transcripts also use them. */
export const paidWords: Readonly<Record<string, PaidWords>> = words;

/** The text in a language that a payment was made; in English if the language is unknown or has no text for it. */
export function paidText({ amount, currency }: Paid, language: string): string {
  const locale = localeOf(language);
  const words = wordsIn(locale);
  if (amount === undefined || currency === undefined) return words.paid;
  const label = new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
  return messageText(words.paidAmount, { amount: label }, locale.toString());
}

/** A tag in another script is another language: `zh-TW` is not `zh`. */
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
    // The author's text for a language may be any text.
    return new Intl.Locale("en");
  }
}
