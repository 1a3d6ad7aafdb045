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
  /** Whether members of the source become members in the target. */
  readonly isWithMembers: boolean;
  /** Whether client-side code is marked as another author's. */
  readonly isUntrusted: boolean;
  /** Reports the progress. */
  tell(line: string): void;
};

/** A part of the source that this move does not transfer. */
export type Left = { readonly what: string; readonly names: readonly string[] };

/** A number of objects in the source, and how many of these are now in the target. */
export type Compared = {
  readonly what: string;
  /** The bot that the objects belong to. */
  readonly bot: string | null;
  readonly there: number;
  readonly here: number;
};

/**
 * The counts of the parts that the target now has, the new results of this run, the comparison, and the parts that
 * failed.
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

/** One run of a move. */
export type Run = Move & {
  readonly state: State;
  readonly report: MoveReport;
  /** Whether the source is Parley: its API then returns more than that of the reference product. */
  readonly isParley: boolean;
  /** The names of bots in the requests that move them. */
  readonly names: Names;
  /** The flow, theme or other JSON of the source, with the addresses of authors' files that are in the target. */
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

/** Records an object that the target refuses for the final report, and continues with the rest. */
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

/** A key with which repeated requests of this move write once. */
export function keyOf({ state }: Pick<Run, "state">, kind: string, id: string): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([state.id, kind, id]))
    .digest("hex");
  return `parley-import-${hash.slice(0, 40)}`;
}

/** A name from another server, safe for a terminal. */
export function named(name: string): string {
  return JSON.stringify(name);
}
