import { expect, test } from "bun:test";
import { paidText, paidWords } from "../../../src/core/payments/paid-text.ts";
import { supportedLanguages } from "../../../src/web/conversation/languages/index.ts";

test("the texts of a completed payment exist in every chat page language", () => {
  expect(Object.keys(paidWords).sort()).toEqual([...supportedLanguages].sort());
  for (const { paid, paidAmount } of Object.values(paidWords)) {
    expect(paid).not.toBe("");
    expect(paidAmount.split("{amount}")).toHaveLength(2);
  }
});

test.each([
  ["en", 12.5, "EUR", "Paid €12.50"],
  ["de", 12.5, "EUR", "12,50\u00a0€ bezahlt"],
  ["de-AT", 1250, "JPY", "¥\u00a01.250 bezahlt"],
  ["pt-BR", 9.9, "BRL", "Pago: R$\u00a09,90"],
  ["ar", 5, "KWD", "تم دفع \u200f5.000\u00a0د.ك.\u200f"],
  ["zh-TW", 100, "TWD", "Paid $100.00"],
  ["xx", 5, "USD", "Paid $5.00"],
  ["no language", 5, "USD", "Paid $5.00"],
])(
  "the language tag %j, the amount %p and the currency %p result in the text %p",
  (language, amount, currency, text) => {
    expect(paidText({ amount, currency }, language)).toBe(text);
  },
);

test("the text for an erased payment contains no amount", () => {
  expect(paidText({}, "de")).toBe("Bezahlt");
});
