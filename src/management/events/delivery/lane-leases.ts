import { limits } from "../../../limits/index.ts";
import type { Clock } from "../../../platform/concurrency/clock.ts";
import { createLeases, type Leases, type LeaseUse } from "../../../platform/concurrency/leases.ts";
import { type Lane, laneCount } from "./lanes.sql.ts";

/**
 * The leases of lanes that this process holds (`lanes.sql.ts`). `platform/concurrency/leases.ts` defines their states.
 */
export type LaneLeases = Omit<Leases<Lane>, "isUsable" | "leave" | "isHeld"> & {
  /** Returns the lanes of an endpoint in which calls may start. */
  usable(endpointId: string): number[];
  /** Starts to leave the lanes of an endpoint, or all lanes. */
  leave(endpointId?: string): void;
  isHeld(endpointId: string, lane: number): boolean;
};

export type LaneUse = LeaseUse;

const lanes = Array.from({ length: laneCount }, (_, lane) => lane);

/** Creates the leases. `onLeft` is called when the last call in a lane that is being left has ended. */
export function createLaneLeases({ clock, onLeft }: { clock?: Clock; onLeft(): void }): LaneLeases {
  const leases = createLeases<Lane>({
    leaseMs: limits.events.leaseSeconds * 1_000,
    nameOf: ({ endpointId, lane }) => `${endpointId} ${lane}`,
    onLeft,
    ...(clock && { clock }),
  });
  return {
    ...leases,
    usable: (endpointId) => lanes.filter((lane) => leases.isUsable({ endpointId, lane })),
    leave: (endpointId) => leases.leave((lane) => endpointId === undefined || lane.endpointId === endpointId),
    isHeld: (endpointId, lane) => leases.isHeld({ endpointId, lane }),
  };
}
