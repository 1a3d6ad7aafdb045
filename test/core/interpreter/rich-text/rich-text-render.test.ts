import { describe, expect, test } from "bun:test";
import { readAnswer } from "../../../../src/core/interpreter/gfm/read.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { limits } from "../../../../src/limits/index.ts";
import { element, li, p, templatingWith } from "./rich-text-helpers.ts";

describe("text without references", () => {
  test("text without references stays unchanged", () => {
    const nodes = [p("Hello { name } }}", { text: "you", bold: true }), p("")];

    expect(renderRichText(nodes, templatingWith({}))).toEqual(nodes);
  });

  test("a text without nodes stays empty", () => {
    expect(renderRichText([], templatingWith({}))).toEqual([]);
  });
});

describe("a reference within a line", () => {
  test("a reference within a line has the marks of its leaf", () => {
    const nodes = [p({ text: "Hi {{Name}}!", bold: true, strikethrough: true })];

    expect(renderRichText(nodes, templatingWith({ Name: "*John*" }))).toEqual([
      p(
        { text: "Hi ", bold: true, strikethrough: true },
        { text: "John", bold: true, italic: true, strikethrough: true },
        { text: "!", bold: true, strikethrough: true },
      ),
    ]);
  });

  test("a reference without a value yields no leaf", () => {
    expect(renderRichText([p("2 {{ *3*")], templatingWith({}))).toEqual([p("2 {{ *3*")]);
    expect(renderRichText([p("Hi {{Nobody}}!")], templatingWith({}))).toEqual([p("Hi ", "!")]);
    expect(renderRichText([p("{{A}}{{B}}")], templatingWith({}))).toEqual([p()]);
  });

  test("a reference within a line drops the links of its value", () => {
    const templating = templatingWith({ List: "- a\n- [b](https://e.com)\n\nend" });

    expect(renderRichText([p("L: {{List}}")], templating)).toEqual([
      p("L: ", { text: "a" }, { text: "b" }, { text: "\n\n" }, { text: "end" }),
    ]);
  });

  test("a reference within a line preserves the line breaks of code", () => {
    expect(renderRichText([p("C: {{Code}}")], templatingWith({ Code: "```\na\n\nb\n```" }))).toEqual([
      p("C: ", "a\n\nb"),
    ]);
  });

  test.each(["-", "---", "1.", "#", "[](https://e.com)", "***"])(
    "a reference within a line prints %p, which markdown would remove",
    (value) => {
      expect(renderRichText([p("Score: {{V}}")], templatingWith({ V: value }))).toEqual([p("Score: ", value)]);
    },
  );
});

describe("a leaf that is one reference", () => {
  test("a leaf that is one reference becomes the blocks of its value", () => {
    const nodes = [p("{{Name}}", { text: ", welcome", bold: true })];

    expect(renderRichText(nodes, templatingWith({ Name: "John" }))).toEqual([
      p(p("John"), { text: ", welcome", bold: true }),
    ]);
  });

  test("the blocks of a variable replace the paragraph of its leaf", () => {
    const templating = templatingWith({ Steps: "First\n\n1. a\n2. b" });

    expect(renderRichText([p("x"), p("{{Steps}}"), p("y")], templating)).toEqual([
      p("x"),
      p("First"),
      p(""),
      element("ol", li("a"), li("b")),
      p("y"),
    ]);
  });

  test("a leaf of an empty variable removes its paragraph", () => {
    expect(renderRichText([p("a"), p("{{Nobody}}"), p("b")], templatingWith({}))).toEqual([p("a"), p("b")]);
  });

  test("inline code that is a whole leaf keeps its paragraph", () => {
    expect(renderRichText([p("{{=Name=}}")], templatingWith({ Name: "John" }))).toEqual([p(p("John"))]);
    expect(renderRichText([p("{{=Nobody=}}")], templatingWith({}))).toEqual([p()]);
  });

  test("a linked leaf that is one reference keeps its link with a resolved address", () => {
    const link = { ...element("a", { text: "{{Label}}", underline: true }), url: "https://e.com/{{Path}}" };

    expect(renderRichText([p("see ", link)], templatingWith({ Path: "*x*", Label: "here" }))).toEqual([
      p("see ", { ...element("a", { text: "here", underline: true }), url: "https://e.com/*x*" }),
    ]);
  });

  test("a marked leaf of a variable is replaced by marked leaves", () => {
    const nodes = [p({ text: "{{V}}", italic: true })];

    expect(renderRichText(nodes, templatingWith({ V: "a\n\nb" }))).toEqual([
      { text: "a", italic: true },
      { text: "\n\n", italic: true },
      { text: "b", italic: true },
    ]);
  });
});

describe("external nodes", () => {
  test("external nodes are omitted if they are invalid", () => {
    const nodes = [null, 5, "text", [], {}, { text: 5 }, p("a"), { type: 7, children: [null, { text: "b" }, "c"] }];

    expect(renderRichText(nodes, templatingWith({}))).toEqual([p("a"), p("b")]);
  });

  test("external nodes keep unknown types, properties and marks", () => {
    const nodes = [
      {
        type: "mention",
        id: "m1",
        data: { user: [1] },
        children: [{ text: "x", strikethrough: true as const, color: "red" }],
      },
    ];

    expect(renderRichText(nodes, templatingWith({}))).toEqual(nodes);
  });

  test("external nodes lose marks that are not true", () => {
    const nodes = [
      {
        type: "a",
        url: 5,
        children: [{ text: "x", bold: "yes", italic: false, underline: true, code: false, strikethrough: null }],
      },
    ];

    expect(renderRichText(nodes, templatingWith({}))).toEqual([
      { type: "a", children: [{ text: "x", underline: true }] },
    ]);
  });

  test("external nodes at the top level become elements with children", () => {
    const nodes = [
      { text: "a" },
      { text: "b", bold: true },
      { type: "hr" },
      { text: "{{V}}" },
      { type: "p", children: 5 },
    ];

    expect(renderRichText(nodes, templatingWith({ V: "# T" }))).toEqual([
      p("a", { text: "b", bold: true }),
      element("hr", ""),
      element("h1", "T"),
      p(""),
    ]);
  });

  test("external nodes may have types and properties named like built-in ones", () => {
    const nodes: unknown[] = JSON.parse(
      '[{"type":"constructor","__proto__":{"x":1},"children":[{"text":"{{__proto__}}"}]}]',
    );

    expect(renderRichText(nodes, templatingWith({}))).toEqual([]);
    const stored: unknown[] = JSON.parse('[{"type":"constructor","__proto__":{"x":1},"children":[{"text":"a"}]}]');
    expect(JSON.stringify(renderRichText(stored, templatingWith({})))).toBe(
      '[{"__proto__":{"x":1},"type":"constructor","children":[{"text":"a"}]}]',
    );
  });

  test("external nodes are truncated if they are nested too deeply", () => {
    const nested: unknown[] = JSON.parse(`${'[{"type":"p","children":'.repeat(20_000)}[]${"}]".repeat(20_000)}`);
    const property: unknown[] = [{ type: "p", deep: nested, children: [{ text: "a" }] }];

    expect(JSON.stringify(renderRichText(nested, templatingWith({}))).split('"p"').length - 1).toBe(
      limits.richText.depth,
    );
    expect(renderRichText(property, templatingWith({}))).toEqual([p("a")]);
  });

  test("external nodes keep properties up to the maximum depth", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    const node = (levels: number) => ({ type: "p", own: nested(levels), children: [{ text: "a" }] });

    expect(renderRichText([node(limits.richText.depth)], templatingWith({}))).toEqual([node(limits.richText.depth)]);
    expect(renderRichText([node(limits.richText.depth + 1)], templatingWith({}))).toEqual([p("a")]);
  });

  test("hundreds of thousands of external nodes are rendered", () => {
    const leaves = Array.from({ length: 200_000 }, () => ({ text: "a" }));
    const nodes = [...leaves, { type: "unknown", children: leaves.map((leaf) => p(leaf)) }];

    expect(renderRichText(nodes, templatingWith({}))).toHaveLength(2);
  });
});

test("the number of characters that values insert into a bubble is limited", () => {
  const value = "x".repeat(limits.richText.insertedCharacters / 4);

  const rendered = renderRichText([p("{{V}} ".repeat(50))], templatingWith({ V: value }));

  expect(JSON.stringify(rendered).length).toBeLessThan(limits.richText.insertedCharacters + 10_000);
  expect(JSON.stringify(rendered).split(value)).toHaveLength(4);
});

test("a truncated value ends with a whole character", () => {
  const value = `x${"😀".repeat(limits.richText.insertedCharacters / 2)}`;

  const rendered = renderRichText([p("{{V}}")], templatingWith({ V: value }));

  expect(JSON.stringify(rendered).isWellFormed()).toBe(true);
  expect(JSON.stringify(rendered)).not.toContain("\\ud83d");
});

describe("an address that would run code", () => {
  const addresses = [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
  ];

  test.each(addresses)("an address that would run code is empty in a link whose variable contains %p", (Link) => {
    const link = { type: "a", url: "{{Link}}", children: [{ text: "press" }] };

    expect(renderRichText([p(link)], templatingWith({ Link }))).toEqual([p({ ...link, url: "" })]);
  });

  test("an address that would run code is removed from a value's markdown", () => {
    const Value =
      "[a](javascript:alert(1)) ![b](javascript:alert(2)) [c](&#106;avascript:alert(3)) <javascript:alert(4)>";
    const rendered = renderRichText([p("{{Value}}")], templatingWith({ Value }));
    const answer = readAnswer(Value);

    expect([rendered, answer].map((nodes) => JSON.stringify(nodes).match(/"url":"[^"]*"/g))).toEqual([
      ['"url":""', '"url":""', '"url":""'],
      ['"url":""', '"url":""', '"url":""', '"url":""'],
    ]);
  });

  test("safe addresses, data pictures and the author's own addresses are unchanged", () => {
    const fixed = { type: "a", url: "javascript:alert(1)", children: [{ text: "press" }] };
    const Value = "[a](https://e.com) [b](tel:1) [c](javascript.html) ![d](data:image/png;base64,AA==)";

    expect(renderRichText([p(fixed)], templatingWith({}))).toEqual([p(fixed)]);
    expect(JSON.stringify(renderRichText([p("{{Value}}")], templatingWith({ Value }))).match(/"url":"[^"]*"/g)).toEqual(
      ['"url":"https://e.com"', '"url":"tel:1"', '"url":"javascript.html"', '"url":"data:image/png;base64,AA=="'],
    );
  });
});
