import { untracked, useComputed } from "@preact/signals";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { isGroupLocked } from "../editor/commands/locks.ts";
import type { Counts } from "../editor/findings/findings.ts";
import { familyClass } from "../ui/icon.tsx";
import { iconNamed } from "../ui/icons.ts";
import canvasWords from "../words/en/canvas.json";
import { findingsText } from "../words/findings-text.ts";
import { useWords } from "../words/index.ts";
import type { Card, CardRow, Mark } from "./contract.ts";
import { isRowOf } from "./row-selection.ts";
import { nameOfCard, nameOfRow } from "./spoken.ts";
import { useEffectNow } from "./use-effect-now.ts";
import type { OpenView } from "./view.ts";

let sheet: CSSStyleSheet | undefined;
const known = new Set<string>();

/**
 * Returns a class that shows an icon before the text of an element, in the colour of the text. With this class, a row
 * of a card is one element. With an SVG, it would be five elements. The element's style can use `--icon` to draw the
 * icon differently.
 */
function iconClass(name: string): string {
  const className = `icon-${name.replaceAll(/[^a-z0-9-]/gi, "")}`;
  if (known.has(className)) return className;
  known.add(className);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  sheet.insertRule(
    `.${className}::before { --icon: url("data:image/svg+xml,${encodeURIComponent(pictureOf(name))}"); mask-image: var(--icon) }`,
  );
  return className;
}

function pictureOf(name: string): string {
  const parts = iconNamed(name).map(([tag, attributes]) => {
    const list = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
    return `<${tag} ${list.join(" ")}/>`;
  });
  const how = 'fill="none" stroke="#000" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" ${how}>${parts.join("")}</svg>`;
}

/**
 * The cards that are rendered as elements. Rendered again when cards are added or removed; unchanged cards are skipped.
 */
export function Cards({ view }: { readonly view: OpenView }) {
  const made = useRef(new Map<string, VNode>());
  const next = new Map<string, VNode>();
  const list = view.drawn.value.cards.map((id) => {
    const node = made.current.get(id) ?? <CardView key={id} view={view} id={id} />;
    next.set(id, node);
    return node;
  });
  made.current = next;
  useEffectNow(() => markChosen(view), [view]);
  return <div class="canvas-cards">{list}</div>;
}

/** Sets the selection as a class on the card elements, so that no card has to be rendered again. */
function markChosen({ selection, drawn, elements }: OpenView): void {
  const ids = selection.cards.value;
  // A card that is rendered later reads the selection itself.
  for (const id of drawn.peek().cards) elements.get(id)?.classList.toggle("is-chosen", ids.has(id));
}

/** Returns the element id of a card, by which the selection is announced to screen readers. */
export function cardElementId(id: string): string {
  return `card-${id.replaceAll(/\s/g, "_")}`;
}

export function rowElementId({ blockId, itemId, y }: CardRow): string {
  return `card-row-${`${blockId}-${itemId ?? ""}`.replaceAll(/\s/g, "_")}-${y}`;
}

/**
 * A card. Rendered again when the card, its marks, its colour or its lock change, but not at each change of the flow.
 */
function CardView({ view, id }: { readonly view: OpenView; readonly id: string }) {
  const words = useWords(canvasWords);
  const card = useComputed(() => view.scene.value.cards.get(id)).value;
  const marked = useComputed(() => marksKey(view, id)).value;
  const color = useComputed(() => colorOf(view, id)).value;
  const isLocked = useComputed(() => isGroupLocked(view.source.editor.store.draft.value, id)).value;
  if (!card) return null;
  const { x, y, width, height } = card.box;
  // `marked` changes only with the marks, the row selection and the target titles of this card. A subscription to all
  // marks would render every card at each change.
  const { counts, walked, mark, isChosen, name } = untracked(() => ({
    ...marksOf(view, id),
    isChosen: view.selection.cards.value.has(id),
    name: nameOfCard(view, card, { words, isLocked }),
  }));
  const isWalked = card.rows.some(({ blockId }) => walked?.blockIds.has(blockId));
  const act = view.act.value;
  const icon = card.kind === "event" ? `${iconClass(eventIcon(view, id))} ${familyClass("events")}` : "";
  const classes = [
    ...["canvas-card", `is-${card.kind}`, color && `has-color is-${color}`, isChosen && "is-chosen"],
    ...[card.rows.length === 0 && "is-bare", isWalked && "is-walked", markClass(mark)],
  ];
  return (
    <div
      ref={(element) => noteElement(view, id, element)}
      id={cardElementId(id)}
      class={classes.filter(Boolean).join(" ")}
      {...{ role: "group", "aria-label": name }}
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
    >
      <div class={`canvas-title ${icon} ${card.kind === "event" ? portClass(card.ports[0]) : foldedPort(card)}`}>
        <span class="canvas-title-text">{card.title}</span>
        {act && (
          <button
            class={`canvas-play ${iconClass("play")}`}
            {...{ type: "button", tabIndex: -1, title: words.play, "aria-label": words.play }}
            onClick={() => act("play", card)}
          />
        )}
        {isLocked && <span class={`canvas-found ${iconClass("lock")}`} title={words.locked} />}
        {mark && <Sign mark={mark} />}
        {counts && <Found counts={counts} onPress={act && (() => act("findings", card))} isWhole />}
      </div>
      {card.kind === "group" && card.rows.length === 0 && height > 40 && (
        <div class="canvas-empty">{words.card.empty}</div>
      )}
      {card.rows.map((row, index) => (
        <RowView key={index} view={view} row={row} marked={marked} />
      ))}
    </div>
  );
}

type RowProps = { readonly view: OpenView; readonly row: CardRow; readonly marked: string };

/** `marked` contains the marks of the whole card, so that an unchanged row is rendered again when its marks change. */
function RowView({ view, row }: RowProps) {
  const words = useWords(canvasWords);
  const { kind, blockId, itemId, text, lines, icon, family, variable, isNameOnly, port, picture } = row;
  // Read without a subscription, because a change of the `marked` property renders the row again anyway.
  const { counts, walked, mark, isActive, name } = untracked(() => ({
    ...(kind === "block" || kind === "item" ? marksOf(view, itemId ?? blockId) : undefined),
    isActive: isSelected(view, row),
    name: nameOfRow(view, row, words),
  }));
  const classes = [
    ...["canvas-row", `is-${kind}`, lines === 2 && "is-two", isNameOnly && "is-name", isActive && "is-active"],
    (kind === "block" || kind === "way") && iconClass(icon ?? "square-dashed"),
    kind === "block" && familyClass(family),
    kind === "block" && walked?.blockIds.has(blockId) && "is-walked",
    kind === "block" && walked?.waitsAt === blockId && "is-waiting",
    ...[portClass(port), markClass(mark)],
  ];
  return (
    <div id={rowElementId(row)} class={classes.filter(Boolean).join(" ")} {...{ role: "group", "aria-label": name }}>
      <span class="canvas-text">{text.includes("{{") ? text.split(/\{\{([^{}]+)\}\}/).map(toChip) : text}</span>
      {picture !== undefined && <img class="canvas-thumb" src={picture} alt="" loading="lazy" onError={hide} />}
      {variable !== undefined && <span class="canvas-variable">{variable}</span>}
      {mark && <Sign mark={mark} />}
      {counts && <Found counts={counts} />}
    </div>
  );
}

function markClass(mark: Mark | undefined): string {
  return mark ? `has-mark is-${mark.tone}${mark.isHatched ? " is-hatched" : ""}` : "";
}

function Sign({ mark }: { readonly mark: Mark }) {
  if (mark.sign === "") return null;
  if (mark.bars) {
    const { reached, left } = mark.bars;
    return (
      <span class="canvas-rate" title={mark.label} style={{ "--reached": reached, "--left": left }}>
        {mark.sign}
      </span>
    );
  }
  return (
    <span class="canvas-sign" title={mark.label}>
      {mark.sign}
    </span>
  );
}

/** Renders every second part of a text as a variable name. */
function toChip(part: string, index: number) {
  return index % 2 === 0 ? part : <span class="canvas-chip">{part}</span>;
}

function hide({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  currentTarget.hidden = true;
}

type FoundProps = { readonly counts: Counts; readonly isWhole?: boolean; readonly onPress?: (() => void) | undefined };

/**
 * The number of findings, in the shape and colour of the highest severity. A card shows errors and warnings separately.
 * Hints are shown only if there are no errors and warnings.
 */
function Found({ counts, isWhole = false, onPress }: FoundProps) {
  const { errors, warnings, infos } = counts;
  const all = [
    [errors, "danger", "circle-alert"],
    [warnings, "warning", "triangle-alert"],
    [infos, "neutral", "info"],
  ] as const;
  const shown = all.filter(([count], index) => count > 0 && (index < 2 || errors + warnings === 0));
  const label = findingsText(counts);
  const signs = shown.slice(0, isWhole ? 2 : 1).map(([count, tone, icon]) => (
    <span key={tone} class={`canvas-found is-${tone} ${iconClass(icon)}`}>
      {isWhole || count > 1 ? count : ""}
    </span>
  ));
  return onPress ? (
    <button
      class="canvas-marks"
      {...{ type: "button", tabIndex: -1, title: label, "aria-label": label }}
      onClick={onPress}
    >
      {signs}
    </button>
  ) : (
    signs
  );
}

function marksOf(view: OpenView, id: string) {
  return {
    counts: view.source.findings.byThing.value.get(id),
    walked: view.source.editor.walked.value,
    mark: view.marks.value?.value.get(id),
  };
}

/**
 * Returns the marks, the row selection and the target titles of a card as a text. The text changes when the card must
 * be rendered again.
 */
function marksKey(view: OpenView, id: string): string {
  const scene = view.scene.value;
  const card = scene.cards.get(id);
  if (!card) return "";
  const found = view.source.findings.byThing.value;
  const marks = view.marks.value?.value;
  const walked = view.source.editor.walked.value;
  const selection = view.selection.focus.value;
  const several = view.selection.blocks.value;
  const countsOf = (own: string): string => {
    const counts = found.get(own);
    return counts ? `${counts.errors},${counts.warnings},${counts.infos}` : "";
  };
  let key = `${countsOf(id)} ${keyOfMark(marks?.get(id))}`;
  for (const { kind, blockId, itemId } of card.rows) {
    const thing = itemId ?? blockId;
    if (found.size > 0) key += countsOf(thing);
    if (marks) key += keyOfMark(marks.get(thing));
    if (walked && kind === "block")
      key += `${walked.blockIds.has(blockId) ? "w" : ""}${walked.waitsAt === blockId ? "h" : ""}`;
    if (selection?.id === thing || several.includes(thing)) key += `s${kind}${selection?.part ?? ""}`;
    key += "|";
  }
  for (const { port, toCardId } of scene.edgesOf(id)) {
    if (port.cardId === id) key += `${scene.cards.get(toCardId ?? "")?.title}|`;
  }
  return key;
}

function keyOfMark(mark: Mark | undefined): string {
  return mark ? `${mark.sign} ${mark.label}` : "";
}

function isSelected(view: OpenView, row: CardRow): boolean {
  if (row.kind === "block" && view.selection.blocks.value.includes(row.blockId)) return true;
  const focused = view.selection.focus.value;
  return focused !== undefined && isRowOf(row, focused);
}

function portClass(port: Card["ports"][number] | undefined): string {
  if (!port) return "";
  return `has-port${port.outlet.edgeId === undefined ? "" : " leads"}${port.isQuiet ? " is-quiet" : ""}`;
}

/** Returns the port classes for the title of a folded card, where the card's edges start. */
function foldedPort({ rows, ports }: Card): string {
  return rows.length === 0 && ports.length > 0 ? "has-port leads" : "";
}

function eventIcon(view: OpenView, id: string): string {
  const type = String(view.source.editor.store.find.event(id)?.["type"] ?? "");
  return view.types.value?.get(type)?.editor.icon ?? (type === "start" ? "play" : "radio");
}

function colorOf(view: OpenView, id: string): string | undefined {
  const colors: unknown = view.source.editor.store.draft.value.editor?.["colors"];
  if (typeof colors !== "object" || colors === null || !Object.hasOwn(colors, id)) return undefined;
  const color: unknown = Reflect.get(colors, id);
  return typeof color === "string" && /^[a-z]+$/.test(color) ? color : undefined;
}

function noteElement(view: OpenView, id: string, element: Element | null): void {
  if (element) view.elements.set(id, element);
  else view.elements.delete(id);
}
