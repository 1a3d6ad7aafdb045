import { StartError } from "../../config.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../concurrency/clock.ts";
import type { Log } from "../observing/log.ts";
import { createCollector } from "./collector.ts";
import { createLeases, type Line } from "./leases.ts";
import type { Question, ToServing, ToSupervisor } from "./messages.ts";
import { createSlot, type Ending, type Slot } from "./slot.ts";
import { type Heard, type ServingProcess, spawnServing } from "./spawn.ts";

/** The serving processes of a node. `slot.ts` describes the states of a process. */
export type Supervisor = {
  /** Resolves when all processes listen. Throws a StartError if a process cannot start. */
  readonly started: Promise<void>;
  /** Returns the values for the metrics of the processes. */
  counts(): { readonly serving: number; readonly restarts: number };
  /** Reports to all processes that the database's server must no longer be used for writes. */
  reportLostPrimary(server: { host: string; port: number }): void;
  /** Reports that steps of chats are due. The next process in turn runs some of them. */
  wakeDueSteps(): void;
  /**
   * Reports that connections to messengers without a holder have work. The next process in turn acquires some of them.
   */
  wakeChannels(): void;
  /** Makes load balancers and clients use other nodes, while the serving processes continue to serve. */
  leave(): void;
  /** Asks all processes to finish their running requests, and resolves when all processes have ended. */
  drain(): Promise<void>;
  /** Kills all processes, and resolves when they have ended. */
  kill(): Promise<void>;
};

export type SupervisorOptions = {
  readonly count: number;
  /** Returns the settings for the process with this name. */
  order(name: string): Extract<ToServing, { kind: "serve" }>;
  /** Returns the supervisor's own answers, in addition to those of the serving processes. */
  answer(question: Question): Promise<readonly unknown[]>;
  /** Called when a saved step of a process has added jobs. */
  onJobs(): void;
  /** Called each time a process listens. */
  onListening(): void;
  /** The node-wide queue of anonymous previews, which runs one preview at a time. */
  readonly anonymousPreviews: Line;
  readonly log: Log;
};

/** The additional time that a process gets to release its resources after its drain time. */
const drainGraceMs = 10_000;

/** Starts the processes and supervises them until they have been drained. */
export function supervise(options: SupervisorOptions): Supervisor {
  const { log } = options;
  /** All processes that have received their settings. */
  const ordered = new Set<ServingProcess>();
  const serving = new Set<ServingProcess>();
  const collector = createCollector<ServingProcess>();
  const leases = createLeases<ServingProcess>(options.anonymousPreviews);

  const collect = async (from: ServingProcess, { id, question, withinMs }: Collect): Promise<void> => {
    const others = [...serving].filter((process) => process !== from);
    const [collected, own] = await Promise.all([
      collector.ask(others, { withinMs, send: (to, asked) => to.send({ kind: "ask", id: asked, question }) }),
      options.answer(question),
    ]);
    const answers = [...own, ...collected.answers];
    from.send({ kind: "collected", id, answers, missing: collected.missing });
  };
  const startIn = (name: string, slot: () => Slot, onEnd: (ending: Ending) => void): ServingProcess => {
    const process = spawnServing({
      onMessage: (message) => hear(message),
      onEnd(ending) {
        ordered.delete(process);
        serving.delete(process);
        collector.gone(process);
        leases.gone(process);
        onEnd(ending);
      },
      onBadMessage: (error) => log.error("A serving process sent an unknown message", { error, serving: name }),
    });
    const hear = (message: Heard): void => {
      switch (message.kind) {
        case "hello":
          process.send(options.order(name));
          ordered.add(process);
          return;
        case "listening":
          serving.add(process);
          slot().listens();
          options.onListening();
          return;
        case "jobs":
          options.onJobs();
          return;
        case "ring":
          for (const other of serving) if (other !== process) other.send(message);
          return;
        case "collect":
          void collect(process, message);
          return;
        case "answer":
          collector.answered(process, message.id, message.answer);
          return;
        case "acquire":
          leases.acquire(process, message, (kind) => process.send({ kind, id: message.id }));
          return;
        case "release":
          leases.release(process, message.id);
          return;
        default:
          message satisfies never;
      }
    };
    return process;
  };
  const slots = Array.from({ length: options.count }, (_, index): Slot => {
    const name = String(index + 1);
    const slot = createSlot({
      start(onEnd) {
        const process = startIn(name, () => slot, onEnd);
        return {
          leave: () => process.send({ kind: "leave" }),
          drain: () => process.send({ kind: "drain" }),
          kill: process.kill,
        };
      },
      onRestart({ what, reason }, pauseMs) {
        log.error("A serving process ended and is being restarted", { serving: name, what, reason, pauseMs });
      },
      clock: systemClock,
      drainMs: limits.process.drainMs + drainGraceMs,
    });
    return slot;
  });
  const nextInTurn = (): ServingProcess | undefined => {
    const [next] = serving;
    if (!next) return undefined;
    // Moves the process to the end of the rotation.
    serving.delete(next);
    serving.add(next);
    return next;
  };
  const allEnded = async (): Promise<void> => {
    await Promise.all(slots.map((slot) => slot.ended));
  };
  return {
    started: requireStarted(slots),
    counts: () => ({
      serving: slots.filter(({ state }) => state === "serving" || state === "leaving").length,
      restarts: slots.reduce((sum, slot) => sum + slot.restarts, 0),
    }),
    reportLostPrimary({ host, port }) {
      for (const process of ordered) process.send({ kind: "left", server: { host, port } });
    },
    wakeDueSteps: () => nextInTurn()?.send({ kind: "due" }),
    wakeChannels: () => nextInTurn()?.send({ kind: "ring" }),
    leave() {
      for (const slot of slots) slot.leave();
    },
    async drain() {
      for (const slot of slots) slot.drain();
      await allEnded();
    },
    async kill() {
      for (const slot of slots) slot.kill();
      await allEnded();
    },
  };
}

type Collect = Extract<ToSupervisor, { kind: "collect" }>;

async function requireStarted(slots: readonly Slot[]): Promise<void> {
  await Promise.all(
    slots.map(async ({ started }) => {
      const ending = await started;
      if (ending)
        throw new StartError(ending.reason ?? `A serving process cannot start: it ended with ${ending.what}.`);
    }),
  );
}
