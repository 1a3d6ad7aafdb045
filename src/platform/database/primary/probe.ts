import type { Socket } from "node:net";
import postgres from "postgres";
import { within } from "../../concurrency/within.ts";
import type { ServerAddress } from "./address.ts";
import type { ServerState, TimelineNote } from "./primary-judgement.ts";
import { ConnectionError, failedSocket, openTo } from "./server-socket.ts";
import { type Acceptance, askState, writeAcceptance, writeNote } from "./timelines.sql.ts";

/** A connection to one server, for queries about the server's state. A failed probe cannot be reused. */
export type Probe = {
  /** Queries the server's state. Never rejects. */
  look(): Promise<ServerState>;
  /** Stores a note in the server's database. Never rejects. A failed write is repeated later. */
  note(note: TimelineNote): Promise<void>;
  /** Stores the operator's choice of this server. Rejects if the write failed. */
  accept(acceptance: Acceptance): Promise<void>;
  end(): void;
};

export type Asking = { readonly url: string; readonly silenceMs: number };

export function openProbe(server: ServerAddress, { url, silenceMs }: Asking): Probe {
  let isOpened = false;
  let isSilent = false;
  let isHidden = false;
  let socket: Socket | undefined;
  const options = {
    max: 1,
    connect_timeout: silenceMs / 1_000,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "parley" },
    // Fails when it is called again. Otherwise, the driver would reconnect repeatedly if the connection is closed
    // before it is ready.
    async socket() {
      if (isOpened) return failedSocket(new ConnectionError("closed the connection"));
      isOpened = true;
      socket = await openTo(server, silenceMs).catch(failedSocket);
      return socket;
    },
  };
  const sql = postgres(url, options);
  const ask = async (): Promise<ServerState> => {
    try {
      const state = await askState(sql, { isHidden });
      isHidden = state.kind !== "away" && !state.identity;
      return state;
    } catch (error) {
      return { kind: "away", error, isSilent: false };
    }
  };
  const unlessSilent = (work: Promise<ServerState>): Promise<ServerState> =>
    within(silenceMs, work, () => {
      isSilent = true;
      return { kind: "away", error: new ConnectionError("does not respond"), isSilent };
    });
  return {
    look: () => unlessSilent(ask()),
    async note(note) {
      const written = writeNote(sql, note).catch(() => {});
      await unlessSilent(written.then(() => ({ kind: "writer" })));
    },
    accept: (acceptance) => writeAcceptance(sql, acceptance),
    end() {
      void sql.end({ timeout: 0 });
      // A silent server would not confirm that the connection is closed.
      if (isSilent) socket?.destroy();
    },
  };
}
