import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Command, EditorState, type Plugin, Selection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { PeopleInText } from "../presence/people-in-text.tsx";
import { boxesBetween, type SharedText, type UnitPlaces } from "../presence/shared-text.ts";
import textWords from "../words/en/text.json";
import { useWords } from "../words/index.ts";
import { applyDifference } from "./apply-difference.ts";
import { editingPlugins, setLink } from "./editing.ts";
import { NameList, type NameListHandle, nameAt, type OpenChip } from "./name-list.tsx";
import { readTree } from "./read-tree.ts";
import { LinkForm, Toolbar } from "./toolbar.tsx";
import { writeTree } from "./write-tree.ts";
import "./rich-text.css";
import { hasUnitsOf, positionAt, unitAt } from "./units.ts";

export type RichTextProps = {
  /** The editor's accessible name. */
  readonly label: string;
  readonly id?: string | undefined;
  readonly describedBy?: string | undefined;
  /** The stored nodes, of any type. */
  readonly value: readonly unknown[];
  /** Called when an author edits the text, and never when the editor opens or closes. */
  readonly onChange: (tree: readonly unknown[], over: { readonly text: unknown }) => void;
  readonly names: readonly string[];
  readonly makeVariable: (name: string) => void;
  readonly isReadOnly: boolean;
  /** Absent if nobody else can edit the text. */
  readonly shared?: SharedText | undefined;
};

/** A rich text editor. Nodes that the schema does not support are preserved. */
export function RichText(props: RichTextProps) {
  const words = useWords(textWords);
  const place = useRef<HTMLDivElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  /** The editor's content as a tree. */
  const shown = useRef(props.value);
  const face = useMemo(
    () =>
      unitPlacesOf(
        () => view.current,
        () => shown.current,
      ),
    [],
  );
  const names = useRef<NameListHandle>(null);
  const [state, setState] = useState<EditorState>();
  const [open, setOpen] = useState<OpenChip>();
  const [isLinking, setLinking] = useState(false);

  const plugins = () =>
    editingPlugins({
      onLink: () => setLinking(true),
      onToolbar: () => toolbar.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
    });

  useLayoutEffect(() => {
    if (!place.current) return;
    const made = new EditorView(place.current, {
      state: stateOf(props.value, plugins()),
      editable: () => !latest.current.isReadOnly,
      attributes: () => ({
        class: "app-input app-text-editor",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": latest.current.label,
        "aria-readonly": String(latest.current.isReadOnly),
        ...(latest.current.id !== undefined && { id: latest.current.id }),
        ...(latest.current.describedBy !== undefined && { "aria-describedby": latest.current.describedBy }),
      }),
      handleKeyDown: (_, event) => names.current?.onKeyDown(event) ?? false,
      handleDOMEvents: {
        focus: () => {
          say(made);
          return false;
        },
        blur: () => {
          setOpen(undefined);
          latest.current.shared?.leave();
          return false;
        },
      },
      dispatchTransaction(transaction) {
        const next = made.state.apply(transaction);
        made.updateState(next);
        setState(next);
        setOpen(nameAt(made));
        if (!transaction.docChanged) return say(made);
        if (transaction.getMeta(fromOthers) === true) return;
        const over = { text: shown.current };
        shown.current = writeTree(next.doc);
        latest.current.onChange(shown.current, over);
        say(made);
      },
    });
    const say = (from: EditorView): void => sayCaret(latest.current.shared, from, () => shown.current);
    view.current = made;
    setState(made.state);
    return () => {
      view.current = undefined;
      latest.current.shared?.leave();
      made.destroy();
    };
  }, []);

  const show = (): void => {
    const current = view.current;
    const { value } = latest.current;
    if (!current || value === shown.current || JSON.stringify(value) === JSON.stringify(shown.current)) return;
    // During a composition, only the browser may change the text.
    if (current.composing) return void requestAnimationFrame(show);
    // Applies a change of another person or of an undo.
    shown.current = value;
    const change = current.state.tr.setMeta("addToHistory", false).setMeta(fromOthers, true);
    if (applyDifference(change, readTree(value))) current.dispatch(change);
    else current.updateState(stateOf(value, plugins()));
    setState(current.state);
  };
  useLayoutEffect(show, [props.value]);

  const run = (command: Command) => {
    if (!view.current) return;
    command(view.current.state, view.current.dispatch, view.current);
    view.current.focus();
  };

  return (
    <div class="app-text">
      {state && !props.isReadOnly && (
        <Toolbar
          elementRef={toolbar}
          state={state}
          run={run}
          onLink={() => setLinking(true)}
          onVariable={() => {
            run((now, dispatch) => {
              dispatch?.(now.tr.insertText("{{"));
              return true;
            });
          }}
          onLeave={() => view.current?.focus()}
        />
      )}
      {state && isLinking && (
        <LinkForm
          state={state}
          onSet={(url) => {
            setLinking(false);
            run(setLink(url));
          }}
          onClose={() => {
            setLinking(false);
            view.current?.focus();
          }}
        />
      )}
      <div class="people-around">
        <div ref={place} />
        <PeopleInText shared={props.shared} face={face} />
      </div>
      <span class="visually-hidden">{words.keys}</span>
      {open && view.current && (
        <NameList
          handle={names}
          view={view.current}
          open={open}
          names={props.names}
          makeVariable={props.makeVariable}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** Marks a change that was not typed in this editor. */
const fromOthers = "fromOthers";

/**
 * Returns an editor state with the caret in the first line. Otherwise, an unknown node might be selected and replaced
 * by the first typed letter.
 */
function stateOf(tree: readonly unknown[], plugins: Plugin[]): EditorState {
  const doc = readTree(tree);
  const first = Selection.findFrom(doc.resolve(0), 1, true);
  return EditorState.create({ doc, plugins, ...(first && { selection: first }) });
}

/** Returns the positions of a rich text's units while its editor exists. */
function unitPlacesOf(current: () => EditorView | undefined, text: () => unknown): UnitPlaces {
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

/** Reports the author's caret while the text has the focus. */
function sayCaret(shared: SharedText | undefined, view: EditorView, text: () => unknown): void {
  if (!view.hasFocus()) return;
  shared?.enter(() => {
    const { doc, selection } = view.state;
    if (!hasUnitsOf(doc, text())) return undefined;
    return { at: unitAt(doc, selection.anchor), to: unitAt(doc, selection.head), text: text() };
  });
}
