import { expect, test } from "bun:test";
import { languageOf } from "../../../src/web/app/code/languages.ts";
import { masked, variablesIn } from "../../../src/web/app/code/masked.ts";
import { problemsIn } from "../../../src/web/app/code/problems.ts";

const linesOf = (language: Parameters<typeof languageOf>[0], text: string) =>
  problemsIn(text, languageOf(language).parser).map(({ line }) => line);

test("variables in code are masked by identifiers of the same length", () => {
  expect(masked("return {{First name}} * 2")).toBe("return ______________ * 2");
  expect(masked("{{")).toBe("{{");
  expect(variablesIn("a {{B}} setVariable('C', 1) {{ D }}")).toEqual([
    { start: 2, end: 7, name: "B" },
    { start: 28, end: 35, name: "D" },
  ]);
});

test("invalid code is reported with its line, and variables are not errors", () => {
  expect(linesOf("script", "const a = {{Age}} + 1;\nreturn await fetch('x')")).toEqual([]);
  expect(linesOf("script", "const a = 1;\nif (a {\n")).toContain(2);
  expect(linesOf("json", '{ "name": "{{Name}}", "age": {{Age}} }')).toEqual([]);
  expect(linesOf("json", '{\n  "name": "x",\n  age 3\n}')).toContain(3);
  expect(linesOf("css", ".a { color: {{Colour}}; }")).toEqual([]);
  expect(linesOf("css", ".a { color: red; }\n.b { color red }")).toContain(2);
  expect(linesOf("html", "<script>const a = {{A}};</script>")).toEqual([]);
});
