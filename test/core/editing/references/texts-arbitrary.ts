import type { Content, LineEnd, Looks, Segment } from "../../../../src/core/editing/text/content.ts";
import { joined, lengthOf } from "../../../../src/core/editing/text/content.ts";
import { opsBuilder, type TextKind, type TextOp } from "../../../../src/core/editing/text/ops.ts";
import type { Dice } from "../dice.ts";

const letters = ["a", "b", "Hello", " ", "  ", "\n", "🙂", "🙃", "é", "👩‍👧", "{{Name}}", "\u2029"];
const marks = [{ bold: true }, { italic: true }, { bold: true, color: "red" }, undefined, undefined];
const links = [{ url: "https://a.example" }, { url: "https://b.example", target: "_blank" }, undefined, undefined];
const nodes = [{ type: "inline-variable", children: [{ text: "x" }] }, 7, null, { type: "image", url: "a" }, "text"];
const list = [{ type: "ul" }, { type: "li" }];
const lines: readonly LineEnd[] = [
  {},
  {},
  { of: { type: "h1", align: "center" } },
  { of: { type: "lic" }, in: list },
  { of: { type: "lic" }, in: list },
  { of: { type: "lic" }, in: [...list, { type: "ol", start: 3 }, { type: "li" }] },
  { of: { type: "p" }, in: list, joins: 2 },
  { of: { type: "lic" }, in: list, joins: 0 },
  { of: { type: "code", language: "ts" }, in: [{ type: "blockquote" }] },
  { isPadded: true },
  { isNode: true },
  { isNone: true },
];

export function randomLetters(dice: Dice): string {
  return Array.from({ length: 1 + dice.below(3) }, () => dice.pick(letters) ?? "a").join("");
}

function randomSegment(dice: Dice): Segment {
  if (dice.oneIn(5)) return { line: dice.pick(lines) ?? {} };
  if (dice.oneIn(6)) return { node: dice.pick(nodes) };
  const [mark, link] = [dice.pick(marks), dice.pick(links)];
  return { text: randomLetters(dice), ...(mark && { marks: mark }), ...(link && { link }) };
}

export function randomContent(dice: Dice, kind: TextKind, most = 6): Content {
  const count = dice.below(most);
  if (kind === "plain") return Array.from({ length: count }, () => randomLetters(dice)).join("");
  return joined([Array.from({ length: count }, () => randomSegment(dice))], "rich");
}

/** Returns a complete text. A rich text ends with a line. */
export function randomText(dice: Dice, kind: TextKind): Content {
  const content = randomContent(dice, kind);
  return typeof content === "string" ? content : joined([content, [{ line: dice.pick(lines) ?? {} }]], "rich");
}

/** Returns an edit of a text that splits no surrogate pair, and preserves the end of a rich text. */
export function randomOps(dice: Dice, content: Content): readonly TextOp[] {
  const kind = typeof content === "string" ? "plain" : "rich";
  const ops = opsBuilder();
  const bounds = boundsOf(content);
  const end = kind === "rich" ? 1 : 0;
  let at = 0;
  const step = (): number => {
    const next = bounds.find((bound) => bound >= at + 1 + dice.below(4)) ?? lengthOf(content);
    return Math.min(next, lengthOf(content) - end) - at;
  };
  while (at < lengthOf(content) - end) {
    if (dice.oneIn(4)) ops.put(randomContent(dice, kind, 3));
    const count = step();
    if (dice.oneIn(3)) ops.drop(count);
    else if (kind === "rich" && dice.oneIn(4)) ops.mark(count, randomLooks(dice));
    else ops.keep(count);
    at += count;
  }
  if (dice.oneIn(3)) ops.put(randomContent(dice, kind, 3));
  if (end > 0) ops.look(end, dice.oneIn(4) ? { line: dice.pick(lines) ?? {} } : undefined);
  return ops.ops;
}

function randomLooks(dice: Dice): Looks {
  return (
    dice.pick<Looks>([
      { marks: { bold: true } },
      { marks: { bold: null } },
      { marks: { color: "blue", italic: null } },
      { link: { url: "https://c.example" } },
      { link: null, marks: { bold: true } },
      { line: { of: { type: "h2" } } },
      { line: { of: { type: "lic" }, in: list } },
    ]) ?? {}
  );
}

/** Returns the positions at which a content may be cut. */
function boundsOf(content: Content): readonly number[] {
  const bounds: number[] = [];
  let at = 0;
  for (const segment of typeof content === "string" ? [{ text: content }] : content) {
    for (const unit of "text" in segment ? segment.text : ["."]) {
      bounds.push(at);
      at += unit.length;
    }
  }
  return [...bounds, at];
}
