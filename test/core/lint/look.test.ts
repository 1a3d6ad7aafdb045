import { describe, expect, test } from "bun:test";
import { completeFlow } from "../../../src/core/flow/complete.ts";
import { lintFlow } from "../../../src/core/lint/lint.ts";
import { drawsMessages, sheetRules } from "../../../src/core/theme/sheet-rules.ts";
import { movedLooks } from "../../support/moved-looks.ts";

/** Returns the messages of the linter about a style sheet and head code. */
function said({ css = "", dark, headCode = "" }: { css?: string; dark?: string; headCode?: string }): string[] {
  const theme = { customCss: css, ...(dark !== undefined && { dark: { customCss: dark } }) };
  const settings = { metadata: { customHeadCode: headCode } };
  const rules = ["head_code_needs", "unmatched_selectors", "drawn_messages"];
  return lintFlow(completeFlow({ theme, settings })).flatMap(({ rule, message }) =>
    rules.includes(rule) ? [`${rule}: ${message}`] : [],
  );
}

const root = "document.querySelector('typebot-standard').shadowRoot";

describe("head code", () => {
  test("head code that uses only supported shadow root members causes no finding", () => {
    const kept = `${root}.querySelector('a');${root}?.querySelectorAll('b');${root}.adoptedStyleSheets=[];${root} . appendChild(c)`;
    expect(said({ headCode: `<script>${kept}</script>` })).toEqual([]);
    expect(said({ headCode: "<script>a.shadowRoot && run()</script>" })).toEqual([]);
  });

  test("head code that uses unsupported shadow root members causes one finding", () => {
    const lacking = `${root}.innerHTML='';${root}?.getElementById('a');${root}.innerHTML+='';${root}.querySelector('a')`;
    expect(said({ headCode: `<script>${lacking}</script>` })).toEqual([
      "head_code_needs: Head code uses `innerHTML`, `getElementById` of the shadow root of typebot-standard, which the chat page does not have.",
    ]);
  });
});

describe("a style sheet", () => {
  test("all unmatched classes of a style sheet are reported in one finding", () => {
    const css = Array.from({ length: 12 }, (_, index) => `.own${index} > .typebot-input { color: red }`).join("\n");
    expect(said({ css })).toEqual([
      `unmatched_selectors: The custom CSS uses classes that the page does not have: ${Array.from({ length: 10 }, (_, index) => `\`.own${index}\``).join(", ")} and 2 more.`,
    ]);
    expect(said({ css: ".mine { color: red }", headCode: '<div class="mine">' })).toEqual([]);
    expect(said({ dark: "@media print { .only-dark { color: red } }" })).toEqual([
      "unmatched_selectors: The custom CSS uses classes that the page does not have: `.only-dark`.",
    ]);
  });

  test("a background or border for the bot's messages in custom CSS causes a finding", () => {
    const finding = ["drawn_messages: The custom CSS styles the bot's messages directly."];
    const drawn = ".typebot-host-bubble { background-color: red }";
    for (const sheet of [{ css: drawn }, { css: "", dark: drawn }, { css: `@media print { ${drawn} }` }]) {
      expect(said(sheet)).toEqual(finding);
    }
    for (const css of [
      ".typebot-host-bubble { color: red }",
      ".typebot-host-bubble-own { border: 0 }",
      "/* .typebot-host-bubble { border: 0 } */",
      `${drawn} .bubble-typing { color: red }`,
      '.typebot-host-bubble { content: "; border: 0" }',
    ]) {
      expect(said({ css }).filter((line) => line.startsWith("drawn"))).toEqual([]);
    }
  });

  test.each([
    ["an open rule", ".typebot-host-bubble { border: 0", true],
    ["an open comment", "/* .typebot-host-bubble { border: 0 }", false],
    ["an open string", '.typebot-host-bubble { content: "{ } ; \n border: 0 }', true],
    ["superfluous closing braces", "} } .typebot-host-bubble { border: 0 } }", true],
    ["a nested rule", ".typebot-host-bubble { &:hover { border: 0 } }", true],
    ["a nested at-rule", ".typebot-host-bubble { @media print { border: 0 } }", true],
    ["a layer named like the class", "@layer a.typebot-host-bubble { .b { border: 0 } }", false],
    ["the class name in a string", '[title=".typebot-host-bubble"] { border: 0 }', false],
    ["an import", '@import url("https://elsewhere.example/.typebot-host-bubble{border:0}"); .a { color: red }', false],
  ])("a style sheet with %s is parsed as in a browser", (_, css, isDrawn) => {
    expect(drawsMessages(css)).toBe(isDrawn);
  });

  test("a style sheet with 500 kB of unclosed rules is parsed", () => {
    for (const open of ["{", ".typebot-host-bubble {", "@media print {", ".a > .b:hover {"]) {
      const rules = sheetRules(open.repeat(500_000 / open.length));
      expect(rules).toHaveLength(Math.floor(500_000 / open.length));
      expect(Math.max(...rules.slice(0, 50_000).map(({ selector }) => selector.length))).toBeLessThanOrEqual(300);
    }
    expect(drawsMessages(`${".a {".repeat(100_000)} .typebot-host-bubble { border: 0 }`)).toBe(true);
  });

  test("only the moved design 'former' styles the bot's messages directly", () => {
    const found = movedLooks.map(({ name, css, headCode }) => [name, said({ css, headCode })]);
    expect(found).toEqual(
      movedLooks.map(({ name }) => [
        name,
        name === "former" ? ["drawn_messages: The custom CSS styles the bot's messages directly."] : [],
      ]),
    );
  });
});

test("a nested rule's selector includes the selectors of its enclosing rules", () => {
  expect(sheetRules("a { color: red; b { margin: 0 } padding: 1px } @media print { c { d: e } }")).toEqual([
    { selector: "a b", declarations: " margin: 0 ", isConditional: false },
    { selector: "a", declarations: " color: red; padding: 1px ", isConditional: false },
    { selector: "c", declarations: " d: e ", isConditional: true },
    { selector: "", declarations: " ", isConditional: true },
  ]);
});
