/** @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isElement, type RichElement, type RichNode } from "../../../core/interpreter/rich-text/nodes.ts";
import { safeLink } from "../../conversation/links.ts";
import { textClass } from "../../conversation/rich-text.ts";
import { type Source, withReferences } from "../../conversation/sources.ts";
import type { Words } from "../../conversation/words.ts";
import { adoptStyle } from "../adopt-style.ts";
import { RichText } from "../RichText.tsx";
import { BubbleGround } from "./BubbleGround.tsx";
import { Code } from "./Code.tsx";
import { Footnotes, NoteMark } from "./notes.tsx";
import css from "./rich.css" with { type: "text" };
import { Scroller } from "./Scroller.tsx";
import { SourceMark, Sources } from "./sources.tsx";

export const richCss = css;

/** A bubble of rich text with rare elements: tables, code, formulas, tasks, footnotes, rules, pictures and sources. */
export function RichBubble(props: {
  readonly nodes: readonly RichNode[];
  readonly words: Words;
  readonly sources?: readonly Source[];
  readonly isGrowing?: boolean;
  /** Whether screen readers ignore this bubble. By default, they ignore only a growing bubble. */
  readonly isQuiet?: boolean;
}) {
  const { nodes, words, sources = [], isGrowing = false, isQuiet = isGrowing } = props;
  const bubble = useRef<HTMLDivElement>(null);
  const place = useId();
  useLayoutEffect(() => adoptStyle(bubble.current, css), []);
  const part = (node: RichNode): ComponentChildren => (isElement(node) ? element(node) : leaf(node));
  const inside = (children: readonly RichNode[]) => <RichText nodes={children} part={part} />;
  const leaf = (node: RichNode) =>
    !isElement(node) && node.math === true ? <Formula tex={node.text} isBlock={false} /> : undefined;
  const element = (node: RichElement): ComponentChildren => {
    switch (node.type) {
      case "table":
        return <Table node={node} label={words.table} inside={inside} />;
      case "code_block":
        return <Code node={node} words={words} />;
      case "math":
        return <Formula tex={firstText(node)} isBlock={true} />;
      case "hr":
        return <hr class="rich-rule" />;
      case "img":
        return <Picture node={node} word={words.picture} />;
      case "li":
        return typeof node["checked"] === "boolean" ? (
          <li class="rich-task">
            <span class="rich-box" role="img" aria-label={node["checked"] ? words.taskDone : words.taskOpen}>
              {node["checked"] ? "☑" : "☐"}
            </span>
            <div>{inside(node.children)}</div>
          </li>
        ) : undefined;
      case "footnote_reference":
        return <NoteMark node={node} place={place} />;
      case "source_reference":
        return <SourceMark node={node} place={place} sources={sources} />;
      case "footnotes":
        return <Footnotes node={node} place={place} label={words.footnotes} inside={inside} />;
      default:
        return undefined;
    }
  };
  return (
    <div
      ref={bubble}
      class={`${textClass(nodes)}${isGrowing ? " is-growing" : ""}`}
      dir="auto"
      aria-busy={isGrowing || undefined}
      aria-live={isQuiet ? "off" : undefined}
    >
      <BubbleGround />
      {inside(sources.length > 0 ? withReferences(nodes, sources) : nodes)}
      {sources.length > 0 && <Sources sources={sources} place={place} words={words} />}
    </div>
  );
}

type Inside = (children: readonly RichNode[]) => ComponentChildren;

/** A table. Its first rows with header cells are its head, which screen readers repeat with each cell. */
function Table({
  node,
  label,
  inside,
}: {
  readonly node: RichElement;
  readonly label: string;
  readonly inside: Inside;
}) {
  const rows = node.children.filter(isElement);
  const isHead = (row: RichElement) => row.children.some((cell) => isElement(cell) && cell.type === "th");
  const begin = rows.findIndex((row) => !isHead(row));
  const head = begin < 0 ? rows : rows.slice(0, begin);
  const draw = (row: RichElement, index: number) => (
    <tr key={index}>
      {row.children.filter(isElement).map((cell, column) =>
        cell.type === "th" ? (
          <th key={column} scope="col" class={alignOf(cell)} dir="auto">
            {inside(cell.children)}
          </th>
        ) : (
          <td key={column} class={alignOf(cell)} dir="auto">
            {inside(cell.children)}
          </td>
        ),
      )}
    </tr>
  );
  return (
    <Scroller class="rich-table" label={label}>
      <table>
        <thead>{head.map(draw)}</thead>
        {begin >= 0 && <tbody>{rows.slice(begin).map(draw)}</tbody>}
      </table>
    </Scroller>
  );
}

function alignOf({ align }: RichElement): string | undefined {
  return align === "center" || align === "right" ? `is-${align}` : undefined;
}

/**
 * A picture, which is shown as a link. Otherwise, the browser would load it from a server that the visitor did not
 * choose.
 */
function Picture({ node, word }: { readonly node: RichElement; readonly word: string }) {
  const href = safeLink(node.url);
  const text = firstText(node) || word;
  if (href === undefined) return <span>{text}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function firstText({ children: [first] }: RichElement): string {
  return first && !isElement(first) ? first.text : "";
}

/** @jsxImportSource preact */

/** A formula. Its source is shown until the library that draws it is loaded, and if drawing fails. */
function Formula({ tex, isBlock }: { readonly tex: string; readonly isBlock: boolean }) {
  const drawing = useRef<HTMLSpanElement>(null);
  const [drawn, setDrawn] = useState("");
  useEffect(() => {
    let isOver = false;
    // A growing formula is drawn once it stops changing.
    const timer = setTimeout(async () => {
      const { drawFormula } = await import("./draw-formula.ts");
      if (isOver || !drawing.current) return;
      setDrawn(drawFormula(tex, drawing.current, isBlock) ? tex : "");
    }, 60);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [tex, isBlock]);
  const isDrawn = drawn === tex && tex !== "";
  return (
    <span class={isBlock ? "rich-math is-block" : "rich-math"} dir="ltr">
      <code hidden={isDrawn}>{tex}</code>
      <span ref={drawing} hidden={!isDrawn} />
    </span>
  );
}
