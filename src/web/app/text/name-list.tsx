import { Fragment } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { EditorView } from "prosemirror-view";
import { useOfferedNames } from "../ui/index.ts";
import textWords from "../words/en/text.json";
import { useWords } from "../words/index.ts";
import { textSchema } from "./schema.ts";

/** A variable name that is being typed, from its first brace to the caret. */
export type OpenChip = { readonly from: number; readonly to: number; readonly typed: string };

export type NameListHandle = { onKeyDown(event: KeyboardEvent): boolean };

/** Returns the unfinished name at the caret; undefined if there is none. */
export function nameAt({ state }: Pick<EditorView, "state">): OpenChip | undefined {
  const { $from, empty } = state.selection;
  if (!empty || !$from.parent.isTextblock) return undefined;
  // Every inline node other than text counts as one character, as in ProseMirror positions.
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, () => "\ufffc");
  const [whole, typed = ""] = /\{\{([^{}=\n\ufffc][^{}\n\ufffc]*)?$/.exec(before) ?? [];
  return whole === undefined ? undefined : { from: $from.pos - whole.length, to: $from.pos, typed };
}

export type NameListProps = {
  readonly handle: { current: NameListHandle | null };
  readonly view: EditorView;
  readonly open: OpenChip;
  readonly names: readonly string[];
  readonly makeVariable: (name: string) => void;
  readonly onClose: () => void;
};

/** The list of matching names at the caret. The text keeps the focus and forwards its keys. */
export function NameList({ handle, view, open, names, makeVariable, onClose }: NameListProps) {
  const words = useWords(textWords);
  const { id, activeId, onKeyDown, draw } = useOfferedNames({
    typed: open.typed,
    names,
    onTake(name, isNew) {
      if (isNew) makeVariable(name);
      const { tr, selection } = view.state;
      const chip = textSchema.nodes.chip.create({ text: `{{${name}}}` }, null, selection.$from.marks());
      view.dispatch(tr.replaceWith(open.from, open.to, chip).scrollIntoView());
      view.focus();
      onClose();
    },
    onLeave: onClose,
    words,
  });
  handle.current = { onKeyDown };
  useLayoutEffect(() => {
    const box = view.dom;
    box.setAttribute("aria-controls", id);
    return () => {
      handle.current = null;
      box.removeAttribute("aria-controls");
      box.removeAttribute("aria-activedescendant");
    };
  }, []);
  useLayoutEffect(() => {
    if (activeId !== undefined) view.dom.setAttribute("aria-activedescendant", activeId);
    else view.dom.removeAttribute("aria-activedescendant");
  });
  const { left, bottom } = view.coordsAtPos(open.from);
  return <Fragment key={`${left} ${bottom}`}>{draw({ x: left, y: bottom })}</Fragment>;
}
