import { share } from "../../concurrency/share.ts";
import type { ServerAddress } from "./address.ts";
import type { ServerState } from "./primary-judgement.ts";
import { type Asking, openProbe, type Probe } from "./probe.ts";

export type OpenProbes = {
  /** One probe per server. A probe is opened with the first query to its server. */
  readonly probes: readonly { readonly server: ServerAddress; readonly probe: Pick<Probe, "look" | "note"> }[];
  end(): void;
};

/**
 * Keeps connections open between checks. A failed connection is reopened at the next check, and a connection with a
 * pending query gets no second query.
 */
export function createOpenProbes(servers: readonly ServerAddress[], asking: Asking): OpenProbes {
  const kept = servers.map((server) => keepProbe(server, asking));
  return {
    probes: kept.map(({ server, probe }) => ({ server, probe })),
    end() {
      for (const one of kept) one.end();
    },
  };
}

function keepProbe(server: ServerAddress, asking: Asking) {
  let open: Probe | undefined;
  const look = share(
    async (): Promise<ServerState> => {
      open ??= openProbe(server, asking);
      const state = await open.look();
      if (state.kind === "away") end();
      return state;
    },
    { keptMs: 0 },
  );
  const end = (): void => {
    open?.end();
    open = undefined;
  };
  const probe: Pick<Probe, "look" | "note"> = { look, note: async (note) => open?.note(note) };
  return { server, probe, end };
}
