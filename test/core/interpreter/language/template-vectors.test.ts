import { expect, test } from "bun:test";
import { render, renderDeep, type TemplateMode, toCode } from "../../../../src/core/interpreter/language/template.ts";
import { createSandbox } from "../../../../src/platform/sandbox/index.ts";
import { readerOf, variablesOf, viewOf } from "../evaluation/expression-helpers.ts";
import vectors from "./template-vectors.json";

const variables = [...variablesOf(vectors.variables), ...vectors.namesakes];
const context = viewOf(await createSandbox(), variables).templates;
const modes = new Map<string, TemplateMode>([
  ["json", "json"],
  ["html", "html"],
  ["last", "last"],
]);

for (const { vector, is, text, result, ...rest } of vectors.texts) {
  test(`a text is rendered as documented, ${vector}: ${is}`, () => {
    expect(render(text, context, modes.get("mode" in rest ? rest.mode : ""))).toBe(result);
  });
}

test.each(vectors.code)("references in code: $is", ({ text, result, mentions }) => {
  const { code, mentioned } = toCode(text, readerOf(variables));
  expect({ code, mentions: mentioned.map(({ name }) => name) }).toEqual({ code: result, mentions });
});

test.each(vectors.deep)("an object with templates: $is", ({ value, options, result }) => {
  const rendered: unknown = renderDeep(value, context, options);
  expect(rendered).toEqual(result);
});
