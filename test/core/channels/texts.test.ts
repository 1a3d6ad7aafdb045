import { expect, test } from "bun:test";
import words from "../../../src/core/channels/texts.json";
import { textLanguages, textsOf } from "../../../src/core/channels/texts.ts";
import { supportedLanguages } from "../../../src/web/conversation/languages/index.ts";

test("a connection's texts exist in every language of the chat page", () => {
  expect(textLanguages.toSorted()).toEqual([...supportedLanguages].toSorted());
  const { choose: _, ...english } = words.en;
  for (const language of textLanguages) {
    const texts: Record<string, string | null> = textsOf(undefined, [language]);
    for (const [name, text] of Object.entries(english)) {
      expect(texts[name]?.match(/\{\{\w+\}\}/g) ?? []).toEqual(text.match(/\{\{\w+\}\}/g) ?? []);
      if (language !== "en") expect(`${language} ${name}: ${texts[name]}`).not.toBe(`${language} ${name}: ${text}`);
    }
  }
});
