import { expect, test } from "bun:test";
import { toMarkdown } from "../../../../src/core/interpreter/rich-text/markdown.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { templatingWith } from "./rich-text-helpers.ts";
import vectors from "./rich-text-vectors.json";

test.each(vectors)("vector $number gives the expected markdown", ({ variables, nodes, markdown }) => {
  const rendered = renderRichText(nodes, templatingWith({ ...variables }));

  expect(toMarkdown(rendered)).toBe(markdown);
});

const withRichText = vectors.flatMap(({ richText, ...vector }) => (richText ? [{ ...vector, richText }] : []));

test.each(withRichText)("vector $number gives the expected rich text", ({ variables, nodes, richText }) => {
  const rendered: unknown = renderRichText(nodes, templatingWith({ ...variables }));

  expect(rendered).toEqual(richText);
});
