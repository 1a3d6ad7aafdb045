import { StartError } from "../../config.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../concurrency/clock.ts";
import type { Log } from "../observing/log.ts";
import { createCollector } from "./collector.ts";
import { createLeases, type Line } from "./leases.ts";
import type { Question, ToServing, ToSupervisor } from "./messages.ts";
import { createSlot, type Ending, type Slot } from "./slot.ts";
import { type Heard, type ServingProcess, spawnServing } from "./spawn.ts";

/** The serving processes of a node. `slot.ts` describes the states of each. */
export type Supervisor = {
  /** Resolves when all processes listen. Throws a StartError when one cannot. */
  readonly started: Promise<void>;
  /** The metrics of the processes. */
  counts(): { readonly serving: number; readonly restarts: number };
  /** The database's server no longer accepts writes. */
  reportLostPrimary(server: { host: string; port: number }): void;
  /** Steps of chats are due: the next process in turn takes some. */
  wakeDueSteps(): void;
  /** Connections to messengers that no process holds have work: the next process in turn takes some. */
  wakeChannels(): void;
  /** Directs balancers and clients elsewhere, while all processes continue to serve. */
  leave(): void;
  /** Lets all processes finish their current requests, and resolves when all have ended. */
  drain(): Promise<void>;
  /** Ends all processes at once, and resolves when they have ended. */
  kill(): Promise<void>;
};

export type SupervisorOptions = {
  readonly count: number;
  /** The settings that the process of this name serves with. */
  order(name: string): Extract<ToServing, { kind: "serve" }>;
  /** Answers for the supervisor itself, beside the serving processes. */
  answer(question: Question): Promise<readonly unknown[]>;
  /** A process saved a step that adds jobs. */
  onJobs(): void;
  /** The first process listens. */
  onListening(): void;
  /** Leases for anonymous previews: one at a time for the node. */
  readonly anonymousPreviews: Line;
  readonly log: Log;
};

/** A process has the time for its drain, and this long afterwards to end the rest. */
const drainGraceMs = 10_000;

/** Starts the processes and supervises them until they are drained. */
export function supervise(options: SupervisorOptions): Supervisor {
  const { log } = options;
  /** All processes that have their settings, and the ones among them that listen. */
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
        log.error("A serving process ended and is started again", { serving: name, what, reason, pauseMs });
      },
      clock: systemClock,
      drainMs: limits.process.drainMs + drainGraceMs,
    });
    return slot;
  });
  const nextInTurn = (): ServingProcess | undefined => {
    const [next] = serving;
    if (!next) return undefined;
    // The process becomes the last in line, so that all have their turn.
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
