import { describe, expect, test } from "bun:test";
import { nodesFromPlainText, toPlainText } from "../../../../src/core/interpreter/rich-text/plain-text.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { limits } from "../../../../src/limits/index.ts";
import { element, li, p, templatingWith } from "./rich-text-helpers.ts";

describe("the plain text of a bubble", () => {
  test("the plain text of a bubble has its paragraphs on separate lines", () => {
    expect(toPlainText([p("Hi ", { text: "you", bold: true }), p(""), element("h1", "T"), { text: "x" }])).toBe(
      "Hi you\n\nT\nx",
    );
    expect(toPlainText([])).toBe("");
  });

  test("the plain text of a bubble shows lists, code, quotes and rules", () => {
    const value = "1. a\n   - b\n2. c\n\n> q\n\n```\nx\ny\n```\n---";

    expect(toPlainText(renderRichText([p("{{V}}")], templatingWith({ V: value })))).toBe(
      "1. a\n   - b\n2. c\n\nq\n\nx\ny\n---",
    );
    expect(toPlainText([element("ul", li("x\ny"), li(""))])).toBe("- x\n  y\n-");
  });

  test("the plain text of a bubble includes the addresses of links", () => {
    const links = [
      { ...element("a", "here"), url: "https://e.com" },
      { ...element("a", "https://e.com"), url: "https://e.com" },
      { ...element("a", "a@e.com"), url: "mailto:a@e.com" },
      { ...element("a", "+33123"), url: "sms:+33123" },
      { ...element("a", ""), url: "https://e.com" },
      element("a", "nowhere"),
      { ...element("img", "picture"), url: "https://e.com/i" },
    ];

    expect(links.map((link) => toPlainText([p(link)]))).toEqual([
      "here (https://e.com)",
      "https://e.com",
      "a@e.com",
      "+33123",
      "https://e.com",
      "nowhere",
      "picture (https://e.com/i)",
    ]);
  });
});

describe("nodes of a plain text", () => {
  test("a plain text becomes one paragraph per line", () => {
    expect(nodesFromPlainText("Hi {{Name}}\r\n\r\n  b \rc\n")).toEqual([p("Hi {{Name}}"), p(""), p("  b "), p("c")]);
  });

  test("an empty plain text has no nodes", () => {
    expect(nodesFromPlainText("")).toEqual([]);
  });

  test("lines of a plain text beyond the limit are joined into the last paragraph", () => {
    const nodes = nodesFromPlainText("a\n".repeat(limits.richText.plainLines + 2));

    expect(nodes).toHaveLength(limits.richText.plainLines);
    expect(nodes.at(-1)).toEqual(p("a\na\na"));
  });
});
