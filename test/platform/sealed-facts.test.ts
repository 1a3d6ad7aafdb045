import { expect, test } from "bun:test";
import { parseValueInline } from "../../src/core/interpreter/rich-text/parse-value.ts";
import { createSealedFacts } from "../../src/platform/sealed-facts.ts";

const key = async () => new Uint8Array(32).fill(7);

test("Markdown does not change a sealed text in an address", async () => {
  const sealed = createSealedFacts(key, "addresses", { isShown: true });
  for (let number = 0; number < 2_000; number++) {
    const facts = Buffer.from(`a bot, a result, a chat and a block: ${number}`.padEnd(60, "."));
    const text = await sealed.seal(facts);
    const address = `https://example.com/api/v1/callbacks/2.${text}`;

    expect(parseValueInline(address)).toEqual([{ text: address }]);
    expect(await sealed.seal(facts)).toBe(text);
    expect(Buffer.from((await sealed.open(text)) ?? [])).toEqual(facts);
  }
});

test("100,000 bytes of facts can be sealed and opened again", async () => {
  const sealed = createSealedFacts(key, "forms");
  const facts = new Uint8Array(100_000).map((_, at) => at);

  expect(await sealed.open(await sealed.seal(facts))).toEqual(facts);
});
