import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseMarkdown } from "../../../../src/core/interpreter/rich-text/markdown-value.ts";
import type { RichNode } from "../../../../src/core/interpreter/rich-text/nodes.ts";
import { mayBeMarkdown, plainBlocks } from "../../../../src/core/interpreter/rich-text/plain-value.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { limits } from "../../../../src/limits/index.ts";
import { element, li, p, templatingWith } from "./rich-text-helpers.ts";

/** Returns the rendered blocks of a paragraph that consists of one variable. */
function blocksOf(value: string): RichNode[] {
  return renderRichText([p("{{V}}")], templatingWith({ V: value }));
}

describe("a value with markdown", () => {
  test("a value can contain headings, quotes, code, rules and marks", () => {
    const value = "## A *b*\n> q **x** ***y***\n\n```js\n1\n\n2\n```\n---\n`c`";

    expect(blocksOf(value)).toEqual([
      element("h2", "A ", { text: "b", italic: true }),
      element("blockquote", p("q ", { text: "x", bold: true }, " ", { text: "y", bold: true, italic: true })),
      p(""),
      {
        ...element("code_block", element("code_line", "1"), element("code_line", ""), element("code_line", "2")),
        lang: "js",
      },
      element("hr", ""),
      p({ text: "c", code: true }),
    ]);
  });

  test("a value can contain nested lists", () => {
    expect(blocksOf("3. a\n   - b\n\n     c\n4. # d\n5.")).toEqual([
      {
        ...element("ol", li("a", element("ul", li("b", p("c")))), element("li", element("h1", "d")), li("")),
        start: 3,
      },
    ]);
  });

  test("a value can contain links, images and hard breaks", () => {
    expect(blocksOf("[a *b*](https://e.com) ![alt](https://e.com/i.png)  \nx\\\ny")).toEqual([
      p(
        { ...element("a", "a ", { text: "b", italic: true }), url: "https://e.com" },
        " ",
        { ...element("img", "alt"), url: "https://e.com/i.png" },
        "\n",
        "x",
        "\n",
        "y",
      ),
    ]);
  });

  test("backslash escapes and character references in a value are resolved", () => {
    expect(blocksOf("\\*a\\* &amp; &copy; &#x41; &copy 5")).toEqual([p("*a* & © A &copy 5")]);
  });
});

describe("a value without markdown", () => {
  test.each([
    "<b>hi</b>",
    "<https://e.com?a=b&c=d>",
    "https://e.com?a=b&c=d&copy=e",
    "{{Name}} {a: 1} {/* x */}",
    "[note]: like-this",
    "[a][b] [c]",
    "<div>\n*</div>",
    "<!-- x -->",
    "first_name last_name",
    "-5 +33 6 12",
    "3.5 and 2) times",
    "~~gone~~ | a | b |",
  ])("the value is unchanged: %p", (value) => {
    expect(blocksOf(value)).toEqual([p(value)]);
  });

  test.each(["-", "+ ", "1.", "#", ">", "- -", "> 1."])(
    "the value is unchanged, although markdown would hide it: %p",
    (value) => {
      expect(blocksOf(value)).toEqual([p(value.trim())]);
    },
  );
});

describe("spaces and blank lines", () => {
  test("leading spaces are trimmed, and do not create code", () => {
    expect(blocksOf("    a\n\tb  c ")).toEqual([p("a\nb  c")]);
    expect(blocksOf("     *a*")).toEqual([p({ text: "a", italic: true })]);
  });

  test.each(["", "   ", "\t"])("the value %p results in no blocks", (value) => {
    expect(blocksOf(value)).toEqual([]);
  });

  test.each([
    ["a\n\nb", ["a", "", "b"]],
    ["a\r\n \r\n\r\nb\rc\n", ["a", "", "", "b\nc"]],
    ["\n\na", ["", "", "a"]],
    ["a\n\n", ["a", ""]],
    ["\n", [""]],
    ["\\*\n\n\n\\*\n\n", ["*", "", "", "*", ""]],
  ])("each blank line of %p is an empty paragraph", (value, lines) => {
    expect(blocksOf(value)).toEqual(lines.map((line) => p(line)));
  });

  test("blank lines around a list and within a quote are preserved", () => {
    expect(blocksOf("- a\n\n- b\n\n\nc")).toEqual([element("ul", li("a"), li("b")), p(""), p(""), p("c")]);
    expect(blocksOf("> a\n>\n> b")).toEqual([element("blockquote", p("a"), p(""), p("b"))]);
  });
});

describe("the fast path for plain text", () => {
  const characters = fc.constantFrom(..." \t\n\r\u00a0\u2028\ufeff\u0000ab1_*#>=~-+.)[]!(<&;{`\\|:é😀");
  const words = fc.constantFrom(
    "a",
    "b c",
    "&amp;",
    "&a=b",
    "1.",
    "1)",
    "12 ",
    "- ",
    "-5",
    "a_b",
    "_",
    "\n",
    "\r\n",
    " ",
    "x@y.z",
  );
  const texts = fc.oneof(
    fc.array(characters, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 20 }),
  );

  test("the fast path for plain text gives the same result as the markdown parser", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!mayBeMarkdown(text));
        expect(plainBlocks(text)).toEqual(parseMarkdown(text) ?? []);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each(["John", "john_doe@example.com", "https://e.com?a=b&c=d", "-5", "12.5", "Hi, you!\nNext line", "a\n\nb"])(
    "the fast path for plain text is used for %p",
    (text) => {
      expect(mayBeMarkdown(text)).toBe(false);
    },
  );
});

describe("values that would overload the parser", () => {
  const hostile: [string, string][] = [
    ["delimiters", "*a_"],
    ["long runs of delimiters", `${"*".repeat(15)}a `],
    ["open brackets", "["],
    ["open images", "!["],
    ["link ends", "[a]("],
    ["quotes", "> "],
    ["numbers", "1. "],
    ["bullets", "- "],
    ["backticks", "`"],
    ["backticks and text", "`a"],
    ["headings", "a\n=\n"],
    ["list lines", "- a\n"],
    ["alternating blocks", "- a\n> b\n"],
    ["line breaks", "\n"],
    ["backslashes", "\\"],
    ["character references", "&amp;"],
    ["spaces", " \t"],
    ["carriage returns", "\r"],
    ["digits", "1"],
  ];

  test.each(hostile)("the end of a value of many %s is shown", (_, part) => {
    for (const length of [1_000, 16_000, 65_536, 500_000]) {
      const templating = templatingWith({ V: `${part.repeat(length / part.length)}end` });

      const rendered = [renderRichText([p("{{V}}")], templating), renderRichText([p("V: {{V}}")], templating)];

      expect(rendered.every((nodes) => JSON.stringify(nodes).includes("end"))).toBe(true);
    }
  });

  test("indented lists beyond the maximum depth are plain text", () => {
    const lines = Array.from({ length: limits.richText.valueDepth }, (_, index) => `${" ".repeat(index * 2)}- a`);

    expect(blocksOf(lines.join("\n"))).toEqual([p(lines.map((line) => line.trim()).join("\n"))]);
    expect(blocksOf(lines.slice(0, 10).join("\n"))).toMatchObject([{ type: "ul" }]);
  });

  test.each([
    ["too many characters", `*a* ${"x".repeat(limits.richText.markdownCharacters)}`],
    ["too many lines", `*a*${"\nx".repeat(limits.richText.markdownLines)}`],
    ["too many delimiters", "*a* ".repeat(limits.richText.emphasisCharacters / 2 + 1).trim()],
    ["too many brackets", "[a](b) ".repeat(limits.richText.brackets + 1).trim()],
    ["too many quotes in a line", `${"> ".repeat(limits.richText.valueDepth + 1)}a`],
  ])("a value with %s is plain text", (_, value) => {
    expect(blocksOf(value)).toEqual([p(value)]);
  });

  test("a very long plain text has a limited number of paragraphs and loses no text", () => {
    const value = "a\n\n".repeat(limits.richText.plainLines * 2);

    const blocks = blocksOf(value);

    expect(blocks.length).toBeLessThanOrEqual(limits.richText.plainLines);
    expect(JSON.stringify(blocks).match(/a/g)).toHaveLength(limits.richText.plainLines * 2);
  });
});
