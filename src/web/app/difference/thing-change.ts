import type { Change, EditedNoun, Path } from "../../../core/editing/changes/change.ts";
import type { EdgeTarget, Outlet } from "../../../core/editing/references/outlets.ts";
import type { JsonObject } from "../../../core/interpreter/flow.ts";

/** The change of a thing. `same`: the thing itself did not change, but something in it did. */
export type Became = "added" | "removed" | "changed" | "moved" | "same";

/** A field with another value: the whole field, as a form shows it. Absent if it has, or had, no value. */
export type ValueChange = { readonly path: Path; readonly from?: unknown; readonly to?: unknown };

/** A place that leads elsewhere. Absent: the place leads, or led, nowhere. */
export type LeadChange = {
  readonly outlet: Outlet;
  readonly from?: EdgeTarget;
  readonly to?: EdgeTarget;
};

/** The data that an editor keeps of a group beside the flow, before and after. Absent if there is, or was, none. */
export type EditorDataChange = { readonly what: "color" | "lock"; readonly from?: unknown; readonly to?: unknown };

/** The change of one thing of a flow, with the changes of the things in it. */
export type ThingChange = {
  readonly key: string;
  readonly of: EditedNoun;
  readonly id?: string;
  readonly is: Became;
  /** The thing has another place in its list, or is in another group. */
  readonly isMoved: boolean;
  /** The thing has moved on the canvas, which no visitor notices. */
  readonly isMovedOnCanvas: boolean;
  /** The thing before and after. */
  readonly before?: JsonObject;
  readonly after?: JsonObject;
  /**
   * The group of a block and of an item, the block of an item: the current one, or the former one if the thing was
   * removed.
   */
  readonly groupId?: string;
  readonly blockId?: string;
  /** The former place of a block that is now in another group. */
  readonly fromGroupId?: string;
  readonly values: readonly ValueChange[];
  readonly leads: readonly LeadChange[];
  readonly beside: readonly EditorDataChange[];
  readonly inner: readonly ThingChange[];
  /** The part of the difference that this line shows, without that of `inner`. */
  readonly changes: readonly Change[];
  /** Whether a visitor may notice a change of the thing or in it. */
  readonly isNoticed: boolean;
};

/** A line and everything within it. */
export function* eachThing(changed: readonly ThingChange[]): Generator<ThingChange> {
  for (const one of changed) {
    yield one;
    yield* eachThing(one.inner);
  }
}
