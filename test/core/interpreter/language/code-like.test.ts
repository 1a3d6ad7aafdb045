import { expect, test } from "bun:test";
import { computesWithVariables } from "../../../../src/core/interpreter/language/code-like.ts";

const computing = [
  "{{Score}} + 1",
  "{{Score}}+bonus",
  "1 + {{Score}} +",
  "{{Score}} *",
  "({{Score}} - 2) % 3",
  "{{Score}} / 2",
  "{{Score}} - {{Penalty}}",
  "{{Score}} > 3 ? 'a' : 'b",
  "{{Score}} ? 'a' : 'b",
  "{{Name}}.length",
  "{{Name}}.toUppercase()",
  "{{Name}}?.length",
  "{{List}}[0",
  "{{Callback}}(1)",
  "Math.round({{Score}}",
  "Math.max(1, {{Score}})",
  '"Hi " + {{Name}}',
  "`$\u{7b}{{Name}}} and more`",
  "{{A}} === {{B}}",
  "{{A}} && {{B}}",
  "return {{Score}}",
];
const texts = [
  "Thank you, {{Name}}!",
  "Thank you, {{Name}}.",
  "Is it {{Name}}?",
  "{{Name}}'s order",
  "{{First}} {{Last}}",
  "Hello {{Name}}, you are {{Age}}: welcome; good day",
  "{{Name}} - our best customer",
  "Our best customer - {{Name}}",
  "{{Percent}} % off",
  "({{Name}})",
  "Name: {{Name}}",
  "https://example.com/{{Id}}/view?name={{Name}}&from={{City}}",
  "/products/{{Id}}/reviews",
  "?a={{A}}&b={{B}}",
  "{{user}}@example.com",
  "mailto:{{Email}}",
  "Oui, {{Nom}} ? Très bien : merci",
  "{{= {{Score}} * 2 =}}",
  "1 + 1",
  "Tom & {{Name}}",
  "",
];

test.each(computing)("a text with variables is recognised as a computation: %s", (text) => {
  expect(computesWithVariables(text)).toBe(true);
});

test.each(texts)("a text is not recognised as a computation with variables: %s", (text) => {
  expect(computesWithVariables(text)).toBe(false);
});

test.each([
  ["{{A}} + ", true, true],
  ["f(", false, true],
  ["${", false, true],
  ["{{", false, false],
  ["a.b/", false, false],
  ["{{A}}", false, false],
  [" ", false, false],
])("a long repetition of %j is recognised as a computation: %p, and before a variable: %p", (part, alone, before) => {
  for (const count of [3, 50_000]) {
    const text = part.repeat(count);
    expect([computesWithVariables(text), computesWithVariables(`${text}{{A}}`)]).toEqual([alone, before]);
  }
});
