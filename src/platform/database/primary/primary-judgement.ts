import type { ServerAddress } from "./address.ts";

/**
 * A note that a database stores about a cluster: the highest known timeline of its system identifier. `epoch` counts
 * how often an operator has overridden the choice of the primary in this line of databases. `reportedEpoch` is the
 * highest known epoch of another line.
 */
export type TimelineNote = {
  readonly systemId: string;
  readonly timeline: number;
  readonly epoch: number;
  readonly reportedEpoch: number;
};

/** The cluster and the timeline of a server. Two addresses with the same `startedAt` lead to the same server. */
export type ServerIdentity = {
  readonly systemId: string;
  readonly timeline: number;
  readonly startedAt: string;
  /** Absent if the server's database has no table for notes yet. */
  readonly notes?: readonly TimelineNote[];
};

/** The server's reported state. If `identity` is missing, the provider hides it. */
export type ServerState =
  | { readonly kind: "writer" | "reader"; readonly identity?: ServerIdentity }
  | { readonly kind: "away"; readonly error: unknown; readonly isSilent: boolean };

export type AskedServer = { readonly server: ServerAddress; readonly state: ServerState };

/** The reason why a writable server is not used. */
export type Refusal =
  /** The database has continued on another server, on a later timeline. */
  | { readonly kind: "older"; readonly timeline: number; readonly known: number }
  /** An operator has since chosen another server. */
  | { readonly kind: "overruled" }
  /** Another server accepts writes on the same timeline. */
  | { readonly kind: "tied"; readonly timeline: number }
  /** A server of another cluster also accepts writes, and this server is not known to be its successor. */
  | { readonly kind: "foreign" };

export type Judgement = {
  readonly primary: ServerAddress | undefined;
  readonly refused: readonly { readonly server: ServerAddress; readonly why: Refusal }[];
};

/** The clusters that a process has seen. */
export type PrimaryMemory = {
  epoch: number;
  /** The highest timeline of each system identifier in the highest epoch. */
  readonly timelines: Map<string, number>;
  /** The system identifier of the server that was used last. */
  served: string | undefined;
};

export function createPrimaryMemory(): PrimaryMemory {
  return { epoch: 0, timelines: new Map(), served: undefined };
}

/** The serializable form of a `PrimaryMemory`, exchanged between processes. */
export type KnownPrimaries = {
  readonly epoch: number;
  readonly timelines: readonly (readonly [systemId: string, timeline: number])[];
  readonly served?: string | undefined;
};

export function snapshotOf({ epoch, timelines, served }: PrimaryMemory) {
  return { epoch, timelines: [...timelines], ...(served !== undefined && { served }) } satisfies KnownPrimaries;
}

export function memoryOf({ epoch, timelines, served }: KnownPrimaries): PrimaryMemory {
  return { epoch, timelines: new Map(timelines), served };
}

/** Returns how often an operator has overridden the choice of the primary in favour of this server or its ancestors. */
export function epochOf({ notes = [] }: Pick<ServerIdentity, "notes">): number {
  return Math.max(0, ...notes.map(({ epoch }) => epoch));
}

/** Records the identities and notes of servers, including standbys, which follow a primary that may be unavailable. */
export function remember(memory: PrimaryMemory, asked: readonly AskedServer[]): void {
  for (const { state } of asked) {
    if (state.kind === "away" || !state.identity) continue;
    const { identity } = state;
    const { notes = [] } = identity;
    noteEpoch(memory, Math.max(epochOf(identity), ...notes.map(({ reportedEpoch }) => reportedEpoch)));
    noteTimeline(memory, { ...identity, epoch: epochOf(identity) });
    for (const note of notes) noteTimeline(memory, note);
  }
}

/**
 * Whether the server accepts writes on a later timeline than any known timeline of its cluster. No other server can be
 * on this timeline, unless two servers were promoted simultaneously.
 */
export function isSuccessor(state: ServerState, { epoch, timelines }: PrimaryMemory): boolean {
  if (state.kind !== "writer" || !state.identity || epochOf(state.identity) < epoch) return false;
  const known = timelines.get(state.identity.systemId);
  return known !== undefined && state.identity.timeline > known;
}

function noteEpoch(memory: PrimaryMemory, epoch: number): void {
  if (epoch <= memory.epoch) return;
  memory.epoch = epoch;
  memory.timelines.clear();
}

function noteTimeline(memory: PrimaryMemory, known: Pick<TimelineNote, "systemId" | "timeline" | "epoch">): void {
  if (known.epoch < memory.epoch) return;
  memory.timelines.set(known.systemId, Math.max(known.timeline, memory.timelines.get(known.systemId) ?? 0));
}

type Writer = { readonly server: ServerAddress; readonly identity: ServerIdentity };

/**
 * Returns the primary among the servers that accept writes, if any, and the refused servers. Call `remember` with the
 * same servers first. `used` is the server in use, which remains the primary unless there is a reason for a change.
 */
export function judge(asked: readonly AskedServer[], memory: PrimaryMemory, used?: ServerAddress): Judgement {
  const writing = asked.filter(({ state }) => state.kind === "writer");
  const usedFirst = (writers: readonly { readonly server: ServerAddress }[]) =>
    (writers.find(({ server }) => used !== undefined && isSame(server, used)) ?? writers[0])?.server;
  const writers = writing.flatMap(({ server, state }): Writer[] =>
    state.kind === "writer" && state.identity ? [{ server, identity: state.identity }] : [],
  );
  // If a provider hides the identity of a server, the servers cannot be compared.
  if (writers.length < writing.length) return { primary: usedFirst(writing), refused: [] };

  const refused = writers.flatMap(({ server, identity }) => {
    const why = refusalOf(identity, memory);
    return why ? [{ server, why }] : [];
  });
  const left = writers.filter(({ server }) => !refused.some((one) => one.server === server));
  const clusters = [...Map.groupBy(left, ({ identity }) => identity.systemId).values()];
  const chosen = clusters.length === 1 ? clusters[0] : chooseCluster(clusters, memory);
  for (const { server } of left) {
    if (!chosen?.some((writer) => writer.server === server)) refused.push({ server, why: { kind: "foreign" } });
  }
  if (!chosen) return { primary: undefined, refused };
  const isTied = new Set(chosen.map(({ identity }) => identity.startedAt)).size > 1;
  if (!isTied) return { primary: usedFirst(chosen), refused };
  const tied = chosen.map(({ server, identity }) => ({
    server,
    why: { kind: "tied", timeline: identity.timeline } as const,
  }));
  return { primary: undefined, refused: [...refused, ...tied] };
}

function refusalOf(identity: ServerIdentity, memory: PrimaryMemory): Refusal | undefined {
  if (epochOf(identity) < memory.epoch) return { kind: "overruled" };
  const known = memory.timelines.get(identity.systemId) ?? 0;
  return identity.timeline < known ? { kind: "older", timeline: identity.timeline, known } : undefined;
}

/**
 * Chooses the cluster that was used last. Otherwise chooses the only cluster that knows all other clusters, for example
 * after a restore from a dump. Returns undefined if there is no such cluster.
 */
function chooseCluster(
  clusters: readonly (readonly Writer[])[],
  { served }: PrimaryMemory,
): readonly Writer[] | undefined {
  const ids = clusters.map(([first]) => first?.identity.systemId);
  const last = clusters.find(([first]) => served !== undefined && first?.identity.systemId === served);
  if (last) return last;
  const successors = clusters.filter((writers) =>
    writers.some(({ identity }) => ids.every((id) => identity.notes?.some(({ systemId }) => systemId === id))),
  );
  return successors.length === 1 ? successors[0] : undefined;
}

export function isSame(one: ServerAddress, other: ServerAddress): boolean {
  return one.host === other.host && one.port === other.port;
}

type Known = { readonly memory: PrimaryMemory; readonly judgement: Judgement };

/** Returns the note that is missing in a writable server's database, if any. */
export function missingNote({ server, state }: AskedServer, { memory, judgement }: Known): TimelineNote | undefined {
  if (state.kind !== "writer" || !state.identity?.notes) return undefined;
  const { systemId, timeline, notes } = state.identity;
  // A server that may not be the primary gets no note.
  const why = judgement.refused.find((one) => one.server === server)?.why.kind;
  if (why === "tied" || why === "foreign") return undefined;
  const epoch = epochOf(state.identity);
  const known = epoch === memory.epoch ? memory.timelines.get(systemId) : undefined;
  const due = { systemId, timeline: known ?? timeline, epoch, reportedEpoch: memory.epoch };
  const has = notes.find((note) => note.systemId === systemId);
  const isThere = has && has.timeline >= due.timeline && has.epoch === epoch && has.reportedEpoch >= due.reportedEpoch;
  return isThere ? undefined : due;
}

/**
 * Whether no note is missing in a server's database. False if the server is unavailable or its database has no table
 * for notes.
 */
export function isNoted(asked: AskedServer, known: Known): boolean {
  const { state } = asked;
  if (state.kind === "away") return false;
  if (!state.identity) return true;
  return state.identity.notes !== undefined && missingNote(asked, known) === undefined;
}
