import { parseArgs } from "node:util";
import { createFuzzer } from "./fuzz.ts";
import { startFuzzedService } from "./fuzzed-service.ts";

/**
 * The program of `npm run fuzz`. It sends a hundred thousand requests that are determined by the OpenAPI document and a
 * seed, most of them invalid. `--only` repeats one visit of a seed, and shows the response to each of its requests.
 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
  },
});
const seed = Number(values.seed);
print(`seed ${seed}`);
const service = await startFuzzedService();
try {
  process.exitCode = await fuzz(service);
} finally {
  await service.close();
}

async function fuzz({ url, adminToken, heldMegabytes, log }: typeof service): Promise<number> {
  const fuzzer = await createFuzzer({
    ...{ url, adminToken, seed },
    onRequest({ draft }, outcome) {
      if (values.only === undefined) return;
      const isAnswered = outcome.kind === "answered";
      print(`${draft.method} ${draft.path}\n  ${isAnswered ? `${outcome.status} ${outcome.body}` : outcome.kind}`);
    },
  });
  const requests = Number(values.requests);
  if (values.only !== undefined) await fuzzer.repeat(Number(values.only));
  for (let sent = 0; values.only === undefined && sent < requests; ) {
    sent = Math.min(requests, sent + 10_000);
    await fuzzer.send(sent);
    const { heap, resident } = await heldMegabytes();
    print(`${sent} requests; held after them: ${heap.toFixed()} MB on the heap, ${resident.toFixed()} MB in all`);
  }
  const { faults, ...counts } = fuzzer.report();
  print(JSON.stringify(counts, null, 2));
  print(log().slice(-5_000));
  for (const fault of faults) print(`\n${fault}`);
  print(faults.length === 0 ? "Nothing is wrong." : `${faults.length} faults or more.`);
  return faults.length === 0 ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
