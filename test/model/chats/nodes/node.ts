import { startDueSteps } from "../../../../src/chat/due/due-steps.ts";
import { paymentChecks } from "../../../../src/chat/payments/payment-checks.job.ts";
import { createApp } from "../../../../src/service/app.ts";
import type { Dependencies } from "../../../../src/service/dependencies.ts";
import type { Client } from "../../../support/client.ts";

/** The points at which a node dies, each between two consecutive actions. */
export const arrows = [
  "before the call",
  "after the call",
  "after the report",
  "before the save",
  "after the save",
] as const;
export type Arrow = (typeof arrows)[number];

/** A node that serves requests. */
export type Node = {
  readonly client: Client;
  handle(request: Request): Promise<Response>;
  /** Runs the due steps. */
  wake(): Promise<void>;
  /** Reads a bot. A process computes the database's clock from its last read, so reading a bot updates the clock. */
  readBot(publicId: string): Promise<void>;
  /** Queries the provider for payments that were not reported. */
  checkPayments(): Promise<void>;
  /** Lets the node die at a point of the next request. `reached` resolves when the node has reached the point. */
  dieAt(death: Death): Promise<{ readonly reached: Promise<void> }>;
  /** Cancels the planned death if it has not happened. Returns false if the node has died. */
  livesOn(): Promise<boolean>;
  /** Kills the node. Its current work never ends. */
  die(): Promise<void>;
  stop(): Promise<void>;
};

/** `in the midst` means a random moment. */
export type Death = Arrow | "in the midst";

/** Returns the parts of a node that the acts use. */
export function partsOf(deps: Dependencies) {
  const app = createApp(deps);
  const due = startDueSteps(deps);
  return {
    handle: (request: Request) => app.handle(request),
    due,
    async readBot(publicId: string): Promise<void> {
      await deps.reads.publishedBots.add(publicId);
    },
    async checkPayments(): Promise<void> {
      const [checks] = paymentChecks(deps);
      while ((await checks?.removeSome()) !== 0);
    },
  };
}

/** Returns the dependencies of a node that can die at each point. */
export function mortal(
  { safeFetch, saves, reports, ...deps }: Dependencies,
  pass: (arrow: Arrow) => Promise<void> | undefined,
): Dependencies {
  return {
    ...deps,
    claimTimes: { seconds: 2, renewMs: 500 },
    async safeFetch(request) {
      await pass("before the call");
      const answer = await safeFetch(request);
      await pass("after the call");
      return answer;
    },
    reports: {
      ...reports,
      async insert(sessionId, kept) {
        await reports.insert(sessionId, kept);
        await pass("after the report");
      },
    },
    saves: {
      ...saves,
      steps: {
        ...saves.steps,
        async save(row) {
          await pass("before the save");
          const isSaved = await saves.steps.save(row);
          await pass("after the save");
          return isSaved;
        },
      },
    },
  };
}
