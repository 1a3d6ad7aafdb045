import { batch, type Signal, signal } from "@preact/signals";
import type { DraftDocument } from "../../../../core/editing/changes/change.ts";
import { lookAt, placeOn } from "../../canvas/comparison/comparison.ts";
import { comparisonOverlays } from "../../canvas/comparison/comparison-overlays.tsx";
import { createView, type OpenView, type Overlay } from "../../canvas/index.tsx";
import {
  eachThing,
  edgesGone,
  marksOf,
  placesLeft,
  type Signed,
  signOf,
  type ThingChange,
  withRemoved,
} from "../../difference/index.ts";
import type { OpenBot } from "../../editor/index.ts";
import { blockIdOf } from "../../editor/selection.ts";
import { readOnlyBot } from "../../reading/read-only-bot.ts";
import type { ReadBot } from "./service.ts";

/** Two flows in one picture, with functions that step through their differences. */
export type Comparison = {
  readonly open: OpenBot;
  readonly view: OpenView;
  readonly marks: Signal<ReturnType<typeof marksOf>>;
  readonly overlays: readonly Overlay[];
  /** The entries with a sign, in the order of the list. */
  readonly stops: readonly ThingChange[];
  /** Whether any difference is visible on the canvas. */
  readonly isOnCanvas: boolean;
  /** The key of the current entry. */
  readonly current: Signal<string | undefined>;
  changed(key: string | undefined): ThingChange | undefined;
  /** Makes an entry current and shows its card. */
  goTo(changed: ThingChange): void;
  /** Moves to the next or previous entry. After the last entry, starts again with the first. */
  step(by: 1 | -1): void;
  /** Makes the entry of the object that is selected on the canvas current. */
  follow(): void;
  /** Shows the card of the current entry again after the canvas was resized. */
  stay(): void;
  /** Sets the first view, see `placeOn`. Must be called again while the canvas has no size. */
  place(): void;
};

export type ComparisonOf = {
  readonly bot: ReadBot;
  readonly before: DraftDocument;
  readonly after: DraftDocument;
  readonly changed: readonly ThingChange[];
  readonly words: Readonly<Record<Signed, string>>;
};

export function createComparison({ bot, before, after, changed, words }: ComparisonOf): Comparison {
  const open = readOnlyBot(bot, withRemoved(before, after));
  const view = createView(open);
  const { selection, store } = open.editor;
  const lines = [...eachThing([...changed.filter((one) => one.isNoticed), ...changed.filter((one) => !one.isNoticed)])];
  const byKey = new Map(lines.map((one) => [one.key, one]));
  const byThing = keysOf(lines);
  const stops = lines.filter((one) => signOf(one) !== undefined);
  const places = new Map(stops.map((one, index) => [one.key, index]));
  const current = signal<string | undefined>(undefined);

  const boxOf = (one: ThingChange) => {
    const { id = "", blockId = "" } = one;
    if (one.of === "edge") return view.scene.value.edges.find((edge) => edge.id === id)?.box;
    const card = view.scene.value.cards.get(id);
    if (card) return card.box;
    const found = view.scene.value.rowOf(one.of === "item" ? blockId : id);
    return found && { ...found.card.box, y: found.card.box.y + found.row.y, height: found.row.height };
  };
  const bringIntoView = (one: ThingChange | undefined): void => {
    const box = one && boxOf(one);
    if (box) lookAt(view, box);
  };
  const goTo = (one: ThingChange): void => {
    batch(() => {
      current.value = one.key;
      if (one.of === "edge" && one.id !== undefined) selection.act({ kind: "selectEdge", id: one.id });
      else selection.select(selectionOf(one));
    });
    bringIntoView(one);
  };
  const cards = (among: readonly ThingChange[]): readonly string[] => [
    ...new Set(among.flatMap(({ of, id = "", groupId = "" }) => (of === "block" || of === "item" ? groupId : id))),
  ];
  const noticed = stops.filter((one) => one.isNoticed);

  return {
    ...{ open, view, stops, current, goTo },
    marks: signal(marksOf(changed, words)),
    overlays: comparisonOverlays(view, { gone: edgesGone(changed), left: placesLeft(changed) }),
    isOnCanvas: stops.some(({ of }) => onCanvas.has(of)),
    changed: (key) => byKey.get(key ?? ""),
    step(by) {
      const at = places.get(current.value ?? "");
      const next = at === undefined ? (by === 1 ? 0 : stops.length - 1) : (at + by + stops.length) % stops.length;
      const one = stops[next];
      if (one) goTo(one);
    },
    follow() {
      const now = selection.focus.value;
      const edgeId = selection.edge.value;
      if (!now && edgeId === undefined) return;
      const blockId = blockIdOf(now);
      const groupId = blockId === undefined ? undefined : store.find.block(blockId)?.groupId;
      const keys = now
        ? [`${now.kind} ${now.id} ${now.blockId ?? ""}`, `block ${blockId} `, `group ${groupId} `]
        : [`edge ${edgeId} `];
      const key = keys.map((one) => byThing.get(one)).find((one) => one !== undefined);
      current.value = key;
    },
    stay: () => bringIntoView(byKey.get(current.value ?? "")),
    place: () => placeOn(view, cards(noticed.length > 0 ? noticed : stops)),
  };
}

const onCanvas: ReadonlySet<string> = new Set(["group", "block", "item", "event", "edge"]);

/**
 * Returns the keys of entries by the id of the selected object. An edge has the entry of the outlet at which it begins.
 */
function keysOf(lines: readonly ThingChange[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const { of, id, blockId = "", key, leads } of lines) {
    keys.set(`${of} ${id} ${of === "item" ? blockId : ""}`, key);
    for (const { outlet } of leads) if (outlet.edgeId !== undefined) keys.set(`edge ${outlet.edgeId} `, key);
  }
  return keys;
}

function selectionOf({ of, id, blockId }: ThingChange) {
  if (id === undefined) return undefined;
  if (of === "group" || of === "block" || of === "event") return { kind: of, id } as const;
  return of === "item" && blockId !== undefined ? ({ kind: of, id, blockId } as const) : undefined;
}
