import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
  startCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorSelection, EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  placeholder as placeholderOf,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { PeopleInText } from "../presence/people-in-text.tsx";
import { boxesBetween, type SharedText, type UnitPlaces } from "../presence/shared-text.ts";
import codeWords from "../words/en/code.json";
import { useWords } from "../words/index.ts";
import { type BatchedTyping, createBatchedTyping } from "./batched-typing.ts";
import { type CompletionKnowledge, callSource, variableSource } from "./completions.ts";
import { type CodeLanguage, languageOf } from "./languages.ts";
import { variablesIn } from "./masked.ts";
import { problemMarks } from "./problems.ts";
import { codeStyle, codeTheme } from "./theme.ts";

export type CodeEditorProps = {
  readonly label: string;
  /**
   * The help or error text, which screen readers read with the label. An `aria-describedby` id cannot refer to an
   * element outside the editor's shadow root.
   */
  readonly description?: string | undefined;
  readonly isInvalid?: boolean | undefined;
  readonly value: string;
  /** Called once for several consecutive keystrokes, at the latest when the editor loses focus. */
  readonly onChange: (text: string, before: string) => void;
  /** Called with the first line that has a syntax error, or undefined if there is no syntax error. */
  readonly onProblem?: ((line: number | undefined) => void) | undefined;
  readonly onLeave?: (() => void) | undefined;
  readonly language: CodeLanguage;
  /**
   * The set of functions that the completion offers: for a script in the sandbox, or for a script that maps a response.
   */
  readonly offers?: "script" | "mapping" | undefined;
  readonly names: readonly string[];
  readonly makeVariable: (name: string) => void;
  readonly isReadOnly: boolean;
  readonly placeholder?: string | undefined;
  /** The selection of the focused field that the editor replaces, if any. */
  readonly takesOver?: { readonly from: number; readonly to: number } | undefined;
  /** Absent if nobody else can edit the text. */
  readonly shared?: SharedText | undefined;
  /** Inserts braces at the caret and opens the completion of variables. */
  readonly insertRef?: { current: (() => void) | undefined } | undefined;
};

/**
 * A code editor with syntax highlighting, completion and marks at syntax errors. Its styles are in its own shadow root.
 */
export function CodeEditor(props: CodeEditorProps) {
  const words = useWords(codeWords);
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const typing = useRef<BatchedTyping>(undefined);
  const current = useRef(props);
  /** The editor's text at the last `onChange` call or the last change from outside. */
  const known = useRef(props.value);
  current.current = props;
  const face = useMemo(() => unitPlacesOf(() => view.current), []);
  const { language, offers, label, description, isInvalid, isReadOnly, value, placeholder } = props;

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true });
    const { takesOver } = current.current;
    const knowledge: CompletionKnowledge = {
      words: { ...words, calls: offers === "mapping" ? words.callsOfMapping : words.calls },
      isScript: language === "script",
      names: () => current.current.names,
      makeVariable: (name) => current.current.makeVariable(name),
    };
    const typed = createBatchedTyping(() => {
      const before = known.current;
      known.current = made.state.sliceDoc();
      current.current.onChange(known.current, before);
    });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: current.current.value,
        ...(takesOver && { selection: EditorSelection.range(takesOver.from, takesOver.to) }),
        extensions: [
          ...extensionsFor(knowledge, {
            language,
            say: (line) => words.error({ line }),
            tell: (problems) => current.current.onProblem?.(problems[0]?.line),
          }),
          attributes.of(attributesOf(current.current, words.keys)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && update.transactions.some((one) => one.annotation(fromOutside) === undefined))
              typed.note();
            if (update.docChanged || update.geometryChanged) face.changed();
            if (update.view.hasFocus && (update.selectionSet || update.docChanged || update.focusChanged)) say();
          }),
          EditorView.domEventHandlers({
            blur() {
              typed.flush();
              current.current.shared?.leave();
              current.current.onLeave?.();
            },
          }),
        ],
      }),
    });
    const say = (): void =>
      current.current.shared?.enter(() => {
        const { anchor, head } = made.state.selection.main;
        return { at: anchor, to: head, text: made.state.sliceDoc() };
      });
    view.current = made;
    typing.current = typed;
    if (takesOver) made.focus();
    const labelElement = element.closest(".app-field")?.querySelector("label");
    const focus = () => made.focus();
    labelElement?.addEventListener("click", focus);
    return () => {
      labelElement?.removeEventListener("click", focus);
      typed.close();
      current.current.shared?.leave();
      made.destroy();
    };
  }, [language, offers, words]);

  useEffect(() => {
    view.current?.dispatch({ effects: attributes.reconfigure(attributesOf(current.current, words.keys)) });
  }, [label, description, isInvalid, isReadOnly, placeholder, words]);

  useLayoutEffect(() => {
    const now = view.current;
    if (!now) return;
    // Typed text that was not passed on yet is passed on first, so that it can be merged with the change from outside.
    if (typing.current?.isWaiting()) typing.current.flush();
    else {
      showText(now, value);
      known.current = value;
    }
  }, [value]);

  const { insertRef } = props;
  if (insertRef) {
    insertRef.current = () => {
      const now = view.current;
      if (!now) return;
      now.focus();
      now.dispatch(now.state.replaceSelection("{{"), { userEvent: "input.type" });
      startCompletion(now);
    };
  }
  const handlers = useEscape(view, typing);
  return (
    <div class="people-around">
      <div ref={host} class={`app-code ${isInvalid ? "is-invalid" : ""}`} {...handlers} />
      <PeopleInText shared={props.shared} face={face} />
    </div>
  );
}

/**
 * Handles Escape before the surrounding form does. The first Escape closes the completion, the second lets Tab leave
 * the editor, and the third leaves the form.
 */
function useEscape(
  view: { readonly current: EditorView | undefined },
  typing: { readonly current: BatchedTyping | undefined },
) {
  const isOffering = useRef(false);
  const hasEscaped = useRef(false);
  return {
    onKeyDownCapture(event: KeyboardEvent) {
      // An undo or another shortcut must apply to all typed text.
      if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Escape") typing.current?.flush();
      isOffering.current = view.current !== undefined && completionStatus(view.current.state) === "active";
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape") {
        hasEscaped.current = false;
        return;
      }
      if (hasEscaped.current && !isOffering.current) return;
      event.stopPropagation();
      if (isOffering.current) return;
      hasEscaped.current = true;
      view.current?.setTabFocusMode(tabLeavesMs);
    },
  };
}

/** The time in ms after Escape in which the Tab key leaves the editor. */
const tabLeavesMs = 5_000;

const attributes = new Compartment();
/** Marks a change that was not typed, because the value was set from outside. */
const fromOutside = Annotation.define<boolean>();

function extensionsFor(
  knowledge: CompletionKnowledge,
  { language, say, tell }: { readonly language: CodeLanguage } & Parameters<typeof problemMarks>[1],
): Extension[] {
  const { support, parser } = languageOf(language);
  const sources = [variableSource(knowledge), ...(knowledge.isScript ? [callSource(knowledge)] : [])];
  return [
    // Preserves the line breaks of the stored text.
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((text) => text.replaceAll(/\r\n?/g, "\n")),
    support,
    sources.map((autocomplete) => support.language.data.of({ autocomplete })),
    syntaxHighlighting(codeStyle),
    codeTheme,
    variableMarks,
    bracketMatching(),
    closeBrackets(),
    indentOnInput(),
    drawSelection(),
    EditorView.lineWrapping,
    autocompletion({ interactionDelay: 0, icons: false, tooltipClass: () => "app-code-offers" }),
    problemMarks(parser, { say, tell }),
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

function attributesOf(
  { label, description, isInvalid, isReadOnly, placeholder }: CodeEditorProps,
  keys: string,
): Extension {
  return [
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-description": [description, keys].filter(Boolean).join(" "),
      "aria-readonly": String(isReadOnly),
      "aria-invalid": String(isInvalid === true),
      dir: "ltr",
      spellcheck: "false",
      autocapitalize: "off",
    }),
    placeholder ? placeholderOf(placeholder) : [],
  ];
}

/** Replaces the text with the smallest possible change, so that the caret keeps its position. */
function showText(view: EditorView, text: string): void {
  const shown = view.state.sliceDoc();
  if (shown === text) return;
  let from = 0;
  while (from < text.length && from < shown.length && text[from] === shown[from]) from++;
  let [end, to] = [text.length, shown.length];
  while (end > from && to > from && text[end - 1] === shown[to - 1]) {
    end--;
    to--;
  }
  view.dispatch({
    changes: { from, to, insert: text.slice(from, end) },
    annotations: fromOutside.of(true),
  });
}

/** Returns the boxes of parts of the code. Text far out of view has no box, because CodeMirror does not render it. */
function unitPlacesOf(current: () => EditorView | undefined): UnitPlaces & { changed(): void } {
  const listeners = new Set<() => void>();
  return {
    box: () => current()?.scrollDOM ?? null,
    text: () => current()?.state.sliceDoc() ?? "",
    caretAt: (unit) => current()?.coordsAtPos(unit) ?? undefined,
    boxesOf(from, to) {
      const view = current();
      if (!view) return [];
      const { viewport } = view;
      const [start, end] = [Math.max(from, viewport.from), Math.min(to, viewport.to)];
      if (start >= end) return [];
      const [first, last] = [view.domAtPos(start), view.domAtPos(end)];
      const range = document.createRange();
      range.setStart(first.node, first.offset);
      range.setEnd(last.node, last.offset);
      return boxesBetween(range);
    },
    watch(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    changed() {
      // CodeMirror runs the listener after it has rendered.
      for (const one of listeners) current()?.requestMeasure({ read: one });
    },
  };
}

const variableMark = Decoration.mark({ class: "cm-parley-variable" });

/** Highlights variables in every language. */
const variableMarks = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = marksIn(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = marksIn(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);

function marksIn({ state }: EditorView): DecorationSet {
  return Decoration.set(variablesIn(state.sliceDoc()).map(({ start, end }) => variableMark.range(start, end)));
}
