import { parseArgs } from "node:util";
import { runChaos } from "./chaos.ts";

/** The long form of the chaos test: `bun test/chaos/run.ts --conversations 5000 --kills 50 --restarts 5 --seed 1 --processes 4`. */
const { values } = parseArgs({
  options: {
    conversations: { type: "string", default: "5000" },
    kills: { type: "string", default: "50" },
    restarts: { type: "string", default: "5" },
    processes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const options = {
  conversations: Number(values.conversations),
  kills: Number(values.kills),
  databaseDeaths: Number(values.restarts),
  seed: Number(values.seed),
  processes: Number(values.processes),
};
process.stdout.write(`${JSON.stringify(options)}\n`);
const { errors, problems, ...report } = await runChaos(options);
process.stderr.write(errors);
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
for (const problem of problems) process.stdout.write(`BROKEN ${problem}\n`);
process.stdout.write(
  problems.length === 0 ? "Every promise was kept.\n" : `${problems.length} promises were broken.\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
