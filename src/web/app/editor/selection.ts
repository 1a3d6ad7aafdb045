import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type FlowThing, itemsIn } from "./commands/command.ts";
import { framesIn, notesIn } from "./commands/surroundings.ts";
import type { Store } from "./store.ts";

/** A note or a frame, which are outside the flow. */
export type Beside = { readonly kind: "note" | "frame"; readonly id: string };

/** An object that can be selected together with other objects. */
export type Selectable = FlowThing | Beside;

type Edge = { readonly kind: "edge"; readonly id: string };

/** The selection in an open bot. The last of several objects has the focus. */
export type Selection =
  | { readonly kind: "nothing" }
  | Edge
  | { readonly kind: "one"; readonly thing: Selectable }
  | { readonly kind: "several"; readonly things: readonly Selectable[] };

export type SelectionAct =
  /** Selects only this object. Without an object, clears the selection. */
  | { readonly kind: "select"; readonly thing?: Selectable | undefined }
  | { readonly kind: "selectEdge"; readonly id: string }
  /**
   * Selects all given objects. With `keepsFocus`, the focused object keeps the focus if it is included. Otherwise, the
   * last object gets the focus.
   */
  | { readonly kind: "selectAll"; readonly things: readonly Selectable[]; readonly keepsFocus?: true }
  /**
   * Adds an object to the selection or removes it. An item counts as its block. Blocks can be selected together with
   * blocks, and cards together with cards, notes and frames.
   */
  | { readonly kind: "toggle"; readonly thing: Selectable }
  /**
   * Adds an object and focuses it. If the object is already selected, the previously focused object is removed from the
   * selection.
   */
  | { readonly kind: "extend"; readonly thing: Selectable }
  /** Moves the focus within several selected objects. An object outside the selection is selected by itself. */
  | { readonly kind: "focus"; readonly thing: Selectable };

const nothing: Selection = { kind: "nothing" };

/** Returns the selection after an action, without side effects. */
export function afterAct(now: Selection, act: SelectionAct): Selection {
  switch (act.kind) {
    case "select":
      return selectionOf(act.thing ? [act.thing] : []);
    case "selectEdge":
      return { kind: "edge", id: act.id };
    case "selectAll": {
      const focused = act.keepsFocus && thingsOf(now).at(-1);
      return selectionOf(focused && has(act.things, focused) ? withLast(act.things, focused) : act.things);
    }
    case "toggle": {
      const thing = isInCard(act.thing) ? blockOf(act.thing) : act.thing;
      const others = togetherWith(thing, now);
      return selectionOf(has(others, thing) ? without(others, thing) : [...others, thing]);
    }
    case "extend": {
      const others = togetherWith(act.thing, now);
      const last = others.at(-1);
      return selectionOf(withLast(last && has(others, act.thing) ? without(others, last) : others, act.thing));
    }
    case "focus": {
      const things = thingsOf(now);
      const last = things.at(-1);
      if (last && isSameThing(last, act.thing)) return now;
      return selectionOf(has(things, act.thing) ? withLast(things, act.thing) : [act.thing]);
    }
    default:
      return act satisfies never;
  }
}

/**
 * Removes objects and edges that no longer exist from the selection. A single selected object of the flow stays
 * selected, so that its form can report the removal.
 */
export function remaining(now: Selection, isThere: (thing: Selectable | Edge) => boolean): Selection {
  if (now.kind === "edge") return isThere(now) ? now : nothing;
  if (now.kind === "one") return isBeside(now.thing) && !isThere(now.thing) ? nothing : now;
  if (now.kind !== "several") return now;
  const things = now.things.filter(isThere);
  return things.length === now.things.length ? now : selectionOf(things);
}

function selectionOf(things: readonly Selectable[]): Selection {
  const [thing] = things;
  return things.length > 1 ? { kind: "several", things } : thing ? { kind: "one", thing } : nothing;
}

/** Returns the selected objects, with the focused object last. */
export function thingsOf(selection: Selection): readonly Selectable[] {
  if (selection.kind === "several") return selection.things;
  return selection.kind === "one" ? [selection.thing] : [];
}

export function isBeside<T extends { readonly kind: string }>(
  thing: T,
): thing is T & { readonly kind: "note" | "frame" } {
  return thing.kind === "note" || thing.kind === "frame";
}

/** Whether an object is in a card, which is the case for blocks and items. */
export function isInCard<T extends { readonly kind: string }>(
  thing: T,
): thing is T & { readonly kind: "block" | "item" } {
  return thing.kind === "block" || thing.kind === "item";
}

/** Returns the id of a block, or of an item's block. For all other objects, returns their own id. */
export function blockIdOf(thing: { readonly id: string; readonly blockId?: string } | undefined): string | undefined {
  return thing?.blockId ?? thing?.id;
}

export function isSameThing(one: Selectable, other: Selectable): boolean {
  return one.kind === other.kind && one.id === other.id && inOf(one) === inOf(other);
}

const inOf = (thing: Selectable): string | undefined => (thing.kind === "item" ? thing.blockId : undefined);

const blockOf = (thing: FlowThing): FlowThing => ({ kind: "block", id: blockIdOf(thing) ?? "" });

function has(things: readonly Selectable[], thing: Selectable): boolean {
  return things.some((one) => isSameThing(one, thing));
}

function without(things: readonly Selectable[], thing: Selectable): readonly Selectable[] {
  return things.filter((one) => !isSameThing(one, thing));
}

function withLast(things: readonly Selectable[], thing: Selectable): readonly Selectable[] {
  return [...without(things, thing), thing];
}

/** Returns the selected objects that may stay selected when the given object is added. */
function togetherWith(thing: Selectable, now: Selection): readonly Selectable[] {
  const things = thingsOf(now);
  if (!isInCard(thing)) return things.filter((one) => !isInCard(one));
  return things.flatMap((one) => (isInCard(one) ? [blockOf(one)] : []));
}

/**
 * The selection of an open bot. The canvas, outline, panels and palette read the selection and change it with actions.
 */
export type Selected = {
  readonly now: ReadonlySignal<Selection>;
  /** The focused object of the flow, whose form is shown. */
  readonly focus: ReadonlySignal<FlowThing | undefined>;
  readonly cards: ReadonlySignal<ReadonlySet<string>>;
  /** The ids of several selected blocks, which share one form. Empty if fewer than two blocks are selected. */
  readonly blocks: ReadonlySignal<readonly string[]>;
  /** The selected notes and frames. The last one receives key events. */
  readonly beside: ReadonlySignal<readonly Beside[]>;
  readonly edge: ReadonlySignal<string | undefined>;
  act(act: SelectionAct): void;
  select(thing: Selectable | undefined): void;
};

export function createSelected({ draft, structure, find }: Pick<Store, "draft" | "structure" | "find">): Selected {
  const made = signal<Selection>(nothing);
  const isThere = (thing: Selectable | Edge): boolean => {
    switch (thing.kind) {
      case "group":
      case "event":
      case "edge":
        return find[thing.kind](thing.id) !== undefined;
      case "block":
        return find.block(thing.id) !== undefined;
      case "item":
        return itemsIn(find.block(thing.blockId ?? "")?.block ?? {}).some(({ id }) => id === thing.id);
      case "note":
        return notesIn(draft.value).some(({ id }) => id === thing.id);
      case "frame":
        return framesIn(draft.value).some(({ id }) => id === thing.id);
      default:
        return thing satisfies never;
    }
  };
  const now = computed(() => {
    // The finder functions are not signals, so this subscribes to the structure, which changes when an object is
    // removed.
    structure.value;
    return remaining(made.value, isThere);
  });
  const things = computed(() => thingsOf(now.value));
  const act = (next: SelectionAct): void => {
    // Read without a subscription, so that the caller of an action does not subscribe to the selection.
    made.value = afterAct(now.peek(), next);
  };
  return {
    now,
    focus: computed(() => things.value.findLast((thing): thing is FlowThing => !isBeside(thing))),
    cards: computed(() => new Set(things.value.flatMap((one) => (isInCard(one) || isBeside(one) ? [] : [one.id])))),
    blocks: computed(() => {
      const blocks = things.value.flatMap(({ kind, id }) => (kind === "block" ? [id] : []));
      return blocks.length > 1 ? blocks : [];
    }),
    beside: computed(() => things.value.filter(isBeside)),
    edge: computed(() => (now.value.kind === "edge" ? now.value.id : undefined)),
    act,
    select: (thing) => act({ kind: "select", thing }),
  };
}
