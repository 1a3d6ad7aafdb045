import { untracked, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { valueAt } from "../../../../core/interpreter/flow.ts";
import { isGroupLocked } from "../../editor/commands/locks.ts";
import { colors } from "../../editor/commands/surroundings.ts";
import { Button, IconButton, Menu, type MenuItem } from "../../ui/index.ts";
import canvasWords from "../../words/en/canvas.json";
import canvasMenuWords from "../../words/en/canvas-menu.json";
import commandWords from "../../words/en/command.json";
import outlineWords from "../../words/en/outline.json";
import { useWords } from "../../words/index.ts";
import type { ActContext } from "../act-context.ts";
import type { Acts } from "../acts.ts";
import { editOnCard } from "../edit-on-card.ts";
import "./icons.ts";

export type BarProps = { readonly acts: Acts; readonly context: ActContext };

/** The toolbar with the actions on the selection, at the lower edge of the canvas where a finger can reach it. */
export function ActBar({ acts, context }: BarProps) {
  const { view, state } = context;
  const isReadOnly = view.source.editor.readOnly.value !== undefined;
  const isConnecting = useComputed(() => state.connecting.value?.isWaiting ?? false).value;
  const isDragging = useComputed(
    () => (view.shift.value ?? state.dragging.value ?? state.sizing.value) !== undefined,
  ).value;
  if (isReadOnly || isDragging) return null;
  if (isConnecting) return <ConnectingBar acts={acts} context={context} />;
  switch (view.selection.now.value.kind) {
    case "nothing":
      return null;
    case "edge":
      return <EdgeBar acts={acts} context={context} />;
    default:
      return <CardsBar acts={acts} context={context} />;
  }
}

type BarPlaceProps = { readonly label: string; readonly children: ComponentChildren };

/**
 * A toolbar centred on the canvas. The toolbar does not move while the pointer is over it: a panel that opens beside
 * the canvas shifts the centre, and the next press would hit another button.
 */
function Bar({ label, children }: BarPlaceProps) {
  const [left, setLeft] = useState<number>();
  return (
    <div
      class="act-bar"
      role="toolbar"
      aria-label={label}
      style={left === undefined ? {} : { left: `${left}px` }}
      onPointerEnter={({ currentTarget, pointerType }) => pointerType !== "touch" && setLeft(currentTarget.offsetLeft)}
      onPointerLeave={() => setLeft(undefined)}
    >
      {children}
    </div>
  );
}

function ConnectingBar({ context: { state, view } }: BarProps) {
  const { connecting: words } = useWords(canvasMenuWords);
  const stop = (): void => {
    state.connecting.value = undefined;
    view.focus();
  };
  return (
    <Bar label={words.label}>
      <p class="act-bar-text">
        <strong>{words.label}</strong> <span>{words.help}</span>
      </p>
      <Button
        label={words.search}
        size="s"
        icon="search"
        onPress={() => {
          const from = state.connecting.value?.port.outlet;
          stop();
          if (from) state.asking.value = { kind: "lead", from };
        }}
      />
      <Button label={words.cancel} size="s" kind="quiet" onPress={stop} />
    </Bar>
  );
}

function EdgeBar({ acts, context: { state } }: BarProps) {
  const { bar: words } = useWords(canvasMenuWords);
  return (
    <Bar label={words.label}>
      <Button
        label={words.insert}
        size="s"
        icon="plus"
        onPress={() => (state.asking.value = { kind: "block", place: acts.placeForBlock() })}
      />
      <Button
        label={words.leads}
        size="s"
        kind="quiet"
        icon="arrow-right"
        onPress={() => {
          const edge = acts.chosen.edge();
          if (edge) state.asking.value = { kind: "lead", from: edge.port.outlet };
        }}
      />
      <IconButton size="s" icon="trash-2" label={words.remove} onPress={acts.removeChosen} />
    </Bar>
  );
}

function CardsBar({ acts, context }: BarProps) {
  const { bar: words, menu } = useWords(canvasMenuWords);
  const { menu: common, outline } = useWords(outlineWords);
  const { play } = useWords(canvasWords);
  const { state, act } = context;
  const { editor } = context.bot;
  const selection = editor.selection.focus.value;
  const cards = editor.selection.cards.value;
  const beside = editor.selection.beside.value;
  const [first] = beside;
  editor.store.structure.value;
  useComputed(() => editor.store.draft.value.editor).value;
  // The draft is a new object after each keystroke, so the component subscribes only to the facts that it shows.
  const draft = editor.store.draft.peek();
  const count = cards.size + beside.length;
  const several = editor.selection.blocks.value.length;
  const isRow = (selection?.kind === "block" || selection?.kind === "item") && count < 2 && beside.length === 0;
  const groupIds = [...cards].filter((id) => editor.store.find.group(id));
  const areLocked = groupIds.length > 0 && groupIds.every((id) => isGroupLocked(draft, id));
  // A single group's title or a block's text can be edited on the card.
  const [groupId] = groupIds;
  const isText = useComputed(() => {
    const at = editor.selection.focus.value;
    const block = at?.kind === "block" ? editor.store.block(at.id).value?.block : undefined;
    return Array.isArray(valueAt(block, "content", "richText"));
  }).value;
  const hasText = isRow && isText;
  const renamed =
    hasText && selection ? { id: "", blockId: selection.id } : isRow || !groupId ? undefined : { id: groupId };
  // Actions on a single object are hidden while several objects are selected.
  const isOne = count < 2 && several < 2 && beside.length === 0;
  // Read without a subscription, because the scene changes with every text on a card.
  const ports = isOne ? untracked(acts.chosen.portsOf) : [];
  return (
    <Bar label={words.label}>
      {count > 1 && <span class="act-bar-text">{words.chosen({ count })}</span>}
      {several > 1 && <span class="act-bar-text">{outline.blocks({ count: several })}</span>}
      {isOne && (
        <IconButton
          size="s"
          icon="plus"
          label={common.addAfter}
          onPress={() => (state.asking.value = { kind: "block", place: acts.placeForBlock() })}
        />
      )}
      {ports.length > 0 && <IconButton size="s" icon="arrow-right" label={words.leads} onPress={acts.askLead} />}
      {first && count === 1 && (
        <IconButton size="s" icon="pencil" label={words.write} onPress={() => acts.write(first)} />
      )}
      {renamed !== undefined && count < 2 && several < 2 && (
        <IconButton
          size="s"
          icon="pencil"
          label={hasText ? menu.writeText : menu.rename}
          onPress={() => editOnCard(context, renamed)}
        />
      )}
      {isOne && selection && act && (
        <IconButton size="s" icon="play" label={play} onPress={() => act("play", selection)} />
      )}
      {several > 1 && (
        <IconButton
          size="s"
          icon="folder-input"
          label={common.moveTo}
          onPress={() => (state.asking.value = { kind: "move", blockIds: acts.chosen.blockIds() })}
        />
      )}
      {!isRow && (groupIds.length > 0 || beside.length > 0) && <ColorMenu acts={acts} />}
      <IconButton
        size="s"
        icon="copy"
        label={words.duplicate}
        isDisabled={!isRow && groupIds.length === 0 && beside.length === 0}
        onPress={acts.duplicateChosen}
      />
      {!isRow && groupIds.length > 0 && (
        <IconButton
          size="s"
          icon={areLocked ? "lock" : "lock-open"}
          label={areLocked ? words.unlock : words.lock}
          isPressed={areLocked}
          onPress={() => acts.lock(!areLocked)}
        />
      )}
      {count > 1 && <ArrangeMenu acts={acts} count={count} />}
      <IconButton size="s" icon="trash-2" label={words.remove} onPress={acts.removeChosen} />
    </Bar>
  );
}

function ColorMenu({ acts }: Pick<BarProps, "acts">) {
  const { bar: words } = useWords(canvasMenuWords);
  const { colors: names } = useWords(commandWords);
  const items = (): readonly MenuItem[] => [
    ...colors.map((color) => ({ label: names[color], icon: `color-${color}`, onPress: () => void acts.paint(color) })),
    { kind: "line" as const },
    { label: words.noColor, onPress: () => void acts.paint(undefined) },
  ];
  return <Menu label={words.color} icon="palette" isIconOnly kind="quiet" size="s" items={items} class="color-menu" />;
}

function ArrangeMenu({ acts, count }: Pick<BarProps, "acts"> & { readonly count: number }) {
  const { bar: words, menu } = useWords(canvasMenuWords);
  const { acts: names } = useWords(commandWords);
  const edges = ["left", "center", "right", "top", "middle", "bottom"] as const;
  const items = (): readonly MenuItem[] => [
    ...edges.map((edge) => ({ label: names.align[edge], onPress: () => void acts.align(edge) })),
    ...(count > 2
      ? (["across", "down"] as const).map((axis) => ({
          label: names.distribute[axis],
          onPress: () => void acts.distribute(axis),
        }))
      : []),
    { kind: "line" as const },
    { label: menu.frameAround, icon: "frame", onPress: () => acts.addFrame() },
    { label: menu.tidyChosen, icon: "wand-sparkles", onPress: () => void acts.tidyUp("chosen") },
  ];
  return <Menu label={words.align} icon="wand-sparkles" isIconOnly kind="quiet" size="s" items={items} />;
}
