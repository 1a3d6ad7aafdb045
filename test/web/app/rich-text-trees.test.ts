import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Node } from "prosemirror-model";
import { type Command, EditorState, TextSelection } from "prosemirror-state";
import { lengthOf } from "../../../src/core/editing/text/content.ts";
import { unitsOf } from "../../../src/core/editing/text/units.ts";
import { valueAt } from "../../../src/core/interpreter/flow.ts";
import { markNames } from "../../../src/core/interpreter/rich-text/marks.ts";
import { setLink, toggleFormat, toggleList } from "../../../src/web/app/text/editing.ts";
import { formats } from "../../../src/web/app/text/marks.ts";
import { readTree } from "../../../src/web/app/text/read-tree.ts";
import { hasUnitsOf, positionAt, unitAt } from "../../../src/web/app/text/units.ts";
import { writeTree } from "../../../src/web/app/text/write-tree.ts";
import { blocksOfFlow, storedFlowFiles } from "../../support/stored-flows.ts";

const line = (text: string) => ({ type: "p", children: [{ text }] });
const item = (text: string) => ({ type: "li", children: [{ type: "lic", children: [{ text }] }] });

describe("a stored text that is read and written", () => {
  test("every text of every stored flow is written unchanged", () => {
    let texts = 0;
    for (const { name, flow } of storedFlowFiles()) {
      for (const block of blocksOfFlow(flow)) {
        const tree: unknown = valueAt(block, "content", "richText");
        if (!Array.isArray(tree)) continue;
        texts += 1;
        expect(there(tree), name).toEqual(tree);
      }
    }
    expect(texts).toBeGreaterThan(20);
  });

  test("any tree with unknown nodes, marks and values is written unchanged", () => {
    fc.assert(
      fc.property(trees(), (tree) => {
        expect(there(tree)).toEqual(tree);
      }),
      { numRuns: 3_000 },
    );
  });

  test("a text without any content is written unchanged", () => {
    expect(there([])).toEqual([]);
    expect(there([line("")])).toEqual([line("")]);
    expect(there([null, 5, "words", [], {}])).toEqual([null, 5, "words", [], {}]);
  });

  test("all blocks except the edited block are written unchanged", () => {
    fc.assert(
      fc.property(trees(), trees(), (before, after) => {
        const tree = [...before, { ...line("here"), align: "center" }, ...after];
        const state = EditorState.create({ doc: readTree(tree) });
        const place = startOf(state.doc, before.length) + "here".length;
        const written = writeTree(state.tr.insertText("!", place).doc);
        expect(written).toEqual([...before, { ...line("here!"), align: "center" }, ...after]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("positions in an open text", () => {
  test("opening a text for editing keeps its positions in every stored flow", () => {
    let texts = 0;
    for (const { name, flow } of storedFlowFiles()) {
      for (const block of blocksOfFlow(flow)) {
        const tree: unknown = valueAt(block, "content", "richText");
        if (!Array.isArray(tree) || !unitsOf(tree)) continue;
        texts += 1;
        expect(hasUnitsOf(readTree(tree), tree), name).toBe(true);
      }
    }
    expect(texts).toBeGreaterThan(20);
  });

  test("positions in an open text have the order of the stored text's units", () => {
    fc.assert(
      fc.property(trees(), (tree) => {
        const units = unitsOf(tree);
        const doc = readTree(tree);
        fc.pre(units !== undefined && hasUnitsOf(doc, tree));
        const most = lengthOf(units) - 1;
        // An empty last line is a node for edits, and the caret is before this node.
        const isNode = "node" in (units.at(-2) ?? {});
        expect(unitAt(doc, doc.content.size)).toBeGreaterThanOrEqual(isNode ? most - 1 : most);
        expect(unitAt(doc, doc.content.size)).toBeLessThanOrEqual(most);
        let last = 0;
        for (let unit = 0; unit <= most; unit++) {
          const position = positionAt(doc, unit);
          expect(position).toBeGreaterThanOrEqual(last);
          expect(unitAt(doc, position)).toBeLessThanOrEqual(unit);
          last = position;
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("in an open text, a variable counts as its letters", () => {
    const unknown = { type: "mention", children: [] };
    const children = [{ text: "Hi {{Name}}, " }, unknown, { text: "you" }];
    const doc = readTree([
      { type: "p", children },
      { type: "ul", children: [item("One"), item("Two")] },
    ]);
    expect([3, 11, 13, 14, 17].map((unit) => positionAt(doc, unit))).toEqual([4, 5, 7, 8, 11]);
    // A position within a chip counts as the position before the chip.
    expect(positionAt(doc, 7)).toBe(4);
    for (const unit of [0, 3, 11, 13, 14, 17, 18, 20, 21, 22, 25])
      expect(unitAt(doc, positionAt(doc, unit))).toBe(unit);
    const twoBegins = positionAt(doc, 22);
    expect(doc.textBetween(twoBegins, twoBegins + 3)).toBe("Two");
    expect(positionAt(doc, 99)).toBe(positionAt(doc, 25));
  });
});

describe("a written text in its stored form", () => {
  test("an open text shows variables and inline code as separate nodes", () => {
    const tree = [{ type: "p", children: [{ text: "Hi {{Name}}, {{=1 + 1=}}\nwelcome", bold: true }, { text: "" }] }];
    const doc = readTree(tree);
    const [paragraph] = doc.children;
    expect(paragraph?.children.map((node) => node.type.name)).toEqual([
      "text",
      "chip",
      "text",
      "chip",
      "lineBreak",
      "text",
    ]);
    const state = EditorState.create({ doc });
    expect(writeTree(state.tr.insertText("!", doc.content.size - 1).doc)).toEqual([
      { type: "p", children: [{ text: "Hi {{Name}}, {{=1 + 1=}}\nwelcome!", bold: true }] },
    ]);
  });

  test("a written text is stored with its marks, links and lists", () => {
    const tree = [line("Hello there"), line("One"), line("Two")];
    expect(after(tree, { from: [0, 0], to: [0, 5] }, toggleFormat("bold"))).toEqual([
      { type: "p", children: [{ text: "Hello", bold: true }, { text: " there" }] },
      ...tree.slice(1),
    ]);
    expect(after(tree, { from: [0, 6], to: [0, 11] }, setLink("https://example.com/{{Page}}"))).toEqual([
      {
        type: "p",
        children: [
          { text: "Hello " },
          { type: "a", url: "https://example.com/{{Page}}", children: [{ text: "there" }] },
        ],
      },
      ...tree.slice(1),
    ]);
    const listed = [line("Hello there"), { type: "ul", children: [item("One"), item("Two")] }];
    expect(after(tree, { from: [1, 0], to: [2, 3] }, toggleList("ul"))).toEqual(listed);
    expect(after(listed, { from: [1, 2], to: [1, 2] }, toggleList("ul"))).toEqual([
      line("Hello there"),
      line("One"),
      { type: "ul", children: [item("Two")] },
    ]);
  });

  test("a written text is stored with each mark under its name", () => {
    for (const name of formats) {
      const marked = [{ type: "p", children: [{ text: "Hello", [name]: true }, { text: " there" }] }];
      const hello = { from: [0, 0], to: [0, 5] } as const;
      expect(after([line("Hello there")], hello, toggleFormat(name))).toEqual(marked);
      expect(after(marked, hello, toggleFormat(name))).toEqual([line("Hello there")]);
    }
  });

  test("setting a link changes the address of the link at the caret", () => {
    const link = { type: "a", url: "https://a.example", target: "_self", children: [{ text: "here" }] };
    const tree = [{ type: "p", children: [{ text: "See " }, link, { text: "." }] }];
    expect(after(tree, { from: [0, 6], to: [0, 6] }, setLink("https://b.example"))).toEqual([
      { type: "p", children: [{ text: "See " }, { ...link, url: "https://b.example" }, { text: "." }] },
    ]);
    expect(after(tree, { from: [0, 6], to: [0, 6] }, setLink(""))).toEqual([line("See here.")]);
  });

  test("a split block keeps its unknown properties only in its first half", () => {
    const tree = [{ ...line("onetwo"), id: "p1" }];
    const state = EditorState.create({ doc: readTree(tree) });
    expect(writeTree(state.tr.split(4).doc)).toEqual([{ ...line("one"), id: "p1" }, line("two")]);
  });
});

/** Converts a tree to a document and back. The document must be valid. */
function there(tree: readonly unknown[]): readonly unknown[] {
  const doc = readTree(tree);
  doc.check();
  return writeTree(doc);
}

type Place = readonly [block: number, offset: number];

function after(
  tree: readonly unknown[],
  { from, to }: { from: Place; to: Place },
  command: Command,
): readonly unknown[] {
  const first = EditorState.create({ doc: readTree(tree) });
  const at = ([block, offset]: Place) => startOf(first.doc, block) + offset;
  let state = first.apply(first.tr.setSelection(TextSelection.create(first.doc, at(from), at(to))));
  expect(command(state, (transaction) => (state = state.apply(transaction)))).toBe(true);
  state.doc.check();
  return writeTree(state.doc);
}

/** Returns the position at which a block's text begins. */
function startOf(doc: Node, index: number): number {
  return doc.children.slice(0, index).reduce((sum, child) => sum + child.nodeSize, 0) + 1;
}

function trees(): fc.Arbitrary<unknown[]> {
  const words = fc.oneof(
    fc.constantFrom(
      "",
      "Hello",
      "{{Name}}",
      "a {{Name}} b",
      "{{=1+1=}}",
      "line\nline",
      "{{",
      "}}",
      "{{=a",
      "{{a}}{{b}}",
      " ",
    ),
    fc.string(),
  );
  const flag = fc.constantFrom(undefined, true, true, false, "yes");
  const json = fc.jsonValue({ maxDepth: 2 });
  const leaf = fc
    .record({
      text: words,
      ...Object.fromEntries(markNames.map((name) => [name, flag])),
      color: fc.option(json),
    })
    .map((made) =>
      Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined && value !== null)),
    );
  const link = fc.record({ type: fc.constant("a"), url: words, children: fc.array(leaf, { maxLength: 3 }) });
  const inline = fc.array(fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 2, arbitrary: link }, json), {
    maxLength: 5,
  });
  const { block } = fc.letrec((tie) => ({
    block: fc.oneof(
      { maxDepth: 4 },
      fc.record({
        type: fc.constantFrom("p", "p", "h2", "lic", "callout"),
        children: inline,
        id: fc.option(words, { nil: undefined }),
      }),
      fc.record({
        type: fc.constantFrom("ul", "ol"),
        children: fc.array(fc.oneof({ weight: 6, arbitrary: tie("item") }, json), { maxLength: 3 }),
      }),
      leaf,
      json,
    ),
    item: fc.record({
      type: fc.constant("li"),
      children: fc
        .tuple(
          fc.record({ type: fc.constantFrom("lic", "lic", "p", "callout"), children: inline }),
          fc.array(tie("block"), { maxLength: 2 }),
        )
        .map(([first, below]) => [first, ...below]),
    }),
  }));
  return fc.array(block, { maxLength: 5 }).map((tree) => JSON.parse(JSON.stringify(tree)));
}
