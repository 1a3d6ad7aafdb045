import { user } from "./cluster.ts";
import { type Machine, psqlProgram } from "./machines.ts";

export type Writers = {
  /**
   * Returns when the server accepted its first write since `after` that was late or followed a failed write. For a
   * standby, any first write counts.
   */
  firstWrite(machine: Machine, after: number): number | undefined;
  stop(): Promise<void>;
};

const pauseMs = 20;
/** A write takes milliseconds on a server whose standbys are up. */
const lateMs = 1_000;

/** Each line of input produces one line of output, so a write starts no process. */
export function startWriters(machines: readonly Machine[], primary: Machine): Writers {
  const firsts = new Map<Machine, number[]>();
  let isOver = false;
  const running = new Set<Bun.Subprocess>();

  const write = async (machine: Machine, state: { hasFailed: boolean }): Promise<void> => {
    const address = `postgres://${user.name}:${user.password}@${machine.address}/parley?connect_timeout=2`;
    const psql = Bun.spawn([psqlProgram, "--no-psqlrc", "--quiet", "-d", address], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    running.add(psql);
    const errors = drain(psql.stderr);
    const lines = psql.stdout.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (let number = 1; !isOver; number++) {
        const writtenAt = performance.now();
        psql.stdin.write(`insert into psql_writes values (clock_timestamp());\n\\echo :SQLSTATE ${number}\n`);
        await psql.stdin.flush();
        const answer = await lines.read();
        if (answer.done) break;
        const isTaken = answer.value.startsWith("00000 ");
        if (isTaken && (state.hasFailed || performance.now() - writtenAt > lateMs))
          firsts.set(machine, [...(firsts.get(machine) ?? []), performance.now()]);
        state.hasFailed = !isTaken;
        await Bun.sleep(pauseMs);
      }
    } catch {
      // The process ended while a line was written to it.
    } finally {
      psql.kill();
      await Promise.all([psql.exited, errors]);
      running.delete(psql);
      state.hasFailed = true;
    }
  };
  const keepWriting = async (machine: Machine): Promise<void> => {
    const state = { hasFailed: machine !== primary };
    while (!isOver) {
      await write(machine, state);
      await Bun.sleep(pauseMs);
    }
  };
  const kept = machines.map(keepWriting);
  return {
    firstWrite: (machine, after) => firsts.get(machine)?.find((at) => at > after),
    async stop() {
      isOver = true;
      for (const psql of running) psql.kill();
      await Promise.all(kept);
    },
  };
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  await stream.pipeTo(new WritableStream());
}
