import type { EditorView } from "prosemirror-view";
import { boxesBetween, type SharedText, type UnitPlaces } from "../presence/shared-text.ts";
import { hasUnitsOf, positionAt, unitAt } from "./units.ts";

/** Where units of a rich text lie, for as long as its editor is there. */
export function unitPlacesOf(current: () => EditorView | undefined, text: () => unknown): UnitPlaces {
  return {
    text,
    box: () => current()?.dom ?? null,
    caretAt(unit) {
      const view = current();
      if (!view || !hasUnitsOf(view.state.doc, text())) return undefined;
      return view.coordsAtPos(positionAt(view.state.doc, unit));
    },
    boxesOf(from, to) {
      const view = current();
      if (!view || !hasUnitsOf(view.state.doc, text())) return [];
      const [start, end] = [from, to].map((unit) => view.domAtPos(positionAt(view.state.doc, unit)));
      const range = document.createRange();
      if (!start || !end) return [];
      range.setStart(start.node, start.offset);
      range.setEnd(end.node, end.offset);
      return boxesBetween(range);
    },
  };
}

/** Says where the author is in a text that has the focus. */
export function sayCaret(shared: SharedText | undefined, view: EditorView, text: () => unknown): void {
  if (!view.hasFocus()) return;
  shared?.enter(() => {
    const { doc, selection } = view.state;
    if (!hasUnitsOf(doc, text())) return undefined;
    return { at: unitAt(doc, selection.anchor), to: unitAt(doc, selection.head), text: text() };
  });
}
