import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { evaluateExpression } from "../../../../src/core/interpreter/evaluation/expression.ts";
import {
  pieces,
  render,
  renderDeep,
  singleReference,
  type TemplateContext,
  toCode,
} from "../../../../src/core/interpreter/language/template.ts";
import { readTemplate } from "../../../../src/core/interpreter/language/template-scan.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { readerOf, variablesOf, viewOf } from "../evaluation/expression-helpers.ts";

const sandbox = await createSandbox();
const variables = variablesOf({
  N: "5",
  Name: "John",
  List: ["a", "b", null],
  Zip: "0123",
  Null: null,
  "Two words": "tw",
  Q: 'He said "hi"\nbye \\ <b>',
  Tpl: "{{Name}}",
  Empty: [],
  "List[0]": "by name",
});
const context = viewOf(sandbox, variables).templates;
const noCode: TemplateContext = { variables: context.variables, evaluate: (code) => `<${code}>` };

describe("a text with references", () => {
  test("inline code may return a big integer", () => {
    expect(render("{{=10n=}}", context)).toBe("10");
  });

  test("names of built-in properties are ordinary variable names in templates", () => {
    expect(render("{{__proto__}}{{constructor}}{{toString}}", context)).toBe("");
  });

  test("texts with 100,000 repetitions of brackets are scanned within the time limit", () => {
    const parts = ["{{", "{{=", "{{=a", "}}", "{{=\n", "{{a", "{{=1\n=}}", "{"];
    // A search from each bracket to the text's end would take minutes and exceed the test's time limit.
    for (const part of parts) {
      const text = part.repeat(100_000);
      // The content of the closed brackets is the name of an unknown variable. The other brackets stay text.
      const expected = part === "{{=1\n=}}" ? "" : text;
      const scanned = [render(text, noCode), toCode(text, context.variables).code];
      expect({ part, isScanned: scanned.every((found) => found === expected) }).toEqual({ part, isScanned: true });
    }
  });

  test("the scanner finds the same references as the reference patterns", () => {
    const texts = fc.array(
      fc.constantFrom("{", "}", "{{", "}}", "{{=", "=}}", "=", "a", "Name", " ", "\n", "$", "\u2028"),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join("");
        expect(render(text, noCode)).toBe(renderByPattern(text));
        expect(toCode(text, context.variables).mentioned).toEqual(mentionedByPattern(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

function renderByPattern(text: string): string {
  return text
    .replace(/\{\{=(.+?)=\}\}/g, (_, code: string) => `<${code}>`)
    .replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => String(context.variables.byName(name) ?? ""));
}

function mentionedByPattern(text: string): { name: string; value: string }[] {
  const mentions = [...text.matchAll(/\{\{(.+?)\}\}/g)].some(([, name]) => name === "Name");
  return mentions ? [{ name: "vName", value: "John" }] : [];
}

describe("the parts of a rich text's leaf", () => {
  test("a rich text's leaf is split into literals and references, in order", () => {
    expect(pieces(readTemplate("Hi {{Name}}, {{={{N}} + 1=}} of {{List}}!"), context)).toEqual([
      { kind: "literal", text: "Hi " },
      { kind: "reference", text: "John", isPlainVariable: true },
      { kind: "literal", text: ", " },
      { kind: "reference", text: "6", isPlainVariable: false },
      { kind: "literal", text: " of " },
      { kind: "reference", text: '["a","b",null]', isPlainVariable: true },
      { kind: "literal", text: "!" },
    ]);
  });

  test("an empty value in a rich text's leaf is an empty text", () => {
    expect(pieces(readTemplate("{{=undefined=}}{{={{Null}}=}}{{Null}}{{Nope}}"), context)).toEqual([
      { kind: "reference", text: "", isPlainVariable: false },
      { kind: "reference", text: "", isPlainVariable: false },
      { kind: "reference", text: "", isPlainVariable: true },
      { kind: "reference", text: "", isPlainVariable: true },
    ]);
  });

  test("a list in a rich text's leaf renders as its last element in old flows", () => {
    expect(pieces(readTemplate("{{List}}"), context, "last")).toEqual([
      { kind: "reference", text: "null", isPlainVariable: true },
    ]);
  });

  test("the result of inline code in a rich text's leaf is not parsed again", () => {
    expect(pieces(readTemplate("{{={{Tpl}}=}}"), context)).toEqual([
      { kind: "reference", text: "{{Name}}", isPlainVariable: false },
    ]);
  });

  test("a rich text's leaf without references is one literal", () => {
    expect(pieces(readTemplate("plain {{ text"), context)).toEqual([{ kind: "literal", text: "plain {{ text" }]);
    expect(pieces(readTemplate(""), context)).toEqual([]);
  });
});

describe("code with references", () => {
  test("code with references uses the first of two variables with equal names", () => {
    const namesakes = [
      { id: "v1", name: "Dup", value: null },
      { id: "v2", name: "Dup", value: "second" },
    ];
    expect(toCode("{{Dup}}", readerOf(namesakes))).toEqual({ code: "v1", mentioned: [{ name: "v1", value: null }] });
  });
});

describe("a variable in quotes within code", () => {
  const ids = ["vName", "01ky3m6a1vkrvwc3nde7pp4qvn", "7", "it's \"`$\u{7b}x}\n\u2028", "class", ""];
  const codes = [
    '"{{Name}}"',
    "'{{Name}}'",
    "`{{Name}}`",
    "/['\"]/.source && '{{Name}}'",
    "'it\\'s' && `$\u{7b}`{{Name}}`}`",
  ];

  test.each(codes)("a variable in quotes is its id, even if the id is not a valid name: %s", (code) => {
    for (const id of ids) {
      const view = viewOf(sandbox, [{ id, name: "Name", value: "John" }]);
      const outcome = evaluateExpression(code, view);
      expect([id, outcome]).toEqual([id, { kind: "evaluated", value: id === "" ? null : id }]);
    }
  });

  test("a variable between division signs is read as its value", () => {
    const view = viewOf(sandbox, [{ id: "01ky3m", name: "N", value: "6" }]);
    const outcome = evaluateExpression("let n = 12; return `$" + "{n++ / {{N}} / 1}` + '{{N}}'", view);
    expect(outcome).toEqual({ kind: "evaluated", value: "201ky3m" });
  });
});

describe("a single reference", () => {
  const texts: [text: string, name: string | undefined][] = [
    ["{{Name}}", "Name"],
    ["{{Two words}}", "Two words"],
    ["{{Nope}}", "Nope"],
    ["{{==}}", "=="],
    [" {{Name}}", undefined],
    ["{{Name}} ", undefined],
    ["{{Name}}{{N}}", undefined],
    ["{{=1+1=}}", undefined],
    ["{{{Name}}}", undefined],
    ["Name", undefined],
    ["", undefined],
  ];

  test.each(texts)("the text %p is a reference to %p", (text, name) => {
    expect(singleReference(text)).toBe(name);
  });
});

describe("an object with templates", () => {
  test("an undefined value is omitted from the JSON if types are guessed", () => {
    const rendered = renderDeep({ a: "{{N}}", b: "{{=undefined=}}" }, context, { guessTypes: true });
    expect(rendered).toEqual({ a: 5, b: undefined });
    expect(JSON.stringify(rendered)).toBe('{"a":5}');
  });

  test("an object with templates may have __proto__ as an ordinary property", () => {
    const rendered = renderDeep(JSON.parse('{"__proto__":{"a":"{{Name}}"}}'), context);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"a":"John"}}');
  });
});
