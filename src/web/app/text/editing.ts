import { baseKeymap, chainCommands, exitCode, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { InputRule, inputRules, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { Fragment, type Mark, type MarkType, type Node, Slice } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, type EditorState, Plugin } from "prosemirror-state";
import { editedMarks, type Format, formats } from "./marks.ts";
import { textNodes } from "./read-tree.ts";
import { textSchema } from "./schema.ts";

const { nodes, marks } = textSchema;

export const toggleFormat = (format: Format): Command => toggleMark(marks[format]);

/** Turns the selection into a list of the given kind. Within such a list, moves the selected items out by one level. */
export function toggleList(kind: "ul" | "ol"): Command {
  return (state, dispatch) => {
    const around = listAround(state);
    if (around === kind) return liftListItem(nodes.li)(state, dispatch);
    return wrapInList(nodes[kind])(state, dispatch);
  };
}

/** Returns the kind of the list at the selection; undefined outside of lists. */
export function listAround({ selection }: EditorState): "ul" | "ol" | undefined {
  for (let depth = selection.$from.depth; depth > 0; depth--) {
    const { name } = selection.$from.node(depth).type;
    if (name === "ul" || name === "ol") return name;
  }
  return undefined;
}

export function hasFormat({ selection, doc, storedMarks }: EditorState, format: Format): boolean {
  const { from, to, $from, empty } = selection;
  if (empty) return marks[format].isInSet(storedMarks ?? $from.marks()) !== undefined;
  return doc.rangeHasMark(from, to, marks[format]);
}

/** Returns the link at the selection, if there is one. */
export function linkAt({ selection }: EditorState): Mark | undefined {
  const { $from, empty } = selection;
  const found = (empty ? $from.marks() : ($from.nodeAfter?.marks ?? [])).find(({ type }) => type === marks.link);
  return found ?? $from.nodeBefore?.marks.find(({ type }) => type === marks.link && empty);
}

/**
 * Turns the selection into a link, or changes the link around the caret. At a caret without a link, inserts the URL as
 * a link. An empty URL removes the link.
 */
export function setLink(url: string): Command {
  return (state, dispatch) => {
    const { from, to } = linkRange(state);
    if (from === to && url === "") return false;
    const change = state.tr.removeMark(from, to, marks.link);
    if (url !== "") {
      const rest: unknown = linkAt(state)?.attrs["rest"] ?? null;
      const mark = marks.link.create({ url, rest });
      if (from === to) change.insert(from, textSchema.text(url, [mark]));
      else change.addMark(from, to, mark);
    }
    dispatch?.(change.scrollIntoView());
    return true;
  };
}

/** Returns the range of the selection, or of the whole link around the caret. */
function linkRange(state: EditorState): { readonly from: number; readonly to: number } {
  const { from, to, empty, $from } = state.selection;
  const link = linkAt(state);
  if (!empty || !link) return { from, to };
  const begin = $from.start();
  let [start, end] = [from, to];
  $from.parent.forEach((child, offset) => {
    const at = begin + offset;
    if (!link.isInSet(child.marks)) return;
    if (at <= from && at + child.nodeSize >= from) [start, end] = [at, at + child.nodeSize];
  });
  return { from: start, to: end };
}

const breakLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.lineBreak.create()).scrollIntoView());
  return true;
});

type EditingPluginsGiven = { readonly onLink: () => void; readonly onToolbar: () => void };

/** Returns the plugins of the editor. `onLink` asks for a URL, and `onToolbar` moves the focus to the toolbar. */
export function editingPlugins({ onLink, onToolbar }: EditingPluginsGiven): Plugin[] {
  return [
    inputRules({
      rules: [
        wrappingInputRule(/^\s*[-*]\s$/, nodes.ul),
        wrappingInputRule(/^\s*1[.)]\s$/, nodes.ol),
        chipRule,
        ...formats.flatMap((name) => editedMarks[name].typed.map((pattern) => markRule(pattern, marks[name]))),
        linkRule,
      ],
    }),
    history(),
    keymap({
      ...Object.fromEntries(formats.map((name) => [editedMarks[name].key, toggleFormat(name)])),
      "Mod-Shift-8": toggleList("ul"),
      "Mod-Shift-7": toggleList("ol"),
      "Mod-k": () => {
        onLink();
        return true;
      },
      "Alt-F10": () => {
        onToolbar();
        return true;
      },
      "Mod-z": undo,
      "Mod-Shift-z": redo,
      "Mod-y": redo,
      Enter: splitListItem(nodes.li),
      "Shift-Enter": breakLine,
      "Mod-]": sinkListItem(nodes.li),
      "Mod-[": liftListItem(nodes.li),
      // Within a list, Tab indents an item if possible. Otherwise, Tab moves to the next field.
      Tab: sinkListItem(nodes.li),
      "Shift-Tab": liftListItem(nodes.li),
    }),
    keymap(baseKeymap),
    new Plugin({
      props: {
        transformPastedHTML: withoutInline,
        transformPasted: (slice) => new Slice(withChips(slice.content), slice.openStart, slice.openEnd),
      },
    }),
  ];
}

/** Turns `{{name}}` into a chip when the last brace is typed. */
const chipRule = new InputRule(/\{\{[^{}\n]+\}\}$/, (state, match, start, end) => {
  const [text] = match;
  return state.tr.replaceWith(start, end, nodes.chip.create({ text }, null, state.selection.$from.marks()));
});

/** Turns typed text such as `**words**` into marked text, except within code. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(
    pattern,
    (state, match, start, end) => {
      const [whole, inner = ""] = match;
      const from = start + whole.indexOf(inner);
      const change = state.tr;
      change.delete(from + inner.length, end);
      change.delete(start, from);
      return change.addMark(start, start + inner.length, type.create()).removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}

/** Turns `[words](address)` into a link. */
const linkRule = new InputRule(/\[([^\]]+)\]\(([^()\s]+)\)$/, (state, match, start, end) => {
  const [, words = "", url = ""] = match;
  return state.tr
    .replaceWith(start, end, textSchema.text(words, [marks.link.create({ url })]))
    .removeStoredMark(marks.link);
});

/**
 * Removes inline styles and event handlers from HTML, which the page's security policy would block and report. Styles
 * are moved to another attribute, from which the formatting is read. Only the elements of the schema are inserted into
 * the text.
 */
export function withoutInline(html: string): string {
  return html.replaceAll(/<[a-z][^>]*>/gi, (tag) =>
    tag.replaceAll(/\s(style|on\w+)(?=\s*=)/gi, (_, name: string) =>
      name.toLowerCase() === "style" ? " data-style" : " data-unused",
    ),
  );
}

/** Turns variables in pasted text into chips. */
function withChips(content: Fragment): Fragment {
  const made: Node[] = [];
  content.forEach((node) => {
    if (node.isText) made.push(...textNodes(node.text ?? "", node.marks));
    else made.push(node.copy(withChips(node.content)));
  });
  return Fragment.from(made);
}
