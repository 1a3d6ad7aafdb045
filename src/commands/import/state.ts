import { rename } from "node:fs/promises";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { StartError } from "../../config.ts";
import { reasonOf } from "../../platform/thrown.ts";

const Ids = Type.Record(Type.String(), Type.String());

const Counts = Type.Object({ results: Type.Integer(), answers: Type.Integer(), files: Type.Integer() });
export type Counts = Static<typeof Counts>;

/** The progress of a move, by the ids of the source. The file is written before and after each object is created. */
const State = Type.Object({
  format: Type.Literal(1),
  /** Distinguishes this move from other moves of the same workspace. */
  id: Type.String(),
  from: Type.String(),
  fromWorkspaceId: Type.String(),
  to: Type.String(),
  workspaceId: Type.String(),
  /**
   * The objects that existed in the target before the move, so that none of them is mistaken for an object that the
   * move created.
   */
  before: Type.Object({
    folders: Type.Array(Type.String()),
    themes: Type.Array(Type.String()),
    bots: Type.Array(Type.String()),
  }),
  folders: Ids,
  themes: Ids,
  bots: Ids,
  /** The object that is being created. The object may already exist if a run ended before it received the response. */
  making: Type.Union([Type.Object({ kind: Type.String(), id: Type.String() }), Type.Null()]),
  /** Bots whose links, settings, tests and publication are complete. */
  finished: Type.Array(Type.String()),
  /** The progress of reading each bot's results. A cursor of `null` means that all results were read. */
  results: Type.Record(
    Type.String(),
    Type.Object({
      cursor: Type.Union([Type.String(), Type.Null()]),
      added: Type.Integer(),
      /**
       * The number of results read at the source, and the number of these results in the target. Absent in files of
       * earlier releases.
       */
      there: Type.Optional(Counts),
      here: Type.Optional(Counts),
    }),
  ),
});
export type State = Static<typeof State>;

export type Kind = "folders" | "themes" | "bots";

export type Place = Pick<State, "from" | "fromWorkspaceId" | "to" | "workspaceId">;

/**
 * Returns the state of an earlier run of this move; undefined if there was no earlier run. Throws a StartError for an
 * invalid file, and for the state of another move.
 */
export async function readState(path: string, place: Place): Promise<State | undefined> {
  const file = Bun.file(path);
  if (!(await file.exists())) return undefined;
  const state: unknown = await file.json().catch(() => undefined);
  if (!Value.Check(State, state)) {
    throw new StartError(`${path} is not the state of an import: move it, or choose another file with --state.`);
  }
  const isSame = Object.entries(place).every(([name, value]) =>
    Object.entries(state).some(([key, kept]) => key === name && kept === value),
  );
  if (isSame) return state;
  throw new StartError(
    `${path} belongs to the import of workspace ${state.fromWorkspaceId} of ${state.from} into ${state.workspaceId} of ${state.to}: choose another file with --state.`,
  );
}

/**
 * Writes the state atomically: if a run is killed during the write, the previous file remains. Throws a StartError if
 * the file cannot be replaced.
 */
export async function writeState(path: string, state: State): Promise<void> {
  const next = `${path}.next`;
  try {
    await Bun.write(next, `${JSON.stringify(state, undefined, 2)}\n`);
    await rename(next, path);
  } catch (error) {
    throw new StartError(`${path} cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}
