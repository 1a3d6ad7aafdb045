import { startBalancer } from "../../../support/balancer.ts";
import { waitFor } from "../../../support/wait.ts";
import { talk, type Visitor } from "../../visitors.ts";
import type { Fault, Field } from "../field.ts";
import { end } from "./processes.ts";

const visitors = 6;
const checkEveryMs = 200;
const readyWithinMs = 60_000;

/** Nodes are stopped and restarted in turn, behind a balancer that never retries a request. No request may fail. */
export const rollingFaults: readonly Fault[] = [
  {
    name: "rolling restart behind a balancer",
    isMissing: ({ count }) => count < 2 && "there is one node",
    async strike(field) {
      const balancer = startBalancer(field.nodes.urls, { checkEveryMs });
      const areReady = () =>
        waitFor(() => balancer.inRotation().length === field.count, {
          withinMs: readyWithinMs,
          what: `${field.count} nodes in rotation`,
        });
      try {
        await areReady();
        const restarted = restartAll(field, areReady);
        let isOver = false;
        const over = restarted.finally(() => {
          isOver = true;
        });
        const keepTalking = async (_: unknown, index: number): Promise<void> => {
          for (let chat = 1; !isOver; chat++) {
            const said = await talk(strict(field, balancer.url), `rolling-${performance.now()}-${index}-${chat}`);
            if (said) field.talked.push(said);
          }
        };
        await Promise.all([over, ...Array.from({ length: visitors }, keepTalking)]);
      } finally {
        await balancer.close();
      }
    },
  },
];

async function restartAll(field: Field, areReady: () => Promise<unknown>): Promise<void> {
  for (const { service } of field.nodes.running()) {
    await end(field, [service.pid], "SIGTERM");
    await areReady();
  }
}

/** Returns a visitor who repeats no request, and for whom no request may fail. */
function strict({ publicId, replies, violated, answered }: Field, balancer: string): Visitor {
  return {
    publicId,
    replies,
    urls: () => [balancer],
    requestMs: readyWithinMs,
    random: () => 0.5,
    violated,
    failed: (what) => violated(`behind a balancer during a rolling restart: ${what}`),
    answered,
  };
}
