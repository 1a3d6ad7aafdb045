import type { Roles } from "./cluster.ts";

/** A fault of the servers, and how it ends. */
export type Case = {
  readonly name: string;
  strike(roles: Roles): Promise<void>;
  /** Repairs the cluster; Patroni does the rest. */
  heal?(roles: Roles): Promise<void>;
  /** The primary may stay the same: Patroni restarts it, or does not need to. */
  mayStay?: boolean;
};

const postgres = /bin\/postgres |^postgres: /;
const patroni = /python3 .*patroni/;
/** The file of `deploy/patroni/`, where Debian's unit of Patroni looks for it. */
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
