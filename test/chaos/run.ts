import { parseArgs } from "node:util";
import { runCampaign } from "./campaign/campaign.ts";
import { summaryOf, tableOf } from "./campaign/report.ts";
import { allFaults, eventFaults } from "./campaign/schedule.ts";
import { runChaos } from "./chaos.ts";
import { openOnVolume, openRestarting, volumeIsMissing } from "./database.ts";
import { plain, withEffects } from "./flow.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    events: { type: "string" },
    only: { type: "string", default: "" },
    every: { type: "string" },
    conversations: { type: "string", default: "5000" },
    kills: { type: "string", default: "50" },
    restarts: { type: "string", default: "5" },
    processes: { type: "string", default: "1" },
    nodes: { type: "string" },
    "receiver-ms": { type: "string" },
    "calls-at-once": { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [seed, processes] = [Number(values.seed), Number(values.processes)];
print(JSON.stringify({ ...values, seed }));
const isCampaign = values.minutes !== undefined || values.events !== undefined;
const { problems, errors } = isCampaign ? await campaign() : await deaths();
process.stderr.write(errors);
for (const problem of problems.slice(0, 200)) print(`BROKEN ${problem}`);
print(problems.length === 0 ? "Every promise was kept." : `${problems.length} promises were broken.`);
process.exit(problems.length === 0 ? 0 : 1);

async function campaign(): Promise<{ problems: readonly string[]; errors: string }> {
  const [events, seconds] = [Number(values.events ?? 0), 60 * Number(values.minutes ?? 0)];
  const faults = events > 0 && seconds === 0 ? eventFaults : allFaults;
  const every = values.every === undefined ? undefined : 1_000 * Number(values.every);
  const everyMs =
    events > 0 ? { least: every ?? 8_000, most: every ?? 8_000 } : { least: 4_000, most: every ?? 10_000 };
  const missing = volumeIsMissing();
  if (missing !== undefined) print(`No disk will be full: ${missing}`);
  const isOnVolume = missing === undefined && events === 0;
  const report = await runCampaign({
    seed,
    processes,
    ...(values.nodes !== undefined && { nodes: Number(values.nodes) }),
    taker: {
      delayMs: Number(values["receiver-ms"] ?? 5),
      ...(values["calls-at-once"] !== undefined && { maxConcurrency: Number(values["calls-at-once"]) }),
    },
    everyMs,
    faults: faults.filter(({ name }) => values.only.split(",").some((words) => name.includes(words))),
    scenario: seconds === 0 ? plain : withEffects,
    openDatabase: isOnVolume ? openOnVolume : openRestarting,
    least: { seconds, events, faults: 1 },
    onStruck({ atSeconds, name, lastedMs, recoveryMs, longestWaitMs, answersMeanwhile }) {
      const [lasted, recovery, wait] = [lastedMs, recoveryMs, longestWaitMs].map((ms) => (ms / 1_000).toFixed(1));
      print(
        `${atSeconds} s: ${name}: ${lasted} s, answered ${recovery} s later, longest wait ${wait} s, ${answersMeanwhile} answers`,
      );
    },
  });
  print(`\n${tableOf(report)}\n\n${summaryOf(report)}`);
  return report;
}

async function deaths(): Promise<{ problems: readonly string[]; errors: string }> {
  const { problems, errors, ...report } = await runChaos({
    conversations: Number(values.conversations),
    kills: Number(values.kills),
    databaseDeaths: Number(values.restarts),
    seed,
    ...(processes > 1 && { nodes: [processes] }),
  });
  print(JSON.stringify(report, null, 2));
  return { problems, errors };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
