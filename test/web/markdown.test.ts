import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseMarkdown } from "../../src/core/interpreter/rich-text/markdown-value.ts";
import { isElement, type RichNode, type TextLeaf } from "../../src/core/interpreter/rich-text/nodes.ts";
import { parseValue } from "../../src/core/interpreter/rich-text/parse-value.ts";
import { createMarkdown } from "../../src/web/conversation/markdown/markdown.ts";

/** The page's drawing of an answer while it grows, beside the service's rendering of the whole one. */

/** The nodes of a text that nothing more comes to. */
const readWhole = (text: string) => joined(createMarkdown()(`${text}\n\n`));

/** Neighbours with the same marks look like one. */
function joined(nodes: readonly RichNode[]): RichNode[] {
  const all: RichNode[] = [];
  for (const node of nodes) {
    if (isElement(node)) {
      const { lang: _, ...element } = node;
      const children = joined(node.children);
      // Blank lines at the end of code that nothing closes.
      while (node.type === "code_block" && children.length > 1 && JSON.stringify(children.at(-1)).includes('"text":""'))
        children.pop();
      all.push({ ...element, type: node.type, children });
      continue;
    }
    const last = all.at(-1);
    if (last && !isElement(last) && marksOf(last) === marksOf(node)) last.text += node.text;
    else if (node.text !== "" || nodes.length === 1) all.push({ ...node });
  }
  return all;
}

function marksOf({ text: _, ...marks }: TextLeaf): string {
  return JSON.stringify(Object.entries(marks).sort());
}

const answers = [
  "Plain words.\nIn two lines.",
  'Here are **three things**, *all* of them `good`:\n\n1. **First**: a thing\n2. Second, with a [link](https://example.com/a?b=c "T")\n3. Third\n\nThat is ***all***.',
  "- a\n- b\n  - c\n    - d\n  - e\n\n- f\n\nend",
  "* a\n* b\n\n  more of b\n\n      and more\n* c",
  "1. one\n   - inner\n2. two\n\n   ```js\n   if (a) {\n     b();\n   }\n   ```\n3. three",
  "# Head\n## Second *head* ##\ntext\n### Third\n\n---\n\nAfter\n***\nLast",
  "Title\n=====\n\nOther\n---\ntext",
  "> quoted **words**\n> go on\nlazily\n>\n> - item\n> - other\n\nafter",
  "```python\ndef f(x):\n\treturn x * 2  # *no* _marks_\n\n\nprint(f(2))\n```\nDone",
  "~~~\n```\n~~~\n`` a`b `` and ` `` ` and `x`",
  "snake_case_name, 2 * 3 * 4, 5*6*7, a **b**c, **a*b*c**, _under_ __strong__ _a **b** c_",
  "\\*not\\* \\_this\\_ \\[no\\](x) &amp; &lt;b&gt; &#x41; <b>html</b> <https://example.com>",
  "hard  \nbreak\\\nand soft\nbreak",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "[a [b](https://x.org) c](https://y.org) [ref][1] [x] [y]() [z](<a b>) [w](a(b)c)",
  "1986. A year\n2. no list here\n\n2. a list\n3. goes on",
  "- [ ] to do\n- [x] done\n+ other list\n+ goes on\n1) a\n2) b",
  "First\n\n\n\nafter three blank lines",
  "**Bold heading**\nText:\n- item **one**\n- item\nlazy line\n\n  second paragraph\n\nEnd.",
  "## Über `code`\n\n**Größe**: 5 × 3 — 😀 _ok_",
  "- \n- a\n-\n  b\n- # head\n- > quote\n- ---\n- - nested",
  "a\n# not *open\nb* c **d",
  "** not bold ** and * not italic * and **bold **text",
  "*a **b* c** ***x* y** **x *y***",
];

test("an answer reads while it grows as it reads when it is whole", () => {
  for (const answer of answers)
    expect({ answer, nodes: readWhole(answer) }).toEqual({ answer, nodes: joined(parseValue(answer)) });
});

test("piece by piece comes to the same, and what is above the last block stays as it is", () => {
  for (const answer of answers) {
    const read = createMarkdown();
    const whole = readWhole(answer);
    for (let length = 1; length <= answer.length; length++) {
      const shown = joined(read(answer.slice(0, length)));
      expect(shown.slice(0, -2)).toEqual(whole.slice(0, Math.max(0, shown.length - 2)));
    }
    expect(joined(read(`${answer}\n\n`))).toEqual(whole);
  }
});

const pieces = fc.constantFrom(
  ...[
    "a",
    "b c",
    "é",
    ".",
    "**",
    "*",
    "_",
    "__",
    "`",
    "``",
    "\n",
    "\n\n",
    "  \n",
    "\\",
    "&amp;",
    "[",
    "]",
    "(",
    ")",
    "😀",
    " ",
  ],
  ...[
    "](https://e.com)",
    "\n- a",
    "\n  - b",
    "\n1. c",
    "\n2) d",
    "\n> e",
    "\n# f",
    "\n---\n",
    "\n```\ng\n```\n",
    "\n   h",
  ],
);

test("whatever a model writes is read as the service reads it", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join("")),
      (text) => {
        const whole = joined(parseMarkdown(text) ?? []).filter((node) => !isEmptyParagraph(node));
        expect(readWhole(text).filter((node) => !isEmptyParagraph(node))).toEqual(whole);
      },
    ),
    { numRuns: 1_500 },
  );
});

function isEmptyParagraph(node: RichNode): boolean {
  return isElement(node) && node.type === "p" && node.children.every((child) => !isElement(child) && child.text === "");
}

describe("while it grows", () => {
  const shownOf = (text: string) => joined(createMarkdown()(text));
  const p = (...children: RichNode[]) => ({ type: "p", children });

  test("marks hold to the end, half a link is its words, and half a mark is nothing yet", () => {
    expect(shownOf("It is **ver")).toEqual([p({ text: "It is " }, { text: "ver", bold: true })]);
    expect(shownOf("It is **very*")).toEqual([p({ text: "It is " }, { text: "very", bold: true })]);
    expect(shownOf("Call `f(")).toEqual([p({ text: "Call " }, { text: "f(", code: true })]);
    expect(shownOf("See [the pa")).toEqual([p({ text: "See the pa" })]);
    expect(shownOf("See [the page](https://exam")).toEqual([p({ text: "See the page" })]);
    expect(shownOf("Words\n-")).toEqual([p({ text: "Words" })]);
    expect(shownOf("Words\n\n1.")).toEqual([p({ text: "Words" })]);
    expect(shownOf("```js\nlet a")).toEqual([
      { type: "code_block", children: [{ type: "code_line", children: [{ text: "let a" }] }] },
    ]);
  });

  test("a text that begins anew is read anew", () => {
    const read = createMarkdown();
    read("# One\n\ntwo\n\nthree");

    expect(joined(read("Other"))).toEqual([p({ text: "Other" })]);
  });
});

test.each([
  ["*a ", 800],
  ["[a](b", 400],
  ["> a\nb\n", 2_000],
  ["- ", 5_000],
  [">", 20_000],
  ["`a``b```c", 700],
  ["a* ", 790],
  ["\n\n", 30_000],
])("%p, again and again, is read in no time", (part, times) => {
  const text = part.repeat(times);
  const read = createMarkdown();
  for (let length = 1; length <= 20; length++) read(text.slice(0, (text.length * length) / 20));

  expect(joined(read(text)).length).toBeGreaterThan(0);
});
