/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { marks, marksOf } from "../../core/interpreter/rich-text/marks.ts";
import type { RichElement, RichNode, TextLeaf } from "../../core/interpreter/rich-text/nodes.ts";
import { safeLink } from "../conversation/links.ts";
import { hasChildren, nodesOf } from "../conversation/rich-text.ts";

type Part = (node: RichNode) => ComponentChildren;

/**
 * Renders rich text from its tree. No text of an author or a visitor is parsed as markup. `part` draws rare nodes, and
 * returns undefined for other nodes.
 */
export function RichText({ nodes, part }: { readonly nodes: readonly RichNode[]; readonly part?: Part }) {
  return (
    <>
      {nodes.map(
        (node, index) =>
          part?.(node) ??
          (hasChildren(node) ? <Element key={index} node={node} part={part} /> : <Leaf key={index} leaf={node} />),
      )}
    </>
  );
}

function Element({ node, part }: { readonly node: RichElement; readonly part: Part | undefined }) {
  const inside = <RichText nodes={nodesOf(node.children)} {...(part && { part })} />;
  const Tag = tags.get(node.type);
  if (Tag) return <Tag class={headingClass(node.type)}>{inside}</Tag>;
  if (node.type === "a") return <Link address={node.url}>{inside}</Link>;
  return <div class={isBlank(node) ? "rich-blank" : undefined}>{isBlank(node) ? <br /> : inside}</div>;
}

function headingClass(type: string): string | undefined {
  return type[0] === "h" ? `rich-heading rich-${type}` : undefined;
}

/** Headings are one level lower, because the page's title is its `h1`. */
const tags = new Map(
  Object.entries({
    h1: "h2",
    h2: "h3",
    h3: "h4",
    h4: "h5",
    h5: "h6",
    h6: "h6",
    ul: "ul",
    ol: "ol",
    li: "li",
    blockquote: "blockquote",
  } as const),
);

function Link({ address, children }: { readonly address: unknown; readonly children: ComponentChildren }) {
  const href = safeLink(address);
  if (href === undefined) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function Leaf({ leaf }: { readonly leaf: TextLeaf }) {
  const set = marksOf(leaf);
  const classes = set.filter((mark) => marks[mark].page === "class").map((mark) => `slate-${mark}`);
  const [Inner = "span", ...around] = set.flatMap((mark) => (marks[mark].page === "element" ? [marks[mark].html] : []));
  const inner = <Inner class={classes.join(" ") || undefined}>{leaf.text}</Inner>;
  return around.reduce((inside, Tag) => <Tag>{inside}</Tag>, inner);
}

function isBlank({ children }: RichElement): boolean {
  return nodesOf(children).every((child) => !hasChildren(child) && child.text === "");
}
