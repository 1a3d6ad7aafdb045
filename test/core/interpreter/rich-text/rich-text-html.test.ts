import { describe, expect, test } from "bun:test";
import { toHtml } from "../../../../src/core/interpreter/rich-text/html.ts";
import { renderRichText } from "../../../../src/core/interpreter/rich-text/render.ts";
import { element, li, p, templatingWith } from "./rich-text-helpers.ts";

describe("blocks", () => {
  test("blocks of a rich text are rendered with semantic HTML tags", () => {
    const value = "# T\n> q\n\n```\na < b\n```\n---\n1. a\n   - b\n2. c\n\n`x`";

    expect(toHtml(renderRichText([p("{{V}}")], templatingWith({ V: value })))).toBe(
      "<h1>T</h1><blockquote><p>q</p></blockquote><p><br></p><pre><code>a &lt; b</code></pre><hr>" +
        "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol><p><br></p><p><code>x</code></p>",
    );
  });

  test("empty paragraphs keep their line, and line breaks become break tags", () => {
    expect(toHtml([p("a\nb"), p(""), p("c", { text: "\n" }, "d")])).toBe("<p>a<br>b</p><p><br></p><p>c<br>d</p>");
  });

  test("a numbered list starts at its configured number", () => {
    expect(toHtml([{ ...element("ol", li("x")), start: 3 }])).toBe('<ol start="3"><li>x</li></ol>');
    expect(toHtml([{ ...element("ol", li("x")), start: '"><script>' }])).toBe("<ol><li>x</li></ol>");
  });

  test("a list item that is one reference shows the reference's value", () => {
    const rendered = renderRichText([element("ul", li("{{V}}"))], templatingWith({ V: "v" }));

    expect(toHtml(rendered)).toBe("<ul><li>v</li></ul>");
  });
});

describe("text", () => {
  test("text is escaped and formatted", () => {
    const leaf = { text: "<b>&\"'", bold: true as const, italic: true as const, underline: true as const };

    expect(toHtml([p(leaf)])).toBe("<p><u><em><strong>&lt;b&gt;&amp;&quot;&#39;</strong></em></u></p>");
  });

  test("text of unknown elements is shown in a paragraph", () => {
    expect(toHtml([element("script", "alert(1)"), element("img onerror=x", "y")])).toBe("<p>alert(1)</p><p>y</p>");
  });
});

describe("links", () => {
  test.each(["http://e.com", "HTTPS://e.com/?a=1&b=2", "mailto:a@e.com", "tel:+33", " https://e.com\n"])(
    "links to %p open a new tab",
    (url) => {
      expect(toHtml([p({ ...element("a", "x"), url })])).toBe(
        `<p><a href="${url.trim().replace("&", "&amp;")}" target="_blank" rel="noopener noreferrer">x</a></p>`,
      );
    },
  );

  test.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "JAVASCRIPT:alert(1)//https://e.com",
    "javascript:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "//e.com",
    "/path",
    "#top",
    "",
  ])("links to %p are text", (url) => {
    expect(toHtml([p({ ...element("a", "x"), url })])).toBe("<p>x</p>");
  });

  test("a link's address cannot break out of its attribute", () => {
    const html = toHtml([p({ ...element("a", "x"), url: 'https://e.com/" onclick="alert(1)' })]);

    expect(html).toBe(
      '<p><a href="https://e.com/&quot; onclick=&quot;alert(1)" target="_blank" rel="noopener noreferrer">x</a></p>',
    );
  });

  test("links without text show their address, and images become links", () => {
    const image = { ...element("img", "alt"), url: "https://e.com/i.png" };

    expect(toHtml([p({ ...element("a", ""), url: "javascript:x<y" }, image)])).toBe(
      '<p>javascript:x&lt;y<a href="https://e.com/i.png" target="_blank" rel="noopener noreferrer">alt</a></p>',
    );
  });

  test("links inside links are text", () => {
    const inner = { ...element("a", "x"), url: "https://inner.com" };

    expect(toHtml([p({ ...element("a", inner, "y"), url: "https://e.com" })])).toBe(
      '<p><a href="https://e.com" target="_blank" rel="noopener noreferrer">xy</a></p>',
    );
  });
});

test("an empty text has no HTML", () => {
  expect(toHtml([])).toBe("");
});
