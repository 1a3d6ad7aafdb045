import type { Change, EditedNoun, Path } from "../../../core/editing/changes/change.ts";
import type { EdgeTarget, Outlet } from "../../../core/editing/references/outlets.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";

/** The kind of change of an object. `same`: only objects within the object changed. */
export type Became = "added" | "removed" | "changed" | "moved" | "same";

/** A changed form field. `from` or `to` is absent if the field had or has no value. */
export type ValueChange = { readonly path: Path; readonly from?: unknown; readonly to?: unknown };

/** An outlet with a new target. `from` or `to` is absent if the outlet was or is unconnected. */
export type LeadChange = {
  readonly outlet: Outlet;
  readonly from?: EdgeTarget;
  readonly to?: EdgeTarget;
};

/**
 * A change of editor data about a group, such as its colour. `from` or `to` is absent if the group had or has no such
 * data.
 */
export type EditorDataChange = { readonly what: "color" | "lock"; readonly from?: unknown; readonly to?: unknown };

/** The change of one object of a flow, with the changes of the objects within it. */
export type ThingChange = {
  readonly key: string;
  readonly of: EditedNoun;
  readonly id?: string;
  readonly is: Became;
  /** Whether the object moved within its list, or to another group. */
  readonly isMoved: boolean;
  /** Whether the object moved on the canvas, which visitors cannot notice. */
  readonly isMovedOnCanvas: boolean;
  /** The object before and after the change. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /** The group of a block or an item, and the block of an item. For a removed object, these are the previous ones. */
  readonly groupId?: string;
  readonly blockId?: string;
  /** The previous group of a block that is now in another group. */
  readonly fromGroupId?: string;
  readonly values: readonly ValueChange[];
  readonly leads: readonly LeadChange[];
  readonly beside: readonly EditorDataChange[];
  readonly inner: readonly ThingChange[];
  /** The part of the difference that this entry shows, without the changes in `inner`. */
  readonly changes: readonly Change[];
  /** Whether a visitor may notice a change of the object or of an object within it. */
  readonly isNoticed: boolean;
};

/** Iterates over the entries and all entries within them. */
export function* eachThing(changed: readonly ThingChange[]): Generator<ThingChange> {
  for (const one of changed) {
    yield one;
    yield* eachThing(one.inner);
  }
}
