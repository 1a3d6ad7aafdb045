import { openBalancer } from "../../balancer.ts";
import { talk, type Visitor } from "../../visitors.ts";
import type { Fault, Field } from "../field.ts";
import { end } from "./processes.ts";

const visitors = 6;

/** One node after the other is asked to stop and comes again, behind a balancer that sends no request twice: none of them fails. */
export const rollingFaults: readonly Fault[] = [
  {
    name: "rolling restart behind a balancer",
    isMissing: ({ count }) => count < 2 && "there is one node",
    async strike(field) {
      const balancer = openBalancer(field.nodes.urls);
      try {
        await balancer.hasReady(field.count);
        const restarted = restartAll(field, () => balancer.hasReady(field.count));
        let isOver = false;
        const over = restarted.finally(() => {
          isOver = true;
        });
        const keepTalking = async (_: unknown, index: number): Promise<void> => {
          for (let chat = 1; !isOver; chat++) {
            const said = await talk(strict(field, balancer.post), `rolling-${performance.now()}-${index}-${chat}`);
            if (said) field.talked.push(said);
          }
        };
        await Promise.all([over, ...Array.from({ length: visitors }, keepTalking)]);
      } finally {
        balancer.close();
      }
    },
  },
];

async function restartAll(field: Field, areReady: () => Promise<void>): Promise<void> {
  for (const { service } of field.nodes.running()) {
    await end(field, [service.pid], "SIGTERM");
    await areReady();
  }
}

/** A visitor to whom nothing may fail, not even once, and who asks nothing twice. */
function strict({ publicId, replies, violated, answered }: Field, post: NonNullable<Visitor["post"]>): Visitor {
  return {
    publicId,
    replies,
    post,
    urls: () => ["http://balancer"],
    random: () => 0.5,
    violated,
    failed: (what) => violated(`behind a balancer during a rolling restart: ${what}`),
    answered,
  };
}
