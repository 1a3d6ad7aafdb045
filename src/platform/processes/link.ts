import { AppError } from "../../errors.ts";
import { within } from "../concurrency/within.ts";
import type { Collected, Siblings } from "./collector.ts";
import type { Line } from "./leases.ts";
import { type Question, readToServing, type ToServing, type ToSupervisor } from "./messages.ts";
import { supervisedVariable } from "./spawn.ts";
import { type StopRequest, type StopState, stopSignals } from "./stop-request.ts";

/** The connection of a serving process to its supervisor. */
export type Link = {
  /** Resolves to the order to serve. Resolves to undefined if the process is asked to stop first. */
  readonly order: Promise<Order | undefined>;
  /**
   * The supervisor decides when this process stops, so signals to the process group are ignored. The process also stops
   * when the supervisor has ended.
   */
  readonly stop: StopRequest;
  /** The node-wide queue of anonymous previews, which runs one preview at a time. */
  readonly anonymousPreviews: Line;
  siblings(name: string): Siblings;
  listening(): void;
  /** Resolves when the reason for a failed start was sent to the supervisor. */
  failed(message: string): Promise<void>;
  wakeJobs(): void;
  /** Sets the handler for questions of the supervisor. */
  answerWith(answer: (question: Question) => Promise<unknown>): void;
  /** Calls the listener when steps of chats are due that no request will run. */
  onDue(listener: () => void): void;
  /**
   * Calls the listener when a connection to a messenger may have work. If `connectionId` is undefined, any connection
   * without a holder may have work.
   */
  onRing(listener: (connectionId: string | undefined) => void): void;
  /** Notifies the other processes of the node that the connection has work. */
  ring(connectionId: string): void;
  /** Calls the listener when the database's server must no longer be used for writes. */
  onLeft(listener: (server: { host: string; port: number }) => void): void;
};

type Order = Extract<ToServing, { kind: "serve" }>;

/** How much longer this process waits than the supervisor, which collects the answers. */
const collectGraceMs = 500;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the link to the supervisor that started this process, or undefined if an operator started the process. */
export function supervisorLink(environment: Environment): Link | undefined {
  return environment[supervisedVariable] === "1" && process.connected ? openLink() : undefined;
}

function openLink(): Link {
  const order = Promise.withResolvers<Order | undefined>();
  const leaving = Promise.withResolvers<void>();
  const stopping = Promise.withResolvers<void>();
  const collecting = new Map<number, (collected: Collected | undefined) => void>();
  const leasing = new Map<number, (isGranted: boolean) => void>();
  let answer = async (_question: Question): Promise<unknown> => undefined;
  let wakeDueSteps = (): void => {};
  let hearRing = (_connectionId: string | undefined): void => {};
  let reportLostPrimary = (_server: { host: string; port: number }): void => {};
  let lastId = 0;
  let state: StopState = "serving";

  const leave = (): void => {
    if (state === "serving") state = "leaving";
    leaving.resolve();
  };
  const end = (): void => {
    state = "stopping";
    leaving.resolve();
    // Only the first `resolve` of a promise has an effect. Without this call, a process that waits for its order would
    // wait forever.
    order.resolve(undefined);
    stopping.resolve();
  };
  const send = (message: ToSupervisor, onSent?: () => void): void => {
    // Without a supervisor, this process is about to end.
    if (process.connected) process.send?.(message, undefined, undefined, onSent);
    else onSent?.();
  };
  const hear = (message: ToServing): void => {
    switch (message.kind) {
      case "serve":
        order.resolve(message);
        return;
      case "leave":
        leave();
        return;
      case "drain":
        end();
        return;
      case "ask":
        void answer(message.question).then((said) => send({ kind: "answer", id: message.id, answer: said }));
        return;
      case "collected":
        collecting.get(message.id)?.(message);
        return;
      case "granted":
      case "refused":
        leasing.get(message.id)?.(message.kind === "granted");
        return;
      case "due":
        wakeDueSteps();
        return;
      case "ring":
        hearRing(message.connectionId);
        return;
      case "left":
        reportLostPrimary(message.server);
        return;
      default:
        message satisfies never;
    }
  };
  for (const signal of stopSignals) process.on(signal, () => {});
  process.on("message", (received: unknown) => hear(readToServing(received)));
  process.on("disconnect", () => {
    end();
    for (const refuse of leasing.values()) refuse(false);
    for (const giveUp of collecting.values()) giveUp(undefined);
  });
  send({ kind: "hello" });
  return {
    order: order.promise,
    stop: {
      get state() {
        return state;
      },
      leaving: leaving.promise,
      stopping: stopping.promise,
      forced: new Promise(() => {}),
      fail: end,
      exitCode: () => 0,
      end() {},
    },
    anonymousPreviews: {
      async run(owner, task) {
        const id = ++lastId;
        const verdict = Promise.withResolvers<boolean>();
        leasing.set(id, verdict.resolve);
        send({ kind: "acquire", id, owner });
        try {
          if (!process.connected || !(await verdict.promise)) throw new AppError("server.overloaded");
          return await task();
        } finally {
          leasing.delete(id);
          send({ kind: "release", id });
        }
      },
    },
    siblings: (name) => ({
      name,
      async ask(question, withinMs) {
        const id = ++lastId;
        const done = Promise.withResolvers<Collected | undefined>();
        collecting.set(id, done.resolve);
        send({ kind: "collect", id, question, withinMs });
        const asked = process.connected ? done.promise : Promise.resolve(undefined);
        const collected = await within(withinMs + collectGraceMs, asked, () => undefined);
        collecting.delete(id);
        // A supervisor that does not answer is reported as one missing answer.
        return collected ?? { answers: [], missing: 1 };
      },
    }),
    listening: () => send({ kind: "listening" }),
    failed: (message) => new Promise((resolve) => send({ kind: "failed", message }, resolve)),
    wakeJobs: () => send({ kind: "jobs" }),
    answerWith(given) {
      answer = given;
    },
    onDue(listener) {
      wakeDueSteps = listener;
    },
    onRing(listener) {
      hearRing = listener;
    },
    ring: (connectionId) => send({ kind: "ring", connectionId }),
    onLeft(listener) {
      reportLostPrimary = listener;
    },
  };
}
