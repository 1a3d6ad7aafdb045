import { expect, test } from "bun:test";
import fc from "fast-check";
import { prepareContent } from "../../../../src/core/interpreter/evaluation/text-content.ts";
import { toHtml } from "../../../../src/core/interpreter/rich-text/html.ts";
import { toMarkdown } from "../../../../src/core/interpreter/rich-text/markdown.ts";
import { parseMarkdown } from "../../../../src/core/interpreter/rich-text/markdown-value.ts";
import { markKind, markNames } from "../../../../src/core/interpreter/rich-text/marks.ts";
import { isElement, type RichNode } from "../../../../src/core/interpreter/rich-text/nodes.ts";
import { linesAsHtml, plainLines } from "../../../../src/core/interpreter/rich-text/plain-lines.ts";
import { toPlainText } from "../../../../src/core/interpreter/rich-text/plain-text.ts";
import { isPlainLine, plainBlocks } from "../../../../src/core/interpreter/rich-text/plain-value.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { p, templatingWith } from "./rich-text-helpers.ts";

const texts = fc.oneof(
  fc.constantFrom("{{V}}", "{{=V=}}", "a {{V}}", "{{Nobody}}", "", " b ", "\n", "<script>", '"><img src=x onerror=y>'),
  fc.string({ maxLength: 8 }),
);
const urls = fc.constantFrom(
  "https://e.com/{{V}}",
  "{{V}}",
  "javascript:alert(1)",
  'https://"><script>',
  "tel:1",
  5,
  null,
);
const marks = fc.constantFrom(true, false, "yes", null);
const types = fc.constantFrom(
  ..."p a ul ol li lic h1 h6 blockquote code_block code_line hr img unknown constructor <script>".split(" "),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ depthSize: "medium" }, tie("leaf"), tie("element"), fc.jsonValue({ maxDepth: 2 })),
  leaf: fc.record(
    {
      text: texts,
      ...Object.fromEntries(markNames.map((name) => [name, marks])),
      ["__proto__"]: marks,
    },
    { requiredKeys: ["text"] },
  ),
  element: fc.record(
    {
      type: types,
      children: fc.array(tie("tree"), { maxLength: 4 }),
      url: urls,
      start: fc.anything(),
      lang: fc.jsonValue(),
    },
    { requiredKeys: ["type", "children"] },
  ),
}));
const stored = fc.array(tree, { maxLength: 4 });
const values = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc
    .array(
      fc.constantFrom(..."*_`[]()!#>-+1.~\\&;<: \n\"'a".split(""), "<script>", "https://e.com", "- ", "  \n", "```\n"),
      {
        maxLength: 25,
      },
    )
    .map((parts) => parts.join("")),
);

/** The whole grammar of the generated HTML. Angle brackets may appear nowhere else. */
const tag = new RegExp(
  [
    `</?(?:p|h[1-6]|ul|ol|li|blockquote|pre|${markNames.map((mark) => markKind(mark).html).join("|")})>`,
    '<(?:br|hr)>|<ol start="[0-9]+">',
    '<a href="(?:https?|mailto|tel):[^"<>]*" target="_blank" rel="noopener noreferrer">|</a>',
  ].join("|"),
  "gi",
);

function isWellFormed(node: RichNode): boolean {
  if (!isElement(node)) return typeof node.text === "string" && markNames.every((name) => isSet(node[name]));
  const hasAddress = node.url === undefined || typeof node.url === "string";
  return typeof node.type === "string" && hasAddress && node.children.every(isWellFormed);
}

function isSet(mark: unknown): boolean {
  return mark === undefined || mark === true;
}

test("any stored nodes and any value give well-formed rich text", () => {
  fc.assert(
    fc.property(stored, values, (nodes, value) => {
      const before = JSON.stringify(nodes);

      const rendered = renderRichText(nodes, templatingWith({ V: value }));

      expect(rendered.every(isWellFormed)).toBe(true);
      expect(renderRichText(nodes, templatingWith({ V: value }))).toEqual(rendered);
      expect(JSON.stringify(nodes)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

test("any stored nodes and any value give HTML with only known tags", () => {
  fc.assert(
    fc.property(stored, values, (nodes, value) => {
      const html = toHtml(renderRichText(nodes, templatingWith({ V: value })));

      expect(html.replaceAll(tag, "")).not.toMatch(/[<>"']/);
      expect(html).not.toMatch(/<script/i);
    }),
    { numRuns: 500 },
  );
});

test("any stored nodes and any value can be printed as markdown and as plain text", () => {
  fc.assert(
    fc.property(stored, values, (nodes, value) => {
      const rendered = renderRichText(nodes, templatingWith({ V: value }));

      expect(typeof toMarkdown(rendered)).toBe("string");
      expect(typeof toPlainText(rendered)).toBe("string");
    }),
    { numRuns: 500 },
  );
});

test("a value with letters never renders as an empty text", () => {
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(/[a-z]/.test(value) && !value.includes("&"));
      const templating = templatingWith({ V: value });

      expect(toMarkdown(renderRichText([p("{{V}}")], templating))).not.toBe("");
      expect(toPlainText(renderRichText([p(": {{V}}")], templating)).length).toBeGreaterThan(2);
    }),
    { numRuns: 1_000 },
  );
});

const lineParts = fc.constantFrom(
  ..."aZé 1-.,'?:/@_*&`[\\#>=+)(~{}".split(""),
  "\n",
  "\r",
  "\t",
  "\u0000",
  "\ufeff",
  "\u00a0",
  "&amp;",
  "ab",
);

test("a line that is classified as plain is not changed by the markdown parser", () => {
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: lineParts, maxLength: 8 }), values), (text) => {
      fc.pre(isPlainLine(text));
      plain++;
      expect(parseMarkdown(text)).toEqual([p(text)]);
      expect(plainBlocks(text)).toEqual([p(text)]);
    }),
    { numRuns: 500 },
  );
  expect(plain).toBeGreaterThan(100);
  expect(["Ada Lovelace", "it's 5 o'clock", "ada@example.com"].filter(isPlainLine)).toHaveLength(3);
});

const paragraphs = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.string({ unit: lineParts, maxLength: 4 }), { maxLength: 2 }).map((line) => p(...line)),
    },
    { weight: 1, arbitrary: stored.map((nodes) => p(...renderRichText(nodes, templatingWith({})))) },
  ),
  { maxLength: 3 },
);

test("lines without marks have the same HTML and plain text as their nodes", () => {
  let printed = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        paragraphs,
        stored.map((nodes) => renderRichText(nodes, templatingWith({}))),
      ),
      (nodes) => {
        const lines = plainLines(nodes);
        if (!lines?.length) return;
        printed++;
        expect(linesAsHtml(lines)).toBe(toHtml(nodes));
        expect(lines.join("\n")).toBe(toPlainText(nodes));
      },
    ),
    { numRuns: 2_000 },
  );
  expect(printed).toBeGreaterThan(200);
});

test("a bubble parsed once shows each visitor's own values in the requested form", () => {
  const show = prepareContent([p("Hi {{V}}"), p("Bye")]);
  const plain = prepareContent([p("*Bye*")]);
  const of = (name: string) => () => templatingWith({ V: name });

  for (const name of ["Ada", "<b>", "*Ana*", ""]) {
    const nodes = renderRichText([p("Hi {{V}}"), p("Bye")], of(name)());
    expect(show(of(name), "richText")).toEqual({
      type: "richText",
      richText: nodes,
      html: toHtml(nodes),
      plainText: toPlainText(nodes),
    });
    expect(show(of(name), "markdown")).toEqual({ type: "markdown", markdown: toMarkdown(nodes) });
    expect(plain(of(name), "richText")).toMatchObject({ html: "<p>*Bye*</p>", plainText: "*Bye*" });
    expect(plain(of(name), "markdown")).toEqual({ type: "markdown", markdown: "*Bye*" });
  }
});
