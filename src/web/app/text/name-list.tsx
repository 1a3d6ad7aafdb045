import { useId, useLayoutEffect, useState } from "preact/hooks";
import type { EditorView } from "prosemirror-view";
import { Floating, folded, Icon } from "../ui/index.ts";
import { useWords } from "../words/index.ts";
import { textWords } from "../words/text.ts";
import { textSchema } from "./schema.ts";

/** A variable's name that is being typed, from its first brace to the caret. */
export type OpenChip = { readonly from: number; readonly to: number; readonly typed: string };

export type NameListHandle = { onKeyDown(event: KeyboardEvent): boolean };

/** The name at the caret. */
export function nameAt({ state }: Pick<EditorView, "state">): OpenChip | undefined {
  const { $from, empty } = state.selection;
  if (!empty || !$from.parent.isTextblock) return undefined;
  // Whatever is no text counts as one character, as positions do.
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

/** The names that fit, beside the caret; the keys stay with the text. */
export function NameList({ handle, view, open, names, makeVariable, onClose }: NameListProps) {
  const words = useWords(textWords);
  const id = useId();
  const [active, setActive] = useState(0);
  const wish = open.typed.trim();
  const known = names.filter((name) => folded(name).includes(folded(wish))).slice(0, mostNames);
  const entries = [
    ...known.map((name) => ({ name, isNew: false })),
    ...(wish !== "" && !names.includes(wish) ? [{ name: wish, isNew: true }] : []),
  ];
  const at = Math.min(active, entries.length - 1);
  const take = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    if (entry.isNew) makeVariable(entry.name);
    const { tr, selection } = view.state;
    const chip = textSchema.nodes.chip.create({ text: `{{${entry.name}}}` }, null, selection.$from.marks());
    view.dispatch(tr.replaceWith(open.from, open.to, chip).scrollIntoView());
    view.focus();
    onClose();
  };
  handle.current = {
    onKeyDown(event) {
      if (event.key === "Escape") onClose();
      else if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, entries.length));
      else if (event.key === "ArrowUp") setActive((at - 1 + entries.length) % Math.max(1, entries.length));
      else if ((event.key === "Enter" || event.key === "Tab") && entries.length > 0) take(at);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
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
    if (entries.length > 0) view.dom.setAttribute("aria-activedescendant", `${id}-${at}`);
    else view.dom.removeAttribute("aria-activedescendant");
  });
  const { left, bottom } = view.coordsAtPos(open.from);
  return (
    <Floating
      key={`${left} ${bottom}`}
      anchor={{ x: left, y: bottom }}
      mode="manual"
      attributes={{ role: "listbox", id, "aria-label": words.variables }}
    >
      {entries.length === 0 && <p class="app-options-none">{words.noVariables}</p>}
      {entries.map(({ name, isNew }, index) => (
        <div
          key={`${name} ${isNew}`}
          id={`${id}-${index}`}
          class={`app-option ${index === at ? "is-active" : ""}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          // The text keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            take(index);
          }}
          onPointerMove={() => setActive(index)}
        >
          {isNew && <Icon name="plus" />}
          <span class="app-menu-words">{isNew ? words.makeVariable(name) : name}</span>
        </div>
      ))}
    </Floating>
  );
}

const mostNames = 100;
