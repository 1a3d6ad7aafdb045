import { expect, test } from "bun:test";
import { linkText, type MarkedText, markedText, spanned } from "../../../src/core/channels/marked-text.ts";
import type { RichNode } from "../../../src/core/interpreter/rich-text/nodes.ts";

const p = (...children: RichNode[]): RichNode => ({ type: "p", children });
const t = (text: string, ...marks: string[]): RichNode =>
  Object.assign({ text }, Object.fromEntries(marks.map((mark) => [mark, true])));
const link = (url: string, ...children: RichNode[]): RichNode => ({ type: "a", url, children });
const list = (type: "ul" | "ol", ...items: RichNode[][]): RichNode => ({
  type,
  children: items.map((children) => ({ type: "li", children })),
});
const lic = (...children: RichNode[]): RichNode => ({ type: "lic", children });

/** Formats each span as `kind from+length`, with its additional fields. */
const parts = ({ spans }: MarkedText) =>
  spans.map(({ kind, from, length, url = "", language = "" }) => `${kind} ${from}+${length} ${url}${language}`.trim());

test.each<[string, readonly RichNode[], string, readonly string[]]>([
  ["a bold word", [p(t("Hi "), t("you", "bold"), t("!"))], "Hi you!", ["bold 3+3"]],
  ["bold spaces around a word", [p(t("x"), t(" you ", "bold"))], "x you", ["bold 2+3"]],
  ["bold over two lines", [p(t("a\nb", "bold"))], "a\nb", ["bold 0+3"]],
  ["a bold part of a word", [p(t("un"), t("bold", "bold"), t("ed"))], "unbolded", ["bold 2+4"]],
  ["characters of Markdown", [p(t("2*3", "bold"))], "2*3", ["bold 0+3"]],
  ["bold and italic", [p(t("x", "bold", "italic"))], "x", ["italic 0+1", "bold 0+1"]],
  [
    "underlined and struck-through text",
    [p(t("x", "underline"), t("y", "strikethrough"))],
    "xy",
    ["underline 0+1", "strikethrough 1+1"],
  ],
  ["bold code", [p(t("a`b", "code", "bold"))], "a`b", ["code 0+3"]],
  ["a formula", [p(t("x^2", "math"))], "x^2", ["code 0+3"]],
  ["two adjacent bold leaves", [p(t("a", "bold"), t("b", "bold", "italic"))], "ab", ["bold 0+2", "italic 1+1"]],
  ["an emoji of several units", [p(t("👍🏽", "bold"))], "👍🏽", ["bold 0+4"]],
  ["a link", [p(link("https://e.org", t("site")))], "site", ["link 0+4 https://e.org"]],
  ["a link that is its own address", [p(link("https://e.org", t("https://e.org")))], "https://e.org", []],
  ["a link to an e-mail address", [p(link("mailto:a@e.org", t("Write")))], "Write (a@e.org)", []],
  ["an e-mail address that is its own link", [p(link("mailto:a@e.org", t("a@e.org")))], "a@e.org", []],
  ["a phone number that is its own SMS link", [p(link("sms:+33123", t("+33123")))], "+33123", []],
  ["a link that runs code", [p(link("javascript:alert(1)", t("Press")))], "Press", []],
  ["a list", [list("ul", [lic(t("a"))], [lic(t("b", "bold"))])], "- a\n- b", ["bold 6+1"]],
  ["a numbered list", [list("ol", [lic(t("a"))], [lic(t("b"))])], "1. a\n2. b", []],
  ["a list in a list", [list("ul", [lic(t("a")), list("ul", [lic(t("b", "bold"))])])], "- a\n  - b", ["bold 8+1"]],
  ["a quote of two lines", [{ type: "blockquote", children: [p(t("x")), p(t("y"))] }], "x\ny", ["quote 0+3"]],
  ["a heading", [{ type: "h2", children: [t("Title")] }, p(t("x"))], "Title\nx", ["bold 0+5"]],
  [
    "code with a language",
    [{ type: "code_block", lang: "sql", children: [{ type: "code_line", children: [t("select 1")] }] }],
    "select 1",
    ["pre 0+8 sql"],
  ],
  ["an empty line between two lines", [p(t("a")), p(t("")), p(t("b"))], "a\n\nb", []],
  ["empty lines around a text", [p(t("")), p(t("a")), p(t(" "))], "a", []],
  ["only empty lines", [p(t("")), p(t("  ", "bold"))], "", []],
])("rich text is converted to text with formatting ranges: %s", (_, nodes, text, expected) => {
  const marked = markedText(nodes);

  expect(marked.text).toBe(text);
  expect(parts(marked).toSorted()).toEqual([...expected].toSorted());
});

test("a table is rendered with one line per row", () => {
  const cell = (type: string, text: string): RichNode => ({ type, children: [t(text)] });
  const table: RichNode = {
    type: "table",
    children: [
      { type: "tr", children: [cell("th", "Tea"), cell("th", "Price")] },
      { type: "tr", children: [cell("td", "Green"), cell("td", "3")] },
    ],
  };

  expect(markedText([table]).text).toBe("Tea · Price\nGreen · 3");
});

test("a link without a label shows its address", () => {
  expect(spanned("bold", "  ").spans).toEqual([]);
  expect(linkText("", "https://e.org")).toEqual({ text: "https://e.org", spans: [] });
});
