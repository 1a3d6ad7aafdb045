import { expect, test } from "bun:test";
import { isDiskFull, readReason } from "../../../src/platform/embedded/reason.ts";
import { reportLosses } from "../../../src/platform/embedded/server.ts";

const folders = {
  root: "/data",
  data: "/data/postgres",
  programs: "/data/postgres-programs",
  log: "/data/postgres.log",
  socket: "/data/socket",
};

function reasonOf(text: string) {
  return readReason(
    text
      .trim()
      .split("\n")
      .map((line) => line.trim()),
    folders,
  );
}

// The messages of PostgreSQL 18.4, each from a real failure, except for the message about semaphores, which comes from
// the documentation.
test.each([
  {
    name: "a small /dev/shm, whose message resembles the message of a full disk",
    output: `
      2026-11-22 07:14:59.297 UTC [24251] LOG:  listening on Unix socket "/data/socket/.s.PGSQL.5432"
      2026-11-22 07:14:59.301 UTC [24257] FATAL:  could not resize shared memory segment "/PostgreSQL.2338579488" to 1048576 bytes: No space left on device
      2026-11-22 07:14:59.301 UTC [24251] LOG:  startup process (PID 24257) exited with exit code 1
      2026-11-22 07:14:59.305 UTC [24251] LOG:  database system is shut down`,
    text: 'could not resize shared memory segment "/PostgreSQL.2338579488" to 1048576 bytes: No space left on device',
    advice: "Give /dev/shm more space (in Docker --shm-size=256m)",
  },
  {
    name: "a small /dev/shm under initdb",
    output: `
      2026-11-22 07:14:59.411 UTC [24273] FATAL:  could not resize shared memory segment "/PostgreSQL.727185960" to 1048576 bytes: No space left on device
      2026-11-22 07:14:59.411 UTC [24273] PANIC:  cannot abort transaction 1, it was already committed
      Aborted
      child process exited with exit code 134
      initdb: removing data directory "/data/postgres.new"`,
    text: 'could not resize shared memory segment "/PostgreSQL.727185960" to 1048576 bytes: No space left on device',
    advice: "Give /dev/shm more space (in Docker --shm-size=256m)",
  },
  {
    name: "a container's user without a name",
    output: "initdb: could not look up effective user ID 10001: user does not exist",
    text: "initdb: could not look up effective user ID 10001: user does not exist",
    advice: "Run Parley as a user in /etc/passwd, such as the image's own user, or set DATABASE_URL",
  },
  {
    name: "too little memory",
    output: `
      2026-11-22 07:14:59.427 UTC [24275] FATAL:  could not map anonymous shared memory: Cannot allocate memory
      2026-11-22 07:14:59.427 UTC [24275] HINT:  This error usually means that PostgreSQL's request for a shared memory segment exceeded available memory.
      2026-11-22 07:14:59.428 UTC [24275] LOG:  database system is shut down`,
    text: "could not map anonymous shared memory: Cannot allocate memory",
    advice: "Free memory on this machine, or give the container more memory",
  },
  {
    name: "a missing library",
    output:
      "/pg/bin/postgres: error while loading shared libraries: libicudata.so.60: cannot open shared object file: No such file or directory",
    text: "/pg/bin/postgres: error while loading shared libraries: libicudata.so.60: cannot open shared object file: No such file or directory",
    advice: "Install the library that its programs need, or set DATABASE_URL to a PostgreSQL 15 or newer",
  },
  ...[
    "ENOEXEC: unknown error, posix_spawn '/pg/bin/postgres' ENOEXEC",
    "setpriv: failed to execute /pg/bin/initdb: No such file or directory",
    "setpriv: failed to execute /pg/bin/initdb: Permission denied",
    '/pg/bin/initdb: 1: Syntax error: ";" unexpected',
  ].map((output) => ({
    name: `a program that cannot be run (${output})`,
    output,
    text: output,
    advice:
      "Its programs were built for another processor or system: install Parley again on this machine, or set DATABASE_URL",
  })),
  {
    name: "too few semaphores",
    output: `
      2026-11-22 07:14:59.411 UTC [7] FATAL:  could not create semaphores: No space left on device
      2026-11-22 07:14:59.411 UTC [7] DETAIL:  Failed system call was semget(5440126, 17, 03600).`,
    text: "could not create semaphores: No space left on device: Failed system call was semget(5440126, 17, 03600)",
    advice: "Raise the system's limits of semaphores (SEMMNI, SEMMNS)",
  },
  {
    name: "an unknown failure with a hint of PostgreSQL",
    output: `
      2026-11-22 07:14:59.411 UTC [7] FATAL:  something is wrong
      2026-11-22 07:14:59.411 UTC [7] HINT:  Mend it.
      2026-11-22 07:14:59.412 UTC [9] FATAL:  the database system is starting up`,
    text: "something is wrong",
    advice: "Mend it.",
  },
])("the reason for a failed start is reported with the remedy: $name", ({ output, text, advice }) => {
  expect(reasonOf(output)).toEqual({ text, advice });
});

test("exhausted shared memory is not reported as a full disk", () => {
  const isFull = (text: string) => isDiskFull({ text, advice: undefined });

  expect(isFull('could not write to file "pg_wal/xlogtemp.1": No space left on device')).toBe(true);
  expect(isFull('could not resize shared memory segment "/PostgreSQL.1": No space left on device')).toBe(false);
});

test("no reason for a failed start is found in a log without an error", () => {
  expect(reasonOf("2026-11-22 07:14:59.297 UTC [1] LOG:  starting PostgreSQL 18.4")).toBeUndefined();
});

test("a failure that repeats is logged at most once a minute", () => {
  const logged: unknown[] = [];
  let now = 0;
  const report = reportLosses({ error: (_, facts) => logged.push([now, facts?.["reason"]]) }, () => now);
  const killed = (pid: number) => `server process (PID ${pid}) was terminated by signal 9: Killed`;
  const full = 'could not write to file "pg_wal/xlogtemp.1": No space left on device';
  for (; now < 100_000; now += 25_000) {
    report(`2026-11-22 07:14:59.301 UTC [7] LOG:  ${killed(now)}`);
    report(`2026-11-22 07:14:59.301 UTC [8] PANIC:  ${full}`);
  }
  expect(logged).toEqual([
    [0, killed(0)],
    [0, full],
    [75_000, killed(75_000)],
    [75_000, full],
  ]);
});
