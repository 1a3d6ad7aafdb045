import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { textOfHtml } from "../../../../src/core/interpreter/rich-text/text-of-html.ts";

describe("the text of stored HTML", () => {
  test.each([
    ["<div>Hi <strong>{{Name}}</strong>!</div><div><br></div><div>How are you?</div>", "Hi {{Name}}!\n\nHow are you?"],
    ['<div><a href="https://e.com?a=b>c" title=\'">\'>link</a></div>', "link"],
    ["a<br>b<BR/>c", "a\nb\nc"],
    ["<p>a</p>b<ul><li>c</li><li><p>d</p></li></ul>", "a\nb\nc\nd"],
    ["<div>a<br></div><div></div><div>b</div>", "a\nb"],
    ["  a\n  b\t<b> c</b>  ", "a b c"],
    ["plain", "plain"],
    ["", ""],
  ])("the text of the stored HTML %j is %j", (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  test.each([
    ["&lt;b&gt; &amp;amp; &quot;&#39;&#x27;&eacute;&nbsp;x", "<b> &amp; \"''é\u00a0x"],
    ["&bogus; &copy &; &#; &#0; &#xD800; &#1114112;", "&bogus; &copy &; &#; \ufffd \ufffd \ufffd"],
    ["&constructor; &__proto__; &toString;", "&constructor; &__proto__; &toString;"],
  ])("the text of stored HTML resolves the references of %j", (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  test.each([
    ["a<!-- <b>x</b> > -->b<!doctype html>c<?x?>d", "abcd"],
    ["a<script>if (1 < 2) '</div>'</script >b<STYLE>p{}</style>c", "abc"],
    ["a<script>never closed", "a"],
    ["a<!-- never closed", "a"],
  ])("the text of stored HTML omits comments, declarations, scripts and styles: %j", (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });

  test.each(["1 < 2 > 0", "<3", "a <", "a <b", 'a <b title="x', "< b>", "</>"])(
    "the text of stored HTML keeps %j, which is not a tag",
    (html) => {
      expect(textOfHtml(html)).toBe(html);
    },
  );

  test("text can be read from HTML of random tags, quotes and references", () => {
    const parts = fc.constantFrom(
      "<",
      ">",
      "<b",
      "<div>",
      "</",
      "<!--",
      "-->",
      '"',
      "'",
      "&",
      "&amp;",
      "<script>",
      " ",
      "a",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(parts), (pieces) => {
        expect(typeof textOfHtml(pieces.join(""))).toBe("string");
      }),
    );
  });

  test.each(["<", "<a ", "<!--", "<script>", "</script", "&", "<a '", "<br>", "&#"])(
    "the text of stored HTML can be read from a million repetitions of %j",
    (part) => {
      expect(textOfHtml(part.repeat(1_000_000)).length).toBeLessThanOrEqual(part.length * 1_000_000);
    },
  );
});
