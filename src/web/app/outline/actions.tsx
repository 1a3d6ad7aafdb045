/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { mostPastedText } from "../../../core/editing/references/foreign-parts.ts";
import type { Outlet } from "../../../core/editing/references/outlets.ts";
import type { ActContext as CanvasMaking } from "../canvas-acts/act-context.ts";
import type { Acts } from "../canvas-acts/acts.ts";
import { follow } from "../canvas-acts/keys.ts";
import { besideItems, cardItems, itemOf, keysItem } from "../canvas-acts/menu/card-items.ts";
import { menuOfChosen } from "../canvas-acts/menu/menu.ts";
import { addBlock, changeType, moveBlocks } from "../editor/commands/blocks.ts";
import { addEvent, eventTypes } from "../editor/commands/events.ts";
import { addGroup, lead } from "../editor/commands/groups.ts";
import type { Done, OpenBot } from "../editor/index.ts";
import { isBeside } from "../editor/selection.ts";
import type { BlockType } from "../forms/index.ts";
import { keysOf } from "../keys/keymap.ts";
import { keepPicture } from "../pasting/picture.ts";
import { TextDialog } from "../pasting/text-dialog.tsx";
import { announce, type MenuItem } from "../ui/index.ts";
import { type Choice, Picker } from "../ui/picker.tsx";
import { canvasWords } from "../words/canvas.ts";
import { canvasMenuWords } from "../words/flow-canvas-menu.ts";
import { commandWords } from "../words/flow-commands.ts";
import { outlineWords } from "../words/flow-outline.ts";
import { useWords } from "../words/index.ts";
import {
  addItemAt,
  copyRows,
  disconnectRow,
  duplicateRows,
  outletsOf,
  pasteAsText,
  pasteParts,
  pasteText,
  placeAfter,
  removeRows,
  shiftRow,
} from "./acts.ts";
import { titleOf } from "./facts.ts";
import { type Row, thingOf } from "./rows.ts";

type ActContext = {
  readonly bot: OpenBot;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
  readonly rows: readonly Row[];
  readonly active: Row | undefined;
  readonly chosen: readonly Row[];
  readonly onOpen: () => void;
  readonly focusRow: (isWanted: boolean) => void;
  readonly select: (row: Row) => void;
  readonly canvas: { readonly acts: Acts; readonly context: CanvasMaking; readonly isTried: boolean };
};

type Asking =
  | { readonly kind: "block" }
  | { readonly kind: "lead"; readonly from: Outlet }
  | { readonly kind: "outlet"; readonly outlets: readonly Outlet[] }
  | { readonly kind: "move" | "event" }
  | { readonly kind: "type"; readonly row: Row }
  | { readonly kind: "text"; readonly text: string };

export type Actions = ReturnType<typeof useActions>;

/** What can be done with rows, by keys and by menu: the same things. */
export function useActions({ bot, types, rows, active, chosen, onOpen, focusRow, select, canvas }: ActContext) {
  const { outline, menu: words, picker } = useWords(outlineWords);
  const commands = useWords(commandWords);
  const [asking, setAsking] = useState<Asking>();
  const { editor } = bot;
  const announced = (done: Done | undefined): void => {
    if (!done) return;
    announce(done.kind === "done" ? done.title : done.sentence, done.kind === "done" ? "polite" : "assertive");
    focusRow(true);
  };

  const factsOf = ({ type, schema, editor: { name } }: BlockType) => ({ type, name, schema: { ...schema } });
  const add = (type: string): void => {
    const known = types?.get(type);
    if (!known) return;
    let place = placeAfter(editor, active);
    if (!place) {
      // On the empty ground, or at an event: a group of its own, to which that event leads.
      const from = active?.kind === "event" ? outletsOf(editor, active)[0] : undefined;
      const isFree = from !== undefined && from.edgeId === undefined;
      const made = editor.run(addGroup, isFree ? { from } : {});
      const group = editor.selection.focus.peek();
      if (made.kind === "refused" || !group) {
        announced(made);
        return;
      }
      place = { groupId: group.id };
    }
    announced(editor.run(addBlock, { type: factsOf(known), groupId: place.groupId, before: place.before }));
    focusRow(false);
    onOpen();
  };
  const leadTo = (from: Outlet, value: string, typed: string): void => {
    if (value === "new") {
      announced(editor.run(addGroup, { from, ...(typed !== "" && { title: typed }) }));
      return;
    }
    const group = editor.store.find.group(value);
    announced(editor.run(lead, { from, to: { groupId: value }, title: group ? titleOf(group, outline) : "" }));
  };
  const askLead = (row: Row): void => {
    const outlets = outletsOf(editor, row);
    const [from] = outlets;
    if (outlets.length > 1) setAsking({ kind: "outlet", outlets });
    else if (from) setAsking({ kind: "lead", from });
    else announce(commands.refusals.nothing, "assertive");
  };
  const groupChoices = (): readonly Choice[] =>
    rows.flatMap(({ kind, id }) => {
      const group = kind === "group" ? editor.store.find.group(id) : undefined;
      return group ? [{ value: id, label: titleOf(group, outline), icon: "folder" }] : [];
    });

  const doCopy = (): void => {
    void copyRows(editor, chosen).then((count) => announce(commands.announce.copied(count)));
  };
  const actions = {
    words,
    addBlock: () => setAsking({ kind: "block" }),
    addGroup: () => announced(editor.run(addGroup, {})),
    addEvent: () => setAsking({ kind: "event" }),
    addItem: (row: Row) => announced(addItemAt(editor, row)),
    lead: askLead,
    moveTo: () => setAsking({ kind: "move" }),
    shift: (row: Row, by: -1 | 1) => announced(shiftRow(editor, row, by)),
    duplicate: () => announced(duplicateRows(editor, chosen)),
    remove: () => {
      const after = neighbour(rows, chosen);
      const done = removeRows(editor, chosen);
      if (done.kind === "done" && after) select(after);
      announced(done);
    },
    copy: doCopy,
    cut: () => {
      doCopy();
      actions.remove();
    },
    paste(text: string): boolean {
      const done = pasteText(editor, text, active);
      announced(done);
      if (done || text.trim() === "") return done !== undefined;
      if (editor.readOnly.peek()) announce(commands.refusals.readOnly, "assertive");
      else if (text.length > mostPastedText) announce(commands.refusals.tooLong, "assertive");
      else setAsking({ kind: "text", text: text.trim() });
      return true;
    },
    pastePicture(file: File): void {
      if (editor.readOnly.peek()) announce(commands.refusals.readOnly, "assertive");
      else
        void keepPicture(bot.bot.peek().workspaceId, file).then((clip) => {
          if (clip) announced(pasteParts(editor, clip, active));
        });
    },
    menuOf: (row: Row) => menuOf(row),
    /** The actions on the flow, whatever is selected. */
    menuOfFlow(): readonly MenuItem[] {
      const item = itemOf(canvas.context);
      return [
        item(outline.addBlock, actions.addBlock, { icon: "plus", command: "addBlock" }),
        item(outline.addGroup, actions.addGroup, { command: "addGroup", icon: "folder-plus" }),
        item(outline.addEvent, actions.addEvent, { command: "addEvent", icon: "radio" }),
        ...besideItems(canvas.acts, item),
      ];
    },
    follow: (way: "on" | "back") => follow(canvas.acts, canvas.context, way),
  };

  function menuOf(row: Row): readonly MenuItem[] {
    if (isBeside(row)) return menuOfChosen(canvas.acts, canvas.context);
    const item = itemOf(canvas.context);
    const outlets = outletsOf(editor, row);
    const isLed = outlets.some(({ edgeId }) => edgeId !== undefined);
    const related = row.kind === "block" ? relatedOf(row) : [];
    return [
      { label: words.open, icon: "pencil", keys: keysOf("enter"), onPress: onOpen },
      item(words.addAfter, () => setAsking({ kind: "block" }), { icon: "plus", command: "addBlock" }),
      ...(row.kind === "block" || row.kind === "item"
        ? [item(words.addItem, () => actions.addItem(row), { icon: "list-plus", command: "addItem" })]
        : []),
      item(words.leadTo, () => askLead(row), {
        icon: "arrow-right",
        command: "connect",
        isDisabled: outlets.length === 0,
      }),
      ...(isLed
        ? [
            item(words.leadNowhere, () => announced(disconnectRow(editor, row)), {
              command: "disconnect",
              icon: "unlink",
            }),
          ]
        : []),
      ...(related.length > 0
        ? [item(words.turnInto, () => setAsking({ kind: "type", row }), { command: "turnInto", icon: "refresh-cw" })]
        : []),
      { kind: "line" },
      ...(row.kind === "block" || row.kind === "item"
        ? [
            item(words.up, () => actions.shift(row, -1), { icon: "arrow-up", command: "up" }),
            item(words.down, () => actions.shift(row, 1), { icon: "arrow-down", command: "down" }),
          ]
        : []),
      ...(row.kind === "block"
        ? [item(words.moveTo, actions.moveTo, { icon: "folder-input", command: "moveTo" })]
        : []),
      item(words.duplicate, actions.duplicate, {
        icon: "copy",
        command: "duplicate",
        isDisabled: row.kind === "event",
      }),
      item(words.copy, doCopy, { icon: "clipboard-copy", command: "copy", isDisabled: row.kind === "event" }),
      item(words.cut, actions.cut, { icon: "scissors", command: "cut", isDisabled: row.kind === "event" }),
      item(words.paste, () => void readClipboard().then((text) => actions.paste(text)), {
        icon: "clipboard-paste",
        command: "paste",
      }),
      { kind: "line" },
      ...onCanvas(row),
      { kind: "line" },
      item(words.remove, actions.remove, { icon: "trash-2", command: "remove", isDanger: true }),
    ];
  }

  /** The actions that the canvas has, too. */
  function onCanvas(row: Row): readonly MenuItem[] {
    const { acts, context, isTried } = canvas;
    const { menu } = canvasMenuWords.peek();
    const { play } = canvasWords.peek();
    const item = itemOf(context);
    const thing = thingOf(row);
    return [
      ...(row.kind === "block"
        ? [
            item(menu.takeOut, () => void acts.takeOut([row.id], acts.besideCard(row.groupId ?? "")), {
              command: "takeOut",
              icon: "square-arrow-out-up-right",
            }),
          ]
        : []),
      ...(row.kind === "group" || row.kind === "event" ? cardItems(acts, context, item) : []),
      ...(!isBeside(thing) && isTried
        ? [{ label: play, icon: "play", keys: keysOf("play"), onPress: () => context.act("play", thing) }]
        : []),
      item(menu.tidyAll, () => void acts.tidyUp("all"), { command: "tidyAll", icon: "wand-sparkles" }),
      keysItem(),
    ];
  }

  function relatedOf(row: Row): readonly BlockType[] {
    const type = editor.store.find.block(row.id)?.block["type"];
    const related = typeof type === "string" ? (types?.get(type)?.editor.related ?? []) : [];
    return related.flatMap((name) => types?.get(name) ?? []);
  }

  const choiceOf = ({ type, family, summary, editor: { name, icon, words: more } }: BlockType): Choice => ({
    value: type,
    label: name,
    detail: summary,
    icon,
    words: more,
    section: picker.families[family],
  });
  const close = (): void => {
    setAsking(undefined);
    focusRow(true);
  };
  const newGroup = (typed: string): readonly Choice[] => [
    { value: "new", label: picker.newGroup(typed.trim()), icon: "folder-plus" },
  ];
  const dialogOf = (now: Asking): ComponentChildren => {
    switch (now.kind) {
      case "text":
        return (
          <TextDialog
            text={now.text}
            onConfirm={() => announced(pasteAsText(editor, now.text, active))}
            onClose={close}
          />
        );
      case "block":
        return (
          <Picker
            title={picker.block}
            label={picker.blockSearch}
            choices={[...(types?.values() ?? [])].filter(({ family }) => family !== "event").map(choiceOf)}
            onPick={add}
            onClose={close}
          />
        );
      case "type":
        return (
          <Picker
            title={words.turnInto}
            label={picker.blockSearch}
            choices={relatedOf(now.row).map(choiceOf)}
            onPick={(value) => {
              const type = types?.get(value);
              if (type) announced(editor.run(changeType, { blockId: now.row.id, type: factsOf(type) }));
            }}
            onClose={close}
          />
        );
      case "lead":
        return (
          <Picker
            title={picker.lead}
            label={picker.leadSearch}
            choices={groupChoices()}
            extra={newGroup}
            onPick={(value, typed) => leadTo(now.from, value, typed)}
            onClose={close}
          />
        );
      case "outlet":
        return (
          <Picker
            title={picker.lead}
            label={picker.leadSearch}
            choices={now.outlets.map(({ pathId, kind }, index) => ({
              value: String(index),
              label: buttonName(active, pathId) ?? kind,
            }))}
            onPick={(value) => {
              const from = now.outlets[Number(value)];
              if (from) setAsking({ kind: "lead", from });
            }}
            onClose={close}
          />
        );
      case "move":
        return (
          <Picker
            title={picker.moveTo}
            label={picker.leadSearch}
            choices={groupChoices()}
            onPick={(groupId) =>
              announced(
                editor.run(moveBlocks, {
                  blockIds: chosen.flatMap(({ kind, id }) => (kind === "block" ? [id] : [])),
                  groupId,
                }),
              )
            }
            onClose={close}
          />
        );
      case "event":
        return (
          <Picker
            title={outline.addEvent}
            label={picker.blockSearch}
            choices={eventTypes.map((value) => ({
              value,
              label: commands.events[value],
              icon: types?.get(value)?.editor.icon ?? "radio",
            }))}
            onPick={(value) => {
              const type = eventTypes.find((one) => one === value);
              if (type) announced(editor.run(addEvent, { type }));
            }}
            onClose={close}
          />
        );
    }
  };

  function buttonName(row: Row | undefined, pathId: string | undefined): string | undefined {
    const items = editor.store.find.block(row?.blockId ?? "")?.block["items"];
    const buttons = Array.isArray(items) ? items.flatMap((one) => (Array.isArray(one?.paths) ? one.paths : [])) : [];
    const text: unknown = buttons.find((one) => one?.id === pathId)?.text;
    return typeof text === "string" && text !== "" ? text : undefined;
  }

  return { ...actions, dialog: asking ? dialogOf(asking) : null };
}

/** The row that is active when these are gone: the next one, else the one before. */
function neighbour(rows: readonly Row[], chosen: readonly Row[]): Row | undefined {
  const keys = new Set(chosen.map(({ key }) => key));
  const inside = (row: Row): boolean =>
    keys.has(row.key) || keys.has(`group:${row.groupId}`) || keys.has(`block:${row.blockId}`);
  const last = rows.findLastIndex(inside);
  return rows.slice(last + 1).find((row) => !inside(row)) ?? rows.slice(0, last).findLast((row) => !inside(row));
}

async function readClipboard(): Promise<string> {
  // Where the browser refuses, copies stay within this tab.
  return (await navigator.clipboard?.readText().catch(() => "")) ?? "";
}
