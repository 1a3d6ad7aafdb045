/** A payment of a visitor, in whole units of the currency. Without an amount, it was erased. */
export type Paid = { readonly amount?: number | undefined; readonly currency?: string | undefined };

type PaidWords = { readonly paid: string; readonly paidAmount: string };

const english: PaidWords = { paid: "Paid", paidAmount: "Paid {amount}" };

/** In the languages of the chat page. Their page loads them with its first payment; transcripts have them, too. */
export const paidWords: Readonly<Record<string, PaidWords>> = {
  en: english,
  ar: { paid: "تم الدفع", paidAmount: "تم دفع {amount}" },
  de: { paid: "Bezahlt", paidAmount: "{amount} bezahlt" },
  es: { paid: "Pagado", paidAmount: "Pagado: {amount}" },
  fr: { paid: "Payé", paidAmount: "{amount} payés" },
  he: { paid: "שולם", paidAmount: "שולמו {amount}" },
  hi: { paid: "भुगतान किया गया", paidAmount: "{amount} का भुगतान किया गया" },
  it: { paid: "Pagato", paidAmount: "Pagato: {amount}" },
  ja: { paid: "支払い済み", paidAmount: "{amount} 支払い済み" },
  nl: { paid: "Betaald", paidAmount: "{amount} betaald" },
  pl: { paid: "Zapłacono", paidAmount: "Zapłacono {amount}" },
  pt: { paid: "Pago", paidAmount: "Pago: {amount}" },
  tr: { paid: "Ödendi", paidAmount: "{amount} ödendi" },
  zh: { paid: "已支付", paidAmount: "已支付 {amount}" },
};

/** That something was paid, in a language: in English where the language has no words or is none. */
export function paidText({ amount, currency }: Paid, language: string): string {
  const locale = localeOf(language);
  const words = wordsIn(locale);
  if (amount === undefined || currency === undefined) return words.paid;
  const label = new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
  return words.paidAmount.replace("{amount}", () => label);
}

/** A tag in another script is another language: `zh-TW` is not `zh`. */
function wordsIn(locale: Intl.Locale): PaidWords {
  const wanted = locale.maximize();
  const tag = Object.keys(paidWords).find((known) => {
    const { language, script } = new Intl.Locale(known).maximize();
    return language === wanted.language && script === wanted.script;
  });
  return paidWords[tag ?? "en"] ?? english;
}

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag);
  } catch {
    // The author's text for a language may be any text.
    return new Intl.Locale("en");
  }
}
