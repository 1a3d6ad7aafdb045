import type { Roles } from "./cluster.ts";

export type Case = {
  readonly name: string;
  strike(roles: Roles): Promise<void>;
  /** Repairs the parts of the cluster that Patroni does not repair by itself. */
  heal?(roles: Roles): Promise<void>;
  /** Whether the primary may stay the same, because Patroni restarts it or does not need to act. */
  mayStay?: boolean;
};

const postgres = /bin\/postgres |^postgres: /;
const patroni = /python3 .*patroni/;
/** The path at which Debian's unit of Patroni expects its configuration, a file from `deploy/patroni/`. */
const config = "/etc/patroni/config.yml";

export const kill: Case = {
  name: "the primary's machine loses its power",
  strike: ({ primary }) => primary.cutPower(),
  heal: ({ primary }) => primary.boot(),
};

export const otherCases: readonly Case[] = [
  {
    name: "PostgreSQL of the primary is killed (SIGKILL)",
    strike: async ({ primary }) => primary.kill(postgres),
    mayStay: true,
  },
  {
    name: "the primary is cut off from everybody",
    strike: async ({ primary }) => primary.unplug("everybody"),
    heal: async ({ primary }) => primary.plug(),
  },
  {
    name: "the primary is cut off from the other servers, nodes reach all",
    strike: async ({ primary }) => primary.unplug("servers"),
    heal: async ({ primary }) => primary.plug(),
  },
  {
    name: "the primary's machine is paused (SIGSTOP)",
    strike: async ({ primary }) => primary.pause(),
    heal: async ({ primary }) => primary.resume(),
  },
  {
    name: "the primary's Patroni is paused (SIGSTOP), its PostgreSQL runs",
    strike: async ({ primary }) => primary.pause(patroni),
    heal: async ({ primary }) => primary.resume(),
  },
  {
    name: "switchover by patronictl",
    async strike({ primary }) {
      await primary.run("patronictl", "-c", config, "switchover", "parley", "--force");
    },
  },
  {
    name: "the synchronous standby is switched off without notice",
    strike: ({ synchronous }) => synchronous.cutPower(),
    heal: ({ synchronous }) => synchronous.boot(),
    mayStay: true,
  },
];
