import { appendFileSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { waitFor } from "../../support/wait.ts";

/**
 * A simulated machine: a network namespace with its own address on a bridge, a process namespace, and its own
 * `/var/lib/postgresql`, `/var/lib/etcd` and `/run/postgresql`. The machine runs Debian's etcd and Patroni with the
 * unchanged files of `deploy/patroni/`.
 */
export type Machine = {
  readonly name: string;
  readonly address: string;
  /** Starts etcd and Patroni, and restarts them when they end, as their systemd units do. */
  boot(): Promise<void>;
  /** Cuts the power: processes end without a message, and no packet is answered. */
  cutPower(): Promise<void>;
  /** Suspends all processes, or the processes whose command line matches, with SIGSTOP. */
  pause(of?: RegExp): void;
  resume(): void;
  /** Kills the processes whose command line matches. */
  kill(of: RegExp): void;
  /** Drops all packets, or only packets from and to the other machines. */
  unplug(from: "everybody" | "servers"): void;
  plug(): void;
  /** Runs a command on the machine as the user postgres. */
  run(...command: readonly string[]): Promise<string>;
};

const deployFolder = join(import.meta.dir, "../../../deploy/patroni");
/** Bypasses Debian's wrapper, which is a script. */
export const psqlProgram = "/usr/lib/postgresql/15/bin/psql";
const programs = ["/usr/bin/patroni", "/usr/bin/etcd", psqlProgram, "/usr/lib/postgresql/15/bin/pg_basebackup"];
const tools = ["ip", "nft", "nsenter", "setpriv", "unshare"];
const packages = "patroni etcd-server etcd-client postgresql-15 iproute2 nftables";
const bridge = "parley-ha";
/** The addresses of `deploy/patroni/`. The range is reserved for documentation, so no network should use it. */
const network = "198.51.100.";
const gateway = `${network}1`;
const addressOf = /^PATRONI_POSTGRESQL_CONNECT_ADDRESS=([\d.]+):5432$/m;

/** The machines die with this process, even if it is killed. */
const dyingWithUs = ["setpriv", "--pdeathsig", "KILL"];
const inNamespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Returns why the machines cannot be created, or undefined if they can be created. */
export function machinesAreMissing(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux can make network namespaces";
  const missing = [...programs.filter((path) => !existsSync(path)), ...tools.filter((name) => !Bun.which(name))];
  if (missing.length > 0) return `${missing.join(", ")} is missing (Debian 12: apt-get install ${packages})`;
  const taken = Object.entries(networkInterfaces()).find(
    ([name, list]) => name !== bridge && list?.some((one) => one.address.startsWith(network)),
  );
  if (taken) return `${taken[0]} has an address of ${network}0/24, which the machines need`;
  const { exitCode, stderr } = Bun.spawnSync(["unshare", "--net", "nft", "list", "ruleset"]);
  return exitCode === 0 ? undefined : `no network namespace can be made: ${stderr.toString().trim()}`;
}

/** Creates the machines `db1`, `db2` and `db3` on one bridge with this machine, without starting them. */
export function makeMachines(
  ends: AsyncDisposableStack,
  { folder, logs = folder }: { readonly folder: string; readonly logs?: string },
): readonly Machine[] {
  // A killed run may have left a bridge.
  removeBridge();
  must("ip", "link", "add", bridge, "type", "bridge");
  ends.defer(removeBridge);
  must("ip", "addr", "add", `${gateway}/24`, "dev", bridge);
  must("ip", "link", "set", bridge, "up");
  const names = ["db1", "db2", "db3"];
  const addresses = names.map((name) => {
    const [, address = ""] = addressOf.exec(readFileSync(join(deployFolder, `${name}.env`), "utf8")) ?? [];
    return address;
  });
  return names.map((name, index) =>
    makeMachine(ends, {
      name,
      address: addresses[index] ?? "",
      others: addresses.filter((_, other) => other !== index),
      folder: join(folder, name),
      log: join(logs, `${name}.log`),
    }),
  );
}

type Place = {
  readonly name: string;
  readonly address: string;
  readonly others: readonly string[];
  readonly folder: string;
  readonly log: string;
};

function makeMachine(ends: AsyncDisposableStack, { name, address, others, folder, log }: Place): Machine {
  const [space, link] = [`${bridge}-${name}`, `${bridge}-${name}`];
  const inside = ["ip", "netns", "exec", space];
  const removeSpace = (): void => {
    attempt("ip", "link", "del", link);
    attempt("ip", "netns", "del", space);
  };
  removeSpace();
  must("ip", "netns", "add", space);
  ends.defer(removeSpace);
  must("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space);
  must("ip", "link", "set", link, "master", bridge, "up");
  must(...inside, "ip", "link", "set", "lo", "up");
  must(...inside, "ip", "addr", "add", `${address}/24`, "dev", "eth0");
  must(...inside, "ip", "link", "set", "eth0", "up");
  must(...inside, "nft", "add", "table", "inet", "cut");
  for (const hook of ["input", "output"])
    must(...inside, "nft", "add", "chain", "inet", "cut", hook, `{ type filter hook ${hook} priority 0; }`);

  for (const [part, user] of [
    ["postgresql", "postgres"],
    ["etcd", "etcd"],
    ["patroni", "postgres"],
  ] as const) {
    mkdirSync(join(folder, part), { recursive: true });
    must("chown", user, join(folder, part));
  }
  copyFileSync(join(deployFolder, `${name}.env`), join(folder, "server.env"));
  copyFileSync(join(deployFolder, "patroni.yml"), join(folder, "patroni/config.yml"));
  copyFileSync(join(deployFolder, "database.sql"), join(folder, "patroni/database.sql"));

  let running: Bun.Subprocess | undefined;
  const init = (): number => Number(childrenOf(running?.pid ?? 0)[0] ?? 0);
  const pidsOf = (pattern?: RegExp): number[] => {
    const first = init();
    const all = first === 0 ? [] : [first, ...descendantsOf(first)];
    return pattern ? all.filter((pid) => pattern.test(commandLineOf(pid))) : all;
  };
  const plug = (): void => {
    attempt("ip", "link", "set", link, "up");
    for (const hook of ["input", "output"]) attempt(...inside, "nft", "flush", "chain", "inet", "cut", hook);
  };
  const end = async (): Promise<void> => {
    const first = init();
    if (first !== 0) signal(first, "SIGKILL");
    await running?.exited;
    running = undefined;
  };
  ends.defer(end);
  return {
    name,
    address,
    async boot() {
      plug();
      const output = openSync(log, "a");
      running = Bun.spawn([...dyingWithUs, ...inside, ...inNamespaces, "sh", "-c", script, "sh", folder], {
        stdio: ["ignore", output, output],
      });
      closeSync(output);
      await waitFor(() => pidsOf(/python3 .*patroni/).length > 0, { what: `${name} to start` });
    },
    async cutPower() {
      must("ip", "link", "set", link, "down");
      await end();
    },
    pause(of) {
      for (const pid of pidsOf(of).toReversed()) signal(pid, "SIGSTOP");
    },
    resume() {
      for (const pid of pidsOf()) signal(pid, "SIGCONT");
    },
    kill(of) {
      for (const pid of pidsOf(of)) signal(pid, "SIGKILL");
    },
    unplug(from) {
      if (from === "everybody") return void must("ip", "link", "set", link, "down");
      const list = `{ ${others.join(", ")} }`;
      must(...inside, "nft", "add", "rule", "inet", "cut", "input", "ip", "saddr", list, "drop");
      must(...inside, "nft", "add", "rule", "inet", "cut", "output", "ip", "daddr", list, "drop");
    },
    plug,
    async run(...command) {
      const at = ["nsenter", "--target", String(init()), "--net", "--mount", "--pid"];
      const child = Bun.spawn([...at, "setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", ...command], {
        cwd: "/",
        env: { PATH: "/usr/bin:/bin", HOME: "/var/lib/postgresql", LANG: "C.UTF-8", LC_ALL: "C.UTF-8" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [exitCode, output, problem] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
      appendFileSync(log, `${command.join(" ")}\n${output}${problem}`);
      if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${output}${problem}`);
      return output;
    },
  };
}

/** The first process of a machine, in place of systemd. `$1` is the machine's folder. */
const script = `
set -e
mount --bind "$1/postgresql" /var/lib/postgresql
mount --bind "$1/etcd" /var/lib/etcd
mount --bind "$1/patroni" /etc/patroni
mount -t tmpfs -o mode=2775,uid=$(id -u postgres),gid=$(id -g postgres) tmpfs /run/postgresql
export PATH=/usr/bin:/bin LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=UTC
export ETCD_DATA_DIR=/var/lib/etcd/default
set -a; . "$1/server.env"; set +a
cd /
keep() { while :; do "$@" || true; sleep 1; done; }
keep setpriv --reuid=etcd --regid=etcd --init-groups env HOME=/var/lib/etcd /usr/bin/etcd &
keep setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/var/lib/postgresql /usr/bin/patroni /etc/patroni/config.yml &
while :; do wait || true; sleep 1; done
`;

function removeBridge(): void {
  attempt("ip", "link", "del", bridge);
}

function must(...command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}

function attempt(...command: readonly string[]): void {
  Bun.spawnSync([...command]);
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** Sends a signal to a process, unless it has already ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {}
}
