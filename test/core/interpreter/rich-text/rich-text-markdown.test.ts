import { describe, expect, test } from "bun:test";
import { toMarkdown } from "../../../../src/core/interpreter/rich-text/markdown.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { element, li, p, templatingWith } from "./rich-text-helpers.ts";

/** Returns the Markdown of a paragraph that consists of one variable. */
function markdownOf(value: string): string {
  return toMarkdown(renderRichText([p("{{V}}")], templatingWith({ V: value })));
}

describe("text and marks", () => {
  test("text is not escaped (rule 1)", () => {
    expect(toMarkdown([p("1. *x* <b>\n\\ # &amp; [a](b)")])).toBe("1. *x* <b>\n\\ # &amp; [a](b)");
  });

  test.each([
    [{ text: "x", bold: true as const }, "**x**"],
    [{ text: "x", italic: true as const }, "_x_"],
    [{ text: "x", bold: true as const, italic: true as const }, "_**x**_"],
    [{ text: "x", underline: true as const }, "<u>x</u>"],
    [{ text: "x", code: true as const }, "`x`"],
    [{ text: "x", strikethrough: true as const }, "~~x~~"],
    [
      { text: "x", bold: true as const, italic: true as const, underline: true as const, code: true as const },
      "<u>_**`x`**_</u>",
    ],
    [{ text: "a`b", code: true as const }, "``a`b``"],
    [{ text: "`", code: true as const }, "`` ` ``"],
  ])("the leaf %j is printed with its marks (rule 2)", (leaf, expected) => {
    expect(toMarkdown([p(leaf)])).toBe(expected);
  });

  test("white space at the edges moves out of the mark (rule 2)", () => {
    expect(toMarkdown([p("a", { text: "  b\n", bold: true }, { text: "   ", italic: true }, "c")])).toBe(
      "a  **b**\n   c",
    );
  });

  test("a marked leaf with a variable inside is marked once", () => {
    const rendered = renderRichText([p({ text: "Hi {{Name}}!", bold: true })], templatingWith({ Name: "John" }));

    expect(toMarkdown(rendered)).toBe("**Hi John!**");
  });

  test("marked paragraphs of a value are marked separately", () => {
    const rendered = renderRichText([p({ text: "V: {{V}}", bold: true })], templatingWith({ V: "p1\n\np2" }));

    expect(toMarkdown(rendered)).toBe("**V: p1**\n\n**p2**");
  });
});

test.each([
  [{ ...element("a", "text"), url: "https://e.com" }, "[text](https://e.com)"],
  [{ ...element("a", { text: "t", bold: true }), url: "https://e.com" }, "[**t**](https://e.com)"],
  [{ ...element("a", ""), url: "https://e.com" }, "https://e.com"],
  [element("a", "text"), "text"],
  [{ ...element("a", "text"), url: "https://e.com/a b" }, "[text](https://e.com/a%20b)"],
  [{ ...element("img", "alt"), url: "https://e.com/i.png" }, "![alt](https://e.com/i.png)"],
])("a link or an image is printed with its text and its valid address (rule 3): %j", (link, expected) => {
  expect(toMarkdown([p("see ", link, ".")])).toBe(`see ${expected}.`);
});

describe("blocks", () => {
  const list = element("ul", li("a"), li("b"));

  test("blocks next to a paragraph are joined by one line break (rule 4)", () => {
    expect(toMarkdown([p("x"), list, p("y"), element("h1", "T"), element("ol", li("c"))])).toBe(
      "x\n* a\n* b\ny\n# T\n\n1. c",
    );
  });

  test("empty paragraphs are empty lines (rule 4)", () => {
    expect(toMarkdown([p(""), p("A"), p(), list])).toBe("\nA\n\n* a\n* b");
  });

  test("adjacent bullet lists alternate between bullet characters (rule 5)", () => {
    expect(toMarkdown([list, list, list])).toBe("* a\n* b\n\n- a\n- b\n\n* a\n* b");
    expect(toMarkdown([list, p(""), list])).toBe("* a\n* b\n\n* a\n* b");
    expect(toMarkdown([list, element("ol", li("c")), list])).toBe("* a\n* b\n\n1. c\n\n* a\n* b");
  });

  test("nested lists are indented by the width of the marker (rule 5)", () => {
    const nested = element("ol", li("One", element("ul", li("sub", element("ol", li("deep"))))), li("Two"));

    expect(toMarkdown([nested])).toBe("1. One\n   * sub\n     1. deep\n2. Two");
    expect(toMarkdown([{ ...nested, start: 10 }])).toBe("10. One\n    * sub\n      1. deep\n11. Two");
  });

  test("headings have number signs (rule 6)", () => {
    expect(toMarkdown([element("h1", "A ", { text: "b", bold: true })])).toBe("# A **b**");
    expect(toMarkdown([element("h6", "a\nb")])).toBe("###### a b");
    expect(toMarkdown([element("h2", "")])).toBe("##");
  });

  test("one final line break is removed (rule 7)", () => {
    expect(toMarkdown([p("A"), p("")])).toBe("A");
    expect(toMarkdown([p("A"), p(""), p("")])).toBe("A\n");
    expect(toMarkdown([])).toBe("");
  });

  test("headings, quotes, code, rules and lists of a value are printed as Markdown", () => {
    const value = "# T\n> q\n> - x\n\n```js\n`1`\n```\n---\n- a\n\n2. b";

    expect(markdownOf(value)).toBe("# T\n\n> q\n> * x\n\n```js\n`1`\n```\n\n***\n\n* a\n\n2. b");
  });

  test("blocks of code are fenced by more backticks than the code contains", () => {
    expect(toMarkdown([element("code_block", "a\n```\nb")])).toBe("````\na\n```\nb\n````");
  });
});

describe("values", () => {
  test("hard breaks are a backslash and a line break (rule 8)", () => {
    expect(markdownOf("a  \nb")).toBe("a\\\nb");
    expect(markdownOf("a\nb")).toBe("a\nb");
  });

  test("a plain text value that is a whole list item is not printed (rule 8)", () => {
    const nodes = [element("ol", li("{{V}}"), li("{{L}}", element("ul", li("sub"))), li("{{Nobody}}"), li("V: {{V}}"))];
    const rendered = renderRichText(nodes, templatingWith({ V: "v", L: "- x" }));

    expect(toMarkdown(rendered)).toBe("1.\n2. * x\n\n   - sub\n3.\n4. V: v");
  });

  test("a marked value is printed if it is the whole item", () => {
    const nodes = [element("ul", element("li", element("lic", { text: "{{V}}", bold: true })))];

    expect(toMarkdown(renderRichText(nodes, templatingWith({ V: "v" })))).toBe("* **v**");
  });

  test("text next to a value continues on the line of the value's paragraph", () => {
    const nodes = [p("{{Name}}", { text: ", welcome", bold: true }), p({ text: "List:", bold: true }, "{{L}}")];

    expect(toMarkdown(renderRichText(nodes, templatingWith({ Name: "John", L: "- a\n- b" })))).toBe(
      "John**, welcome**\n**List:**\n* a\n* b",
    );
    expect(toMarkdown(renderRichText([p("{{V}}", { text: "!", bold: true })], templatingWith({ V: "a\n\nb" })))).toBe(
      "a\n\nb**!**",
    );
  });

  test("a marked value between paragraphs is a separate line", () => {
    const nodes = [p("a"), p({ text: "{{V}}", bold: true }), p("b")];

    expect(toMarkdown(renderRichText(nodes, templatingWith({ V: "v" })))).toBe("a\n**v**\nb");
  });
});

describe("nodes from other editors", () => {
  test("unknown elements are printed as their content", () => {
    const table = element("table", element("tr", element("td", "a"), element("td", p("b"))), element("tr"));

    expect(toMarkdown([p("Hi ", element("mention", "@bob"), "!"), table])).toBe("Hi @bob!\na\nb");
  });

  test("text outside a block is printed as a line", () => {
    expect(toMarkdown([{ text: "a" }, { text: "b", bold: true }, p("c"), element("ul", { text: "d" }, p("e"))])).toBe(
      "a**b**\nc\n* d\n* e",
    );
  });
});
