import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { toHtml } from "../../../../src/core/interpreter/rich-text/html.ts";
import { toMarkdown } from "../../../../src/core/interpreter/rich-text/markdown.ts";
import { type Mark, markKind, markNames } from "../../../../src/core/interpreter/rich-text/marks.ts";
import { keptClasses } from "../../../../src/core/lint/rules/look.ts";
import { RichText } from "../../../../src/web/components/RichText.tsx";
import { readText } from "../../../support/tidy/project.ts";
import { subjects } from "../../../tools/gallery/subjects/index.ts";
import { p } from "./rich-text-helpers.ts";

const drawnBy = (page: string) => markNames.filter((mark) => markKind(mark).page === page);

test("each mark is in the documentation and in the gallery", () => {
  const sentence = /its marks, each `true` or absent:(.*?)\. An element/.exec(readText("docs/answers.md"))?.[1] ?? "";
  const drawn = JSON.stringify(subjects);

  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? "");
  expect(named.toSorted()).toEqual(markNames.toSorted());
  expect(markNames.filter((mark) => !drawn.includes(`"${mark}":true`))).toEqual([]);
});

test("each class of a mark has a style rule and each kept class is documented", () => {
  const sheet = readText("src/web/styles/transcript.css");
  const page = readText("docs/moving.md");

  expect(drawnBy("class").filter((mark) => !sheet.includes(`.slate-${mark} {`))).toEqual([]);
  expect(drawnBy("class").every((mark) => keptClasses.has(`slate-${mark}`))).toBe(true);
  expect([...keptClasses].filter((name) => !page.includes(`.${name}\``) && !page.includes(`.${name}:`))).toEqual([]);
});

test.each(markNames.map((mark) => [mark] as const))("the mark %s is printed as HTML and as Markdown", (mark) => {
  const { html, markdown } = markKind(mark);

  expect(toHtml([p({ text: "x", [mark]: true })])).toBe(`<p><${html}>x</${html}></p>`);
  expect(toMarkdown([p({ text: "x", [mark]: true })])).toBe(`${markdown}x${markdown.replace("<", "</")}`);
});

test("a page renders every mark of a leaf, as a class or as an element", () => {
  const draw = (...marks: readonly Mark[]) =>
    renderToString(h(RichText, { nodes: [{ text: "x", ...Object.fromEntries(marks.map((mark) => [mark, true])) }] }));

  expect(draw()).toBe("<span>x</span>");
  expect(draw("bold")).toBe('<span class="slate-bold">x</span>');
  expect(draw("underline", "italic", "bold")).toBe('<span class="slate-bold slate-italic slate-underline">x</span>');
  expect(draw("code", "bold")).toBe('<code class="slate-bold">x</code>');
  expect(draw("strikethrough")).toBe("<s>x</s>");
  expect(draw("strikethrough", "code", "italic")).toBe('<s><code class="slate-italic">x</code></s>');
  for (const mark of drawnBy("element")) expect(draw(mark)).toBe(`<${markKind(mark).html}>x</${markKind(mark).html}>`);
});
