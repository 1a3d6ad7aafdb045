/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { isElement, type RichElement, type RichNode } from "../../../core/interpreter/rich-text/nodes.ts";

/**
 * The number of a footnote in a text, which links to the footnote. `place` distinguishes the footnotes of this bubble
 * from those of other bubbles.
 */
export function NoteMark({ node, place }: { readonly node: RichElement; readonly place: string }) {
  return (
    <sup class="rich-note">
      <a href={`#${idOf(place, node)}`} role="doc-noteref" onClick={showNote}>
        {String(node["number"])}
      </a>
    </sup>
  );
}

/** Scrolls to a footnote or a source, because links to fragments do not work within a shadow root. */
export function showNote(event: MouseEvent): void {
  const { currentTarget } = event;
  if (!(currentTarget instanceof HTMLAnchorElement)) return;
  const root = currentTarget.getRootNode();
  const note =
    root instanceof Document || root instanceof ShadowRoot ? root.getElementById(currentTarget.hash.slice(1)) : null;
  if (!note) return;
  event.preventDefault();
  note.focus({ preventScroll: true });
  note.scrollIntoView({ block: "nearest" });
}

type FootnotesProps = {
  readonly node: RichElement;
  readonly place: string;
  readonly label: string;
  inside(children: readonly RichNode[]): ComponentChildren;
};

export function Footnotes({ node, place, label, inside }: FootnotesProps) {
  return (
    <ol class="rich-notes" aria-label={label}>
      {node.children.filter(isElement).map((note) => (
        <li key={idOf(place, note)} id={idOf(place, note)} tabIndex={-1} value={Number(note["number"])}>
          {inside(note.children)}
        </li>
      ))}
    </ol>
  );
}

function idOf(place: string, node: RichElement): string {
  return `note-${place}-${String(node["number"])}`;
}
