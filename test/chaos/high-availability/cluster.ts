import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { waitFor } from "../../support/wait.ts";
import type { ChaosDatabase } from "../database.ts";
import { type Machine, makeMachines } from "./machines.ts";

/** PostgreSQL on three machines, managed by Patroni. */
export type PatroniCluster = ChaosDatabase & {
  readonly machines: readonly Machine[];
  /**
   * Waits until all three machines are up. Returns the machines of the primary and of the standby that has every
   * commit.
   */
  healthy(): Promise<Roles>;
};

export type Roles = {
  readonly primary: Machine;
  /** The standby that has every commit. */
  readonly synchronous: Machine;
};

const Members = Type.Object({
  members: Type.Array(
    Type.Object({
      name: Type.String(),
      role: Type.String(),
      state: Type.String(),
      timeline: Type.Optional(Type.Integer()),
    }),
  ),
});
type Member = Static<typeof Members>["members"][number];

const healthyWithinMs = 120_000;
const pollMs = 250;
/** The database user of the application, as in `deploy/patroni/database.sql`. */
export const user = { name: "parley", password: "change-me-parley" };
const superuser = { name: "postgres", password: "change-me-superuser" };

/** Creates a cluster as docs/high-availability.md describes, and waits until it is healthy. */
export async function openCluster(
  ends: AsyncDisposableStack,
  place: { readonly folder: string; readonly logs?: string },
): Promise<PatroniCluster> {
  const machines = makeMachines(ends, place);
  const machineOf = (name: string | undefined) => machines.find((machine) => machine.name === name);
  const healthy = async (): Promise<Roles> => {
    let last: readonly (readonly Member[])[] = [];
    return await waitFor(
      async () => {
        await Bun.sleep(pollMs);
        // A server that was cut off keeps its old view of the cluster until its next check.
        last = await Promise.all(machines.map(({ address }) => askMembers(address)));
        const agreed =
          new Set(last.map((members) => JSON.stringify(rolesIn(members)))).size === 1 ? last[0] : undefined;
        const areUp =
          agreed?.length === machines.length && agreed.every(({ state }) => /running|streaming/.test(state));
        if (!agreed || !areUp || new Set(agreed.map(({ timeline }) => timeline)).size > 1) return undefined;
        const { leader, follower } = rolesIn(agreed);
        const [primary, synchronous] = [machineOf(leader), machineOf(follower)];
        return primary && synchronous && { primary, synchronous };
      },
      { withinMs: healthyWithinMs, what: () => `a healthy cluster: ${JSON.stringify(last)}` },
    );
  };
  await Promise.all(machines.map((machine) => machine.boot()));
  const { primary } = await healthy();
  const address = `postgres://${superuser.name}:${superuser.password}@${primary.address}/postgres`;
  await primary.run("psql", "-v", "ON_ERROR_STOP=1", "-d", address, "-f", "/etc/patroni/database.sql");
  const hosts = machines.map((machine) => `${machine.address}:5432`).join(",");
  return {
    url: `postgres://${user.name}:${user.password}@${hosts}/parley`,
    machines,
    healthy,
    async die() {
      await primary.cutPower();
    },
    // The disposable stack ends the machines.
    async stop() {},
  };
}

function rolesIn(members: readonly Member[]) {
  const nameOf = (wanted: string) => members.find(({ role }) => role === wanted)?.name;
  return { leader: nameOf("leader"), follower: nameOf("sync_standby") };
}

async function askMembers(address: string): Promise<readonly Member[]> {
  const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(1_000) }).catch(
    () => undefined,
  );
  const body: unknown = await response?.json().catch(() => undefined);
  return Value.Check(Members, body) ? body.members : [];
}
