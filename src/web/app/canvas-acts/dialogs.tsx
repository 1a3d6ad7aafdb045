import { useState } from "preact/hooks";
import type { Port } from "../canvas/contract.ts";
import { around, type Box } from "../editor/commands/arrange.ts";
import { addEvent, eventTypes } from "../editor/commands/events.ts";
import { colors } from "../editor/commands/surroundings.ts";
import { type BlockType, sectionOf } from "../forms/reading.ts";
import { TextDialog } from "../pasting/text-dialog.tsx";
import { announce, Button, Dialog, TextField } from "../ui/index.ts";
import { type Choice, Picker } from "../ui/picker.tsx";
import canvasActWords from "../words/en/canvas-act.json";
import canvasMenuWords from "../words/en/canvas-menu.json";
import commandWords from "../words/en/command.json";
import outlineWords from "../words/en/outline.json";
import { useWords } from "../words/index.ts";
import type { ActContext } from "./act-context.ts";
import type { Acts } from "./acts.ts";
import { goAlong } from "./keys.ts";
import type { Asking } from "./state.ts";
import "./dialogs.css";
import "./menu/icons.ts";

export type DialogsProps = {
  readonly acts: Acts;
  readonly context: ActContext;
  readonly types: ReadonlyMap<string, BlockType> | undefined;
};

/** The dialogs of the canvas, for example to choose a block, a target, or one of several edges. */
export function Dialogs(props: DialogsProps) {
  const asking = props.context.state.asking.value;
  return asking ? <Asked key={JSON.stringify(asking.kind)} {...props} asking={asking} /> : null;
}

function Asked({ acts, context, types, asking }: DialogsProps & { readonly asking: Asking }) {
  const { picker, menu, outline } = useWords(outlineWords);
  const words = useWords(canvasActWords);
  const { bar } = useWords(canvasMenuWords);
  const { acts: names, colors: colorNames, events: eventNames } = useWords(commandWords);
  const { view, state } = context;
  const { cards } = view.scene.value;
  const close = (): void => {
    // The last choice may already have opened another dialog.
    if (state.asking.value === asking) state.asking.value = undefined;
    context.focus();
  };
  const typeChoice = (known: BlockType): Choice => ({
    value: known.type,
    label: known.editor.name,
    detail: known.summary,
    icon: known.editor.icon,
    family: known.editor.family,
    words: known.editor.words,
    section: picker.families[sectionOf(known)],
  });
  const groupChoices = (): readonly Choice[] =>
    [...cards.values()].flatMap(({ id, kind, title }) =>
      kind === "group" ? [{ value: id, label: title, icon: "folder" }] : [],
    );
  switch (asking.kind) {
    case "block":
      return (
        <Picker
          title={picker.block}
          label={picker.blockSearch}
          choices={[...(types?.values() ?? [])].filter(({ family }) => family !== "event").map(typeChoice)}
          point={asking.line?.point}
          onPick={(type) => acts.add(type, asking.place)}
          onClose={close}
        />
      );
    case "type": {
      const type = context.bot.editor.store.find.block(asking.blockId)?.block["type"];
      const related = (typeof type === "string" && types?.get(type)?.editor.related) || [];
      return (
        <Picker
          title={menu.turnInto}
          label={picker.blockSearch}
          choices={related.flatMap((name) => types?.get(name) ?? []).map(typeChoice)}
          onPick={(value) => acts.turnInto(asking.blockId, value)}
          onClose={close}
        />
      );
    }
    case "lead":
      return (
        <Picker
          title={picker.lead}
          label={picker.leadSearch}
          choices={groupChoices()}
          extra={(typed) => [{ value: "new", label: picker.newGroup({ title: typed.trim() }), icon: "folder-plus" }]}
          onPick={(value, typed) => {
            const cardId = cardOf(acts, context, asking.from);
            if (value === "new") acts.newGroup(asking.from, typed, cardId);
            else acts.lead(asking.from, { groupId: value });
          }}
          onClose={close}
        />
      );
    case "port":
      return (
        <Picker
          title={picker.port}
          label={picker.portSearch}
          choices={asking.ports.map((port, index) => ({ value: String(index), label: nameOfPort(context, port) }))}
          onPick={(value) => {
            const port = asking.ports[Number(value)];
            if (port) state.asking.value = { kind: "lead", from: port.outlet };
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
          onPick={(groupId) => void acts.moveBlocks(asking.blockIds, groupId)}
          onClose={close}
        />
      );
    case "edge":
      return (
        <Picker
          title={words.follow[asking.way]}
          label={picker.leadSearch}
          choices={asking.edges.map(({ port, toCardId }, index) => {
            const card = cards.get((asking.way === "on" ? toCardId : port.cardId) ?? "");
            return {
              value: String(index),
              label: card?.title ?? "",
              detail: nameOfPort(context, port),
              icon: "arrow-right",
            };
          })}
          onPick={(value) => {
            const edge = asking.edges[Number(value)];
            if (edge) goAlong(view, edge, asking.way);
          }}
          onClose={close}
        />
      );
    case "color":
      return (
        <Picker
          title={bar.color}
          label={bar.color}
          choices={[
            { value: "", label: bar.noColor },
            ...colors.map((value) => ({ value, label: colorNames[value], icon: `color-${value}` })),
          ]}
          onPick={(value) => acts.paint(colors.find((color) => color === value))}
          onClose={close}
        />
      );
    case "position":
      return (
        <PositionDialog
          acts={acts}
          boxes={asking.boxes}
          title={names.moveThings({ count: asking.boxes.length })}
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
            label: eventNames[value],
            icon: types?.get(value)?.editor.icon ?? "radio",
          }))}
          onPick={(value) => {
            const type = eventTypes.find((one) => one === value);
            if (type) acts.run(addEvent, { type });
          }}
          onClose={close}
        />
      );
    case "text":
      return (
        <TextDialog text={asking.text} onConfirm={() => acts.pasteAsText(asking.text, asking.at)} onClose={close} />
      );
    default:
      return asking satisfies never;
  }
}

function cardOf(
  acts: Acts,
  { view }: ActContext,
  from: { readonly from: { readonly [key: string]: unknown } },
): string {
  const { blockId, eventId } = from.from;
  if (typeof eventId === "string") return eventId;
  return (typeof blockId === "string" && view.scene.value.rowOf(blockId)?.card.id) || (acts.chosen.cardIds()[0] ?? "");
}

/** Returns the text of the row at which an edge begins. */
function nameOfPort({ view }: ActContext, { cardId, key }: Port): string {
  const card = view.scene.value.cards.get(cardId);
  const row = card?.rows.find(({ port }) => port?.key === key);
  return row?.text || (card?.title ?? "");
}

type PositionProps = {
  readonly acts: Acts;
  readonly boxes: readonly Box[];
  readonly title: string;
  readonly onClose: () => void;
};

function PositionDialog({ acts, boxes, title, onClose }: PositionProps) {
  const { position: words } = useWords(canvasMenuWords);
  const now = around(boxes);
  const [x, setX] = useState(String(Math.round(now.x)));
  const [y, setY] = useState(String(Math.round(now.y)));
  const [isWrong, setWrong] = useState(false);
  const apply = (): void => {
    const to = { x: Number(x), y: Number(y) };
    if (x.trim() === "" || y.trim() === "" || !Number.isInteger(to.x) || !Number.isInteger(to.y)) {
      setWrong(true);
      announce(words.number, "assertive");
      return;
    }
    acts.moveTo(boxes, to);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    apply();
  };
  return (
    <Dialog title={words.title} text={title} size="s" onClose={onClose}>
      <div class="position-fields">
        <TextField
          label={words.x}
          value={x}
          onInput={setX}
          onKeyDown={onKeyDown}
          {...(isWrong && { error: words.number })}
        />
        <TextField label={words.y} value={y} onInput={setY} onKeyDown={onKeyDown} />
        <Button label={words.apply} kind="primary" onPress={apply} />
      </div>
    </Dialog>
  );
}
