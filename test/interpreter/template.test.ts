import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  pieces,
  render,
  renderDeep,
  singleReference,
  type TemplateContext,
  type TemplateMode,
  toCode,
} from "../../src/interpreter/template.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { readerOf, variablesOf, viewOf } from "./expression-helpers.ts";

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
  const vectors: { title: string; text: string; is: string; mode?: TemplateMode }[] = [
    { title: "M1 blanks belong to the name", text: "{{ Name }}", is: "" },
    { title: "M1 names are matched exactly", text: "{{name}}", is: "" },
    { title: "M2 an unknown name", text: "{{Nope}}x", is: "x" },
    { title: "M3 a name of two words", text: "{{Two words}}", is: "tw" },
    { title: "M4 a list", text: "{{List}}", is: '["a","b",null]' },
    { title: "M5 a list's last element", text: "{{List}}", is: "null", mode: "last" },
    { title: "M6 an empty list's last element", text: "{{Empty}}", is: "", mode: "last" },
    { title: "M7 inline code", text: "{{={{N}}+1=}}", is: "6" },
    { title: "M7 inline code with a text", text: "{{={{Zip}}+1=}}", is: "01231" },
    { title: "M8 inline code that gives undefined", text: "{{=undefined=}}", is: "undefined" },
    { title: "M8 inline code that gives null", text: "{{={{Null}}=}}", is: "null" },
    { title: "M10 inline code that gives an object", text: "{{={a:1}=}}", is: '{"a":1}' },
    { title: "M11 inline code with a line break", text: "{{={{N}}\n+1=}}", is: "{{=5\n+1=}}" },
    {
      title: "M12 a value inside JSON",
      text: '{"q":"{{Q}}","l":{{List}}}',
      is: '{"q":"He said \\"hi\\"\\nbye \\\\ <b>","l":["a","b",null]}',
      mode: "json",
    },
    { title: "M13 a value inside HTML", text: "{{Q}}<i>", is: 'He said "hi"\nbye \\ &lt;b&gt;<i>', mode: "html" },
    { title: "M14 a reference inside brackets", text: "a {{b {{Name}} c}}", is: "a {{b John c}}" },
    { title: "M15 a dollar before it", text: "$" + "{{Name}} $" + "{{Nope}}", is: "$John $" },
    { title: "M16 a value that looks like a reference", text: "{{Tpl}}", is: "{{Name}}" },
    { title: "M16 inline code that gives a reference", text: "{{={{Tpl}}=}}", is: "John" },
    { title: "M18 no access by place", text: "{{List[0]}}", is: "by name" },
    { title: "access by place in inline code", text: "{{={{List}}[0]=}}", is: "a" },
    { title: "inline code that returns", text: "{{=const a = {{N}}; return a * 2=}}", is: "10" },
    { title: "inline code that fails", text: "{{=nope.x + {{N}}=}}", is: "nope.x + 5" },
    { title: "inline code that gives a function", text: "{{=() => {{N}}=}}", is: "() => 5" },
    { title: "inline code that gives a big integer", text: "{{=10n=}}", is: "10" },
    { title: "inline code that awaits", text: "{{=await 1=}}", is: "await 1" },
    { title: "inline code that gives not a number", text: "{{=0/0=}}", is: "null" },
    { title: "inline code twice", text: "{{=1=}}{{=2=}}", is: "12" },
    { title: "inline code without an end", text: "{{=1 {{Name}}", is: "{{=1 John" },
    {
      title: "inline code inside JSON stands as it is",
      text: '{"a":{{=JSON.stringify({{Q}})=}}}',
      is: '{"a":"He said \\"hi\\"\\nbye \\\\ <b>"}',
      mode: "json",
    },
    { title: "three brackets", text: "{{{Name}}}", is: "{John}" },
    { title: "brackets without a name", text: "{{}} {{}", is: "{{}} {{}" },
    { title: "a name with a line break", text: "{{Na\nme}}", is: "" },
    { title: "nothing to replace", text: "plain", is: "plain" },
    { title: "an empty text", text: "", is: "" },
  ];

  test.each(vectors)("$title", ({ text, is, mode }) => {
    expect(render(text, context, mode)).toBe(is);
  });

  test("M17 of two variables of one name, the first that holds something", () => {
    const namesakes = [
      { id: "v1", name: "Dup", value: null },
      { id: "v2", name: "Dup", value: "second" },
    ];
    expect(render("{{Dup}}", viewOf(sandbox, namesakes).templates)).toBe("second");
  });

  test("inline code sees every variable by its id, and no function of scripts", () => {
    expect(render("{{=[globalThis['v' + 'Zip'], typeof setVariable, typeof fetch]=}}", context)).toBe(
      '["0123","undefined","undefined"]',
    );
  });

  test("names like those of built-in properties are names", () => {
    expect(render("{{__proto__}}{{constructor}}{{toString}}", context)).toBe("");
  });

  test("texts full of brackets take no longer than others", () => {
    const parts = ["{{", "{{=", "{{=a", "}}", "{{=\n", "{{a", "{{=1\n=}}", "{"];
    const texts = parts.map((part) => part.repeat(100_000));
    const scanned = texts.map((text) => [render(text, noCode), toCode(text, context.variables).code]);
    // Looking from each bracket to the text's end would take minutes, and the test its time limit.
    expect(scanned[0]).toEqual([texts[0] ?? "", texts[0] ?? ""]);
  });

  test("scanning finds what the patterns of the reference find", () => {
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

function mentionedByPattern(text: string): { id: string; value: string }[] {
  const mentions = [...text.matchAll(/\{\{(.+?)\}\}/g)].some(([, name]) => name === "Name");
  return mentions ? [{ id: "vName", value: "John" }] : [];
}

describe("the pieces of a rich text's leaf", () => {
  test("are its literal parts and its references, in order", () => {
    expect(pieces("Hi {{Name}}, {{={{N}} + 1=}} of {{List}}!", context)).toEqual([
      { kind: "literal", text: "Hi " },
      { kind: "reference", text: "John", isPlainVariable: true },
      { kind: "literal", text: ", " },
      { kind: "reference", text: "6", isPlainVariable: false },
      { kind: "literal", text: " of " },
      { kind: "reference", text: '["a","b",null]', isPlainVariable: true },
      { kind: "literal", text: "!" },
    ]);
  });

  test("print nothing where T would print a word for nothing", () => {
    expect(pieces("{{=undefined=}}{{={{Null}}=}}{{Null}}{{Nope}}", context)).toEqual([
      { kind: "reference", text: "", isPlainVariable: false },
      { kind: "reference", text: "", isPlainVariable: false },
      { kind: "reference", text: "", isPlainVariable: true },
      { kind: "reference", text: "", isPlainVariable: true },
    ]);
  });

  test("show a list's last element in old flows", () => {
    expect(pieces("{{List}}", context, "last")).toEqual([{ kind: "reference", text: "null", isPlainVariable: true }]);
  });

  test("do not read again what inline code gives", () => {
    expect(pieces("{{={{Tpl}}=}}", context)).toEqual([{ kind: "reference", text: "{{Name}}", isPlainVariable: false }]);
  });

  test("are one literal where nothing is referenced", () => {
    expect(pieces("plain {{ text", context)).toEqual([{ kind: "literal", text: "plain {{ text" }]);
    expect(pieces("", context)).toEqual([{ kind: "literal", text: "" }]);
  });
});

describe("code with references", () => {
  test("has ids in their place, also of empty variables, and nothing for unknown names", () => {
    const { code, mentioned } = toCode("{{Name}} + {{Null}} + {{Nope}}1", readerOf(variables));
    expect(code).toBe("vName + vNull + 1");
    expect(mentioned).toEqual([
      { id: "vName", value: "John" },
      { id: "vNull", value: null },
    ]);
  });

  test("mentions a variable once", () => {
    expect(toCode("{{N}} * {{N}}", readerOf(variables)).mentioned).toEqual([{ id: "vN", value: "5" }]);
  });

  test("does not mention a variable behind a third bracket", () => {
    expect(toCode("$" + "{{{Name}}}", readerOf(variables))).toEqual({ code: "$" + "{vName}", mentioned: [] });
    expect(toCode("$" + "{{{Name}}} + {{Name}}", readerOf(variables)).mentioned).toEqual([
      { id: "vName", value: "John" },
    ]);
  });

  test("takes the first of two variables of one name", () => {
    const namesakes = [
      { id: "v1", name: "Dup", value: null },
      { id: "v2", name: "Dup", value: "second" },
    ];
    expect(toCode("{{Dup}}", readerOf(namesakes))).toEqual({ code: "v1", mentioned: [{ id: "v1", value: null }] });
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

  test.each(texts)("%p names %p", (text, name) => {
    expect(singleReference(text)).toBe(name);
  });
});

describe("deep templating", () => {
  test("renders every text property at any depth, and leaves other values", () => {
    const value = { a: "{{Name}}", b: { c: "{{N}}!", d: 5, e: null, f: true }, g: [{ h: "{{Name}}" }] };
    expect(renderDeep(value, context)).toEqual({
      a: "John",
      b: { c: "5!", d: 5, e: null, f: true },
      g: [{ h: "John" }],
    });
  });

  test("leaves texts directly inside a list", () => {
    expect(renderDeep({ list: ["{{Name}}", { a: "{{Name}}" }, 5, null] }, context)).toEqual({
      list: ["{{Name}}", { a: "John" }, 5, null],
    });
  });

  test("turns a list directly inside a list into an object", () => {
    expect(renderDeep({ list: [["{{Name}}", ["x"]]] }, context)).toEqual({ list: [{ 0: "John", 1: ["x"] }] });
  });

  test("leaves out properties that become empty, when asked to", () => {
    const value = { a: "{{Nope}}", b: "", c: { d: "{{Null}}" }, e: "x" };
    expect(renderDeep(value, context, { removeEmptyStrings: true })).toEqual({ c: {}, e: "x" });
  });

  test("guesses types, when asked to", () => {
    const value = { a: "{{N}}", b: "{{=undefined=}}", c: "{{List}}", d: "{{Name}}", e: "true", f: "0123" };
    const rendered = renderDeep(value, context, { guessTypes: true });
    expect(rendered).toEqual({ a: 5, b: undefined, c: ["a", "b", null], d: "John", e: true, f: "0123" });
    expect(JSON.stringify(rendered)).not.toContain('"b":');
  });

  test("keeps a property called __proto__ a property", () => {
    const rendered = renderDeep(JSON.parse('{"__proto__":{"a":"{{Name}}"}}'), context);
    expect(JSON.stringify(rendered)).toBe('{"__proto__":{"a":"John"}}');
  });
});
