import type { Migration } from "./migrations.ts";

/** Whether nodes that do not know a migration may be connected while it runs. */
export type OlderNodes =
  | { readonly kind: "run" }
  /** All nodes of releases before `release` must stop before the migration runs. */
  | { readonly kind: "stop"; readonly release: string; readonly why: string };

/**
 * The last migration without a mark. Nodes of the previous release may stay connected while this migration or an
 * earlier migration runs.
 */
const lastUnmarked = "0052";

/** Reads the mark in the first line of a migration's file. Throws if a migration after `lastUnmarked` has no mark. */
export function olderNodesOf({ name, text }: Migration): OlderNodes {
  const [line = ""] = text.split("\n");
  const [, release, why] = /^-- Older nodes: stop before (\d+\.\d+\.\d+), since (.+)\.$/.exec(line) ?? [];
  if (release !== undefined && why !== undefined) return { kind: "stop", release, why };
  if (line === "-- Older nodes: run beside it." || name.slice(0, 4) <= lastUnmarked) return { kind: "run" };
  throw new Error(`The migration ${name} does not say in its first line whether older nodes may run beside it.`);
}
