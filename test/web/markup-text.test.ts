import { expect, test } from "bun:test";
import fc from "fast-check";
import { markupWithText, textOfMarkup } from "../../src/web/conversation/markup-text.ts";

const stored = "<strong>Click to upload</strong> or drag and drop<br>(size limit: 10MB)";

test("HTML is parsed to its text, and an edited text keeps its tags", () => {
  expect(textOfMarkup(stored)).toBe("Click to upload or drag and drop\n(size limit: 10MB)");
  const written = (text: string) => markupWithText(stored, text);
  expect(written("Click to send or drag and drop\n(size limit: 10MB)")).toBe(
    "<strong>Click to send</strong> or drag and drop<br>(size limit: 10MB)",
  );
  expect(written("Click to upload or drag & drop\n(size limit: 10MB)")).toContain("</strong> or drag &amp; drop<br>");
  expect(written("Click to upload or drag and drop\n\n(size limit: 10MB)")).toContain("drop<br><br>(size");
  expect(markupWithText("", "a < b")).toBe("a &lt; b");
  expect(textOfMarkup(" <p> One  two </p> <p>&lt;b&gt;&nbsp;x</p> ")).toBe("One two\n<b> x");
});

test("a text that is written and parsed again stays unchanged", () => {
  const part = fc.constantFrom("<b>", "</b>", "<br>", "&amp;", "a", "bc", " ", "&", "<", "é", "😀", "\n");
  const html = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  const text = fc
    .array(fc.constantFrom("a", "bc", " d", "\ne", "<", "&", "😀", "{{Name}}"), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join("").trim());
  fc.assert(
    fc.property(html, text, (before, after) => {
      // A text in stored HTML that looks like the beginning of a tag would become a tag together with the following
      // text.
      fc.pre(!before.replaceAll(/<[^<>]*>/g, "").includes("<"));
      expect(textOfMarkup(markupWithText(before, after))).toBe(after);
    }),
  );
});
