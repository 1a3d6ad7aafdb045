import { createInterface } from "node:readline";
import type { Answer } from "../../web/app/api/call.ts";
import { textAt } from "../../web/conversation/read.ts";
import type { Tools } from "../command.ts";
import { timeText } from "../output/table.ts";
import type { Forwarded } from "./forward.ts";

export type Received =
  Answer<"POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive">["calls"][number];

/** The outcome of a call that is printed and not forwarded. */
export const printed: Forwarded = { isDelivered: true, statusCode: null, error: null, response: null };

/** The number of calls that can be sent again. */
const mostKept = 1_000;

/** Prints each call with a number, and stores the delivery ids of the newest calls. */
export function createPrinter(tools: Tools, { json, isShown }: { readonly json: boolean; readonly isShown: boolean }) {
  const kept = new Map<number, readonly string[]>();
  let last = 0;
  return {
    line({ id, deliveryIds, headers, body }: Received, outcome: Forwarded, ms: number): void {
      last++;
      kept.set(last, deliveryIds);
      kept.delete(last - mostKept);
      if (json) {
        tools.print(`${JSON.stringify({ number: last, id, headers, body, ...outcome })}\n`);
        return;
      }
      const content: unknown = JSON.parse(body);
      const types = [content].flat().map((event) => textAt(event, "type"));
      const end = outcome === printed ? "" : `  ${outcome.statusCode ?? outcome.error}  ${Math.round(ms)} ms`;
      tools.print(`#${last}  ${timeText(new Date().toISOString())}  ${types.join(", ")}  ${id}${end}\n`);
      if (isShown) tools.print(`${JSON.stringify(content, undefined, 2)}\n`);
    },
    /** Returns the delivery ids of the call with this number. The default is the newest call. */
    deliveriesOf: (number: number = last): readonly string[] => kept.get(number) ?? [],
  };
}

/** Reads the commands `r` and `r 3` from standard input, and passes on the delivery ids to send again. */
export function readResends(
  onWish: (deliveryIds: readonly string[]) => void,
  deliveriesOf: (number?: number) => readonly string[],
) {
  const wanted: string[] = [];
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const found = /^r(?:\s+#?(\d+))?$/.exec(line.trim());
    if (!found) return;
    const ids = found[1] === undefined ? deliveriesOf() : deliveriesOf(Number(found[1]));
    wanted.push(...ids);
    onWish(ids);
  });
  return { take: () => wanted.splice(0), close: () => lines.close() };
}
