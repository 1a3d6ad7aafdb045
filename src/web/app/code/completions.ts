import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSection,
  CompletionSource,
} from "@codemirror/autocomplete";

export type CompletionWords = {
  readonly variable: string;
  readonly makeVariable: (values: { readonly name: string }) => string;
  /** Descriptions of the functions that scripts may call, by name. */
  readonly calls: Readonly<Record<string, string>>;
};

export type CompletionKnowledge = {
  readonly words: CompletionWords;
  readonly isScript: boolean;
  readonly names: () => readonly string[];
  readonly makeVariable: (name: string) => void;
};

/** Completes variable names after `{{`, and offers to create a variable from the typed text. */
export function variableSource({ names, makeVariable, words }: CompletionKnowledge): CompletionSource {
  return (context: CompletionContext): CompletionResult | null => {
    const open = context.matchBefore(/\{\{[^{}\n]*/);
    if (!open || open.text.startsWith("{{=")) return null;
    const typed = open.text.slice(2).trim();
    const known = names();
    const options = known.map(
      (name): Completion => ({ label: name, type: "variable", detail: words.variable, apply: take(name) }),
    );
    if (typed !== "" && !known.includes(typed)) {
      const made: Completion = {
        label: typed,
        displayLabel: words.makeVariable({ name: typed }),
        type: "new",
        section: last,
        apply(view, completion, from, to) {
          makeVariable(typed);
          take(typed)(view, completion, from, to);
        },
      };
      options.push(made);
    }
    return { from: open.from + 2, options, filter: true };
  };
}

/**
 * The option to create a variable is listed last. Otherwise, it would rank above every name that begins with the typed
 * text.
 */
const last: CompletionSection = { name: "new", header: () => document.createElement("completion-section") };

/** Inserts a name between the braces, and adds the closing braces if they are missing. */
function take(name: string): Exclude<Completion["apply"], string | undefined> {
  return (view, _completion, from, to) => {
    const isClosed = view.state.sliceDoc(to, to + 2) === "}}";
    const caret = from + name.length + 2;
    view.dispatch({
      changes: { from, to: isClosed ? to + 2 : to, insert: `${name}}}` },
      selection: { anchor: caret },
      userEvent: "input.complete",
    });
  };
}

/** Completes the functions that a script may call in addition to the built-in functions of JavaScript. */
export function callSource({ words }: CompletionKnowledge): CompletionSource {
  const options = Object.entries(words.calls).map(
    ([name, info]): Completion => ({ label: name, type: "function", info, apply: shapes[name] ?? name }),
  );
  return (context) => {
    const word = context.matchBefore(/[\w$]+/);
    if (!word && !context.explicit) return null;
    const before = context.state.sliceDoc(Math.max(0, (word?.from ?? context.pos) - 2), word?.from ?? context.pos);
    // A dot is followed by a member name, and braces by a variable. Both are completed elsewhere.
    if (before.endsWith(".") || before === "{{") return null;
    return { from: word?.from ?? context.pos, options, validFor: /^[\w$]*$/ };
  };
}

const shapes: Readonly<Record<string, string>> = { setVariable: 'setVariable("', fetch: 'await fetch("' };
