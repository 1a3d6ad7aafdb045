/** The configuration of the readers, which run in a separate process. It is passed as JSON in the first argument. */
export type ReadersOrder = {
  readonly url: string;
  /** The number of answers that are read concurrently, and the total number. */
  readonly atOnce: number;
  readonly answers: number;
  /** Whether each answer is read as a whole, as JSON. */
  readonly isWhole?: boolean;
};

export type ReadersReport = { readonly answers: number; readonly characters: number; readonly events: number };

const order: ReadersOrder = JSON.parse(process.argv[2] ?? "{}");
let left = order.answers;
const report = { answers: 0, characters: 0, events: 0 };
await Promise.all(
  Array.from({ length: order.atOnce }, async () => {
    while (left-- > 0) await readAnswer();
  }),
);
process.stdout.write(JSON.stringify(report));
process.exit(0);

async function readAnswer(): Promise<void> {
  const response = await fetch(order.url, {
    method: "POST",
    headers: { Accept: order.isWhole ? "application/json" : "text/event-stream", "Content-Type": "application/json" },
    body: "{}",
  });
  const text = await response.text();
  if (order.isWhole) {
    report.answers++;
    return;
  }
  const deltas = [...text.matchAll(/^event: delta\nid: \d+\.(\d+)$/gm)];
  if (!text.includes("\nevent: step\n")) throw new Error(`An answer without its end: ${text.slice(0, 300)}`);
  report.answers++;
  report.events += deltas.length;
  report.characters += Number(deltas.at(-1)?.[1] ?? 0);
}
