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
  /** Help or error, which screen readers read with the label: ids do not reach into the editor. */
  readonly description?: string | undefined;
  readonly isInvalid?: boolean | undefined;
  readonly value: string;
  /** Consecutive keystrokes are passed on together, at the latest when the field loses focus. */
  readonly onChange: (text: string, before: string) => void;
  /** The first line with a syntax error in its language; undefined: there is none. */
  readonly onProblem?: ((line: number | undefined) => void) | undefined;
  readonly onLeave?: (() => void) | undefined;
  readonly language: CodeLanguage;
  /** The functions that code may call: in a script of the sandbox, or in a script that maps an answer. */
  readonly offers?: "script" | "mapping" | undefined;
  readonly names: readonly string[];
  readonly makeVariable: (name: string) => void;
  readonly isReadOnly: boolean;
  readonly placeholder?: string | undefined;
  /** The editor replaces a field that has the focus, and keeps the field's selection. */
  readonly takesOver?: { readonly from: number; readonly to: number } | undefined;
  /** Absent if nobody else can edit the text. */
  readonly shared?: SharedText | undefined;
  /** Opens braces at the caret, and offers variables. */
  readonly insertRef?: { current: (() => void) | undefined } | undefined;
};

/** Code with colours, completion and marks at syntax errors. Its styles are in a shadow root of their own. */
export function CodeEditor(props: CodeEditorProps) {
  const words = useWords(codeWords);
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const typing = useRef<BatchedTyping>(undefined);
  const current = useRef(props);
  /** The editor's text when it was last passed on, or last came from elsewhere. */
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
    // Text that is being typed is applied on top of changes from elsewhere.
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
 * Handles keys before the form around does: Escape closes the completions; then it lets Tab continue; then it
 * leaves the form.
 */
function useEscape(
  view: { readonly current: EditorView | undefined },
  typing: { readonly current: BatchedTyping | undefined },
) {
  const isOffering = useRef(false);
  const hasEscaped = useRef(false);
  return {
    onKeyDownCapture(event: KeyboardEvent) {
      // An undo, or any other key, must apply to everything that was typed.
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

/** How long Tab leaves the editor after Escape. */
const tabLeavesMs = 5_000;

const attributes = new Compartment();
/** Marks a change that was not typed: the value was set elsewhere. */
const fromOutside = Annotation.define<boolean>();

function extensionsFor(
  knowledge: CompletionKnowledge,
  { language, say, tell }: { readonly language: CodeLanguage } & Parameters<typeof problemMarks>[1],
): Extension[] {
  const { support, parser } = languageOf(language);
  const sources = [variableSource(knowledge), ...(knowledge.isScript ? [callSource(knowledge)] : [])];
  return [
    // Line breaks stay as they are stored.
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

/** Sets another text with the smallest change, so that the caret stays where it was. */
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

/** The boxes of units of the code. Text far out of view has none, since CodeMirror does not render it. */
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
      // CodeMirror measures once it has rendered.
      for (const one of listeners) current()?.requestMeasure({ read: one });
    },
  };
}

const variableMark = Decoration.mark({ class: "cm-parley-variable" });

/** Variables stand out in every language. */
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
