import { parseArgs } from "node:util";
import { kill, otherCases } from "./cases.ts";
import { machinesAreMissing } from "./machines.ts";
import { runCases } from "./run-cases.ts";
import { tableOf } from "./table.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "10" },
    only: { type: "string", default: "" },
    logs: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const missing = machinesAreMissing();
if (missing !== undefined) {
  process.stdout.write(`High availability cannot be tested here: ${missing}\n`);
  process.exit(1);
}
const all = [...Array.from({ length: Number(values.kills) }, () => kill), ...otherCases];
const cases = all.filter(({ name }) => values.only.split(",").some((words) => name.includes(words)));
const { problems, errors, ...report } = await runCases(cases, {
  seed: Number(values.seed),
  ...(values.logs !== undefined && { logs: values.logs }),
  onCase: (one) => process.stdout.write(`${JSON.stringify(one)}\n`),
});
process.stdout.write(`\n${tableOf(report)}\n`);
if (problems.length > 0) process.stderr.write(errors.slice(-20_000));
for (const problem of problems.slice(0, 50)) process.stdout.write(`BROKEN ${problem}\n`);
process.stdout.write(
  problems.length === 0 ? "Every promise was kept.\n" : `${problems.length} promises were broken.\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
