import { describe, expect, test } from "bun:test";
import {
  evaluateExpression,
  mapResponse,
  matchesPattern,
  runServerScript,
} from "../../../../src/core/interpreter/evaluation/expression.ts";
import type { Value } from "../../../../src/core/interpreter/language/values.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { variablesOf, viewOf } from "./expression-helpers.ts";

const sandbox = await createSandbox();
const variables = variablesOf({
  N: "5",
  Name: "John",
  List: ["a", "b", null],
  Zip: "0123",
  Phone: "+336",
  A: null,
  B: "old",
});
const view = viewOf(sandbox, variables);
const evaluationContext = "While evaluating set variable expression";

describe("a custom expression", () => {
  const vectors: [title: string, expression: string, saved: Value][] = [
    ["V1 with a variable", "{{N}} + 1", "6"],
    ["V2 one variable", "{{N}}", "5"],
    ["V3 one variable with a leading zero", "{{Zip}}", "0123"],
    ["V4 one list is copied as text", "{{List}}", '["a","b",null]'],
    ["V5 the length of a list", "{{List}}.length", "3"],
    ["V6 a list is copied by its own method", "{{List}}.slice()", '["a","b",null]'],
    ["V7 a phone number loses its plus", "+33612345678", "33612345678"],
    ["V8 a date is a subtraction", "2024-01-02", "2021"],
    ["V9 a number", "42", "42"],
    ["V10 a number with a leading zero stays unchanged", "0123", "0123"],
    ["V10 a number with zeros at its end stays unchanged", "1000", "1000"],
    ["V10 a hexadecimal number stays unchanged", "0x10", "0x10"],
    ["V10 a decimal number loses its last zero", "0.50", "0.5"],
    ["V10 a number of three digits", "100", "100"],
    ["V11 a list with commas results in its last value", "1,2,3", "3"],
    ["V12 an empty expression", "", null],
    ["V13 an object", '{"a":1}', '{"a":1}'],
    ["V14 a leading line break", "\nfoo", null],
    ["V15 spaces", "  ", null],
    ["V19 an expression that returns", "const a = {{N}}; return a * 2", "10"],
    ["V20 an unknown variable is empty", "{{Nope}} + 1", "1"],
    ["V21 a variable in quotes is replaced with its id", '"{{Name}}"', "vName"],
    ["V22 a function that the sandbox does not have", "typeof setTimeout", "undefined"],
    ["V22 a function that the sandbox has", "typeof fetch", "function"],
    ["V23 a date object", "new Date(0)", '"1970-01-01T00:00:00.000Z"'],
    ["V24 a text method", "{{Name}}.toUpperCase()", "JOHN"],
    ["V25 true", "true", "true"],
    ["V25 null", "null", null],
    ["V25 undefined", "undefined", null],
    ["V26 a division", "50/50", "1"],
    ["V27 a list of results", "{{List}}.map((item) => item + '!')", "LIST"],
    ["V30 a promise", "await Promise.resolve({{N}} + 1)", "6"],
    ["V31 written variables are ignored", "setVariable('B','z'); return 1", "1"],
    ["a big integer", "10n", null],
    ["not a number", "{{Name}} * 2", "null"],
    ["the same variable twice", "{{N}} * {{N}}", "25"],
    ["a phone number in a variable stays a text", "{{Phone}} + 1", "+3361"],
    ["only inline code", "{{=2 + 1=}}", "3"],
  ];
  const lists = new Map<string, Value>([
    ["V6 a list is copied by its own method", ["a", "b", null]],
    ["V27 a list of results", ["a!", "b!", "null!"]],
  ]);

  test.each(vectors)("a custom expression is evaluated as code: %s", (title, expression, saved) => {
    const value = lists.get(title) ?? saved;
    expect(evaluateExpression(expression, view)).toEqual({ kind: "evaluated", value });
  });

  const texts: [title: string, expression: string, saved: string][] = [
    ["V16 two statements", "const a = 1\na", "const a = 1\na"],
    ["V17 a sentence with the word return", "I will return tomorrow", "I will return tomorrow"],
    ["V19 a variable in braces", "`$" + "{{{Name}}}/path`", "`$" + "{John}/path`"],
    ["V26 a percentage", "5%", "5%"],
    ["V26 letters with a slash", "A/B", "A/B"],
    ["V29 an undefined name", "foo.bar", "foo.bar"],
    ["a word", "Promoter", "Promoter"],
    ["a sentence with a variable", "Hello {{Name}}, welcome", "Hello John, welcome"],
    ["a function", "() => {{N}}", "() => 5"],
    ["the name of a built-in object", "Math", "{}"],
    ["inline code with a variable", "{{={{N}} + 1=}}", "6"],
  ];

  test.each(texts)("a custom expression has the documented text as its value: %s", (_title, expression, saved) => {
    expect(evaluateExpression(expression, view)).toMatchObject({ value: saved });
  });

  test("V28 a failing custom expression is reported with its inner error", () => {
    expect(evaluateExpression("foo.bar", view)).toEqual({
      kind: "failed",
      value: "foo.bar",
      error: {
        context: evaluationContext,
        description: '{"context":"While executing function","description":"[undefined] foo is not defined"}',
      },
      reason: "foo is not defined",
      line: 1,
    });
  });

  test("V28 a custom expression that fails is reported with the cause of its error", () => {
    const outcome = evaluateExpression("throw new Error('outer', { cause: 'why' }); return 1", view);
    expect(outcome).toMatchObject({
      error: {
        description: '{"context":"While executing function","description":"[undefined] outer","details":"why"}',
      },
    });
  });

  test("a custom expression that never ends is stored as text, and reported", () => {
    expect(evaluateExpression("(() => { for (;;); })()", view)).toEqual({
      kind: "failed",
      value: "(() => { for (;;); })()",
      error: {
        context: evaluationContext,
        description: '{"context":"While executing function","description":"[undefined] Script execution timed out."}',
      },
      reason: "Script execution timed out.",
    });
  });

  test("a missing custom expression clears the variable", () => {
    expect(evaluateExpression(undefined, view)).toEqual({ kind: "evaluated", value: null });
  });

  test("a custom expression can make a network call", () => {
    const expression = "JSON.parse(await fetch('https://example.com/' + {{Name}})).n + {{N}}";
    expect(evaluateExpression(expression, view)).toEqual({ kind: "fetch", url: "https://example.com/John", init: {} });
    expect(evaluateExpression(expression, view, [{ body: '{"n":2}' }])).toEqual({ kind: "evaluated", value: "7" });
  });
});

describe("a server script", () => {
  test("a server script writes variables by their names", () => {
    const result = runServerScript(
      "setVariable('A', {{N}} + 1); setVariable('B', 1); setVariable('A', ['x', null])",
      view,
    );
    expect(result).toEqual({
      kind: "finished",
      value: undefined,
      writes: [
        { variableId: "vB", value: "1" },
        { variableId: "vA", value: ["x", null] },
      ],
    });
  });

  test("writing a missing variable in a server script has no effect", () => {
    expect(runServerScript("setVariable('Nope', 1); setVariable('__proto__', 1)", view)).toMatchObject({ writes: [] });
  });

  test("a server script writes nothing and reports the reason if it fails", () => {
    expect(runServerScript("setVariable('A', 1); nope()", view)).toEqual({
      kind: "failed",
      error: { context: "While executing function", description: "[undefined] nope is not defined" },
      reason: "nope is not defined",
      line: 1,
    });
  });

  test("a server script can read values that are passed by name", () => {
    const values = [["city", "Lima"]] as const;
    expect(runServerScript("return city + {{N}}", view, { values })).toMatchObject({ value: "Lima5" });
  });

  test("a server script cannot read variables that it does not mention", () => {
    expect(runServerScript("return typeof vName", view)).toMatchObject({ value: "undefined" });
  });

  test("a server script requests network calls in sequence", () => {
    const content = "setVariable('A', (await fetch('a')) + (await fetch('b', { method: 'POST' })))";
    expect(runServerScript(content, view)).toEqual({ kind: "fetch", url: "a", init: {} });
    expect(runServerScript(content, view, { fetched: [{ body: "1" }] })).toEqual({
      kind: "fetch",
      url: "b",
      init: { method: "POST" },
    });
    expect(runServerScript(content, view, { fetched: [{ body: "1" }, { body: "2" }] })).toMatchObject({
      writes: [{ variableId: "vA", value: "12" }],
    });
  });
});

describe("the mapping of a response", () => {
  const data = {
    items: [{ name: "first", "a b": 1, tags: ["x", "y"] }],
    count: 0,
    empty: "",
    nothing: null,
    text: "abc",
  };
  const response = { statusCode: 200, data };
  const mapped: [bodyPath: string, value: Value][] = [
    ["statusCode", "200"],
    ["data.items[0].name", "first"],
    ["data.items[0]['a b']", "1"],
    ['data["items"][0]["a b"]', "1"],
    ["data.items[0].tags", ["x", "y"]],
    ["data.items[0]", '{"name":"first","a b":1,"tags":["x","y"]}'],
    ["data.items.map(item => item.name)", ["first"]],
    ["data.items.length", "1"],
    ["data.text.length", "3"],
    ["data.count", "0"],
    ["data.empty", null],
    ["data.nothing", null],
    ["data.unknown", null],
    ["data.items[5]", null],
    ["return data.count + 1", "1"],
    ["data.items[{{N}} - 5].name", "first"],
    ["statusCode === 200", "true"],
  ];

  test.each(mapped)("the mapping has the documented result: %s", (bodyPath, value) => {
    expect(mapResponse([{ variableId: "vA", bodyPath }], response, view)).toEqual([{ variableId: "vA", value }]);
  });

  const failing = [
    "data.unknown.name",
    "data.items[5].name",
    "nope",
    "data.",
    "() => 1",
    "typeof setVariable()",
    "data.toString",
  ];

  test.each(failing)("the mapping %s fails, and writes no variable", (bodyPath) => {
    expect(mapResponse([{ variableId: "vA", bodyPath }], response, view)).toEqual([]);
  });

  test("each expression of a mapping is evaluated independently", () => {
    const mappings = [
      { variableId: "vA", bodyPath: "data.items.pop().name" },
      { variableId: "vB", bodyPath: "data.items[0].name" },
      { variableId: "vN", bodyPath: "nope" },
      { bodyPath: "data" },
      { variableId: "vN" },
    ];
    expect(mapResponse(mappings, response, view)).toEqual([
      { variableId: "vA", value: "first" },
      { variableId: "vB", value: "first" },
    ]);
  });
});

describe("a pattern", () => {
  const matches: [pattern: string, text: string, is: boolean | undefined][] = [
    ["/world/i", "Hello World", true],
    ["world", "Hello World", false],
    ["World", "Hello World", true],
    ["foo/World/", "Hello World", true],
    ["(", "Hello", undefined],
    ["/a/s", "a", false],
    ["/a/s", "x/a/s", true],
    ["^\\d{3}$", "123", true],
    ["/^b/m", "a\nb", true],
    ["/a/gg", "a", undefined],
    ["/b/y", "ab", false],
    ["/\\u{1F600}/u", "😀", true],
    ["a.c", "abc", true],
    ["a+b", "a+b", false],
    ["/", "a/b", true],
    ["//", "a//b", true],
    ["/a/b/", "xa/by", true],
    ["(a+)+$", `${"a".repeat(40)}b`, undefined],
  ];

  test.each(matches)("a pattern has the documented result: %s on %s", (pattern, text, is) => {
    expect(matchesPattern(pattern, text, view.runScript)).toBe(is);
  });
});
