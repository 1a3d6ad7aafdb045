import { parseArgs } from "node:util";
import { startFakeModel } from "./server.ts";

// `npm run fake-model -- --port 11434 --word-ms 40` starts a model server for trying blocks without a provider.
const { values } = parseArgs({
  options: { port: { type: "string", default: "11434" }, "word-ms": { type: "string", default: "40" } },
});
const model = await startFakeModel({ port: Number(values.port), wordMs: Number(values["word-ms"]) });
process.stdout.write(
  [
    `A fake model server answers at ${model.baseUrl}; its model "echo" repeats what it is told.`,
    `Start the service with MODEL_SERVERS=${model.origin} and make credentials of type "openai" with this base URL and any key.`,
    "",
  ].join("\n"),
);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void model.close().then(() => process.exit(0)));
}
