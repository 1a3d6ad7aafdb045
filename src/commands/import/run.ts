import { createHash } from "node:crypto";
import type { Json } from "../../web/conversation/read.ts";
import { RefusedRequest, type Server } from "./server.ts";
import type { Names } from "./source.ts";
import type { Place, State } from "./state.ts";

export type Move = {
  readonly source: Server;
  readonly target: Server;
  readonly place: Place;
  readonly statePath: string;
  /** Whether bots that are published at the source are published in the target. */
  readonly isPublishing: boolean;
  readonly isWithResults: boolean;
  /**
   * Whether members of the source become members in the target, and collaborators of its bots become collaborators of
   * the copies.
   */
  readonly isWithMembers: boolean;
  /** Whether client-side code is marked as code of another author. */
  readonly isUntrusted: boolean;
  /** Reports progress to the operator. */
  tell(line: string): void;
};

/** A part of the source that this move does not transfer. */
export type Left = { readonly what: string; readonly names: readonly string[] };

/** The number of objects of one kind at the source, and the number of their copies in the target. */
export type Compared = {
  readonly what: string;
  /** The bot to which the objects belong. Null for objects of the workspace. */
  readonly bot: string | null;
  readonly there: number;
  readonly here: number;
};

/**
 * The outcome of a run: counts, the comparison, the parts that stay at the source (`left`) and the parts that failed
 * (`problems`).
 */
export type MoveReport = {
  folders: number;
  themes: number;
  files: number;
  bots: number;
  published: number;
  results: number;
  newResults: number;
  changedResults: number;
  readonly compared: Compared[];
  readonly left: Left[];
  readonly problems: string[];
};

export type Run = Move & {
  readonly state: State;
  readonly report: MoveReport;
  /** Whether the source is Parley, whose API returns more than the API of the reference product. */
  readonly isParley: boolean;
  /** The source's name for bots in paths and bodies: `bots`, or `typebots` in the API of the reference product. */
  readonly names: Names;
  /** Replaces the addresses of authors' files in a flow, a theme or other JSON with their addresses in the target. */
  rewritten(value: Json): Json;
  save(): Promise<void>;
};

/** A bot of the source, and its copy. */
export type MovedBot = {
  readonly id: string;
  readonly name: string;
  readonly own: string;
  readonly isArchived: boolean;
};

/**
 * Runs a part of the move. If a server rejects a request, records the problem for the final report and returns false.
 * Rethrows any other error.
 */
export async function orProblem(
  { report, tell }: Pick<Run, "report" | "tell">,
  what: string,
  act: () => Promise<void>,
): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const problem = `${what}: ${error.message}`;
    report.problems.push(problem);
    tell(problem);
    return false;
  }
}

/** Returns an idempotency key, so that a repeated request of this move writes only once. */
export function keyOf({ state }: Pick<Run, "state">, kind: string, id: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([state.id, kind, id]))
    .digest("hex");
  return `parley-import-${hash.slice(0, 40)}`;
}

/** Quotes a name from another server so that it is safe for a terminal. */
export function named(name: string): string {
  return JSON.stringify(name);
}
