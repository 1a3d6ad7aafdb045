import { setPriority } from "node:os";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { AttackOrder, AttackReport } from "../hostile/attacker.ts";
import { type Attack, attacks } from "../hostile/attacks.ts";
import { makeAuthor } from "../hostile/author.ts";
import { askWithCallAndScript } from "../hostile/talk.ts";
import type { VictimOrder, VictimReport } from "../hostile/victim.ts";
import { median } from "../numbers.ts";
import { printTable, printTarget, ratios } from "../print.ts";

/** The visitors use half of a core without an attack. */
const visitors = 16;
const thinkMs = 40;
/** The time after which an attack uses all resources that it can get. */
const warmUpMs = 700;
const mostRatio = 3;

type Round = { readonly quiet: VictimReport; readonly attacked: VictimReport; readonly attack: AttackReport };

/**
 * Measures the effect of one attacker at a time on visitors of another workspace, with the service's default rate
 * limits.
 */
export async function measureHostile(bench: Bench): Promise<void> {
  await bench.withAnother("parley_bench_hostile", measureAll, { RATE_LIMITS: "on" });
}

async function measureAll(bench: Bench): Promise<void> {
  const helpful = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ says: "called" }) });
  const target = freePort();
  try {
    const chat = await victimOf(bench, `http://outside.example:${helpful.port}/`);
    const prepared: { attack: Attack; order: Omit<AttackOrder, "host" | "port">; rounds: Round[] }[] = [];
    const chosen = attacks.filter(({ name }) => name.includes(bench.pace.attack));
    for (const attack of chosen) prepared.push({ attack, order: await attack.prepare(bench, target), rounds: [] });
    // Warms up all code before the first round, whose quiet part would otherwise be slower than the attacked part.
    for (let time = 0; time < 3; time++) await chat();
    for (let round = 0; round < bench.pace.hostileRounds; round++) {
      const quiet = await chat();
      for (const { order, rounds } of prepared) rounds.push({ quiet, ...(await during(bench, order, chat)) });
    }
    report(bench, prepared);
  } finally {
    await helpful.stop(true);
  }
}

async function victimOf(bench: Bench, url: string): Promise<() => Promise<VictimReport>> {
  const { flow, talk } = askWithCallAndScript(url);
  const { publicId } = await makeAuthor(bench, flow);
  const order: VictimOrder = {
    ...{ host: "127.0.0.1", port: bench.service.port, publicId, talk, visitors, thinkMs, warmUpMs },
    seconds: bench.pace.hostileSeconds,
  };
  return async () => JSON.parse(await finish(run("victim.ts", order)));
}

async function during(
  bench: Bench,
  order: Omit<AttackOrder, "host" | "port">,
  chat: () => Promise<VictimReport>,
): Promise<Pick<Round, "attacked" | "attack">> {
  const attacker = run("attacker.ts", { host: "127.0.0.1", port: bench.service.port, ...order } satisfies AttackOrder);
  // The attacker represents other machines, so it only gets the processor time that the service does not use.
  setPriority(attacker.pid, 10);
  const attacked = await chat();
  attacker.kill("SIGTERM");
  return { attacked, attack: JSON.parse(await finish(attacker)) };
}

function run(program: string, order: object) {
  return Bun.spawn([process.execPath, join(import.meta.dir, "../hostile", program)], {
    stdin: new Blob([JSON.stringify(order)]),
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function finish(program: ReturnType<typeof run>): Promise<string> {
  const text = await program.stdout.text();
  if ((await program.exited) !== 0) throw new Error("A program of the section failed.");
  return text;
}

function freePort(): number {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  if (port === undefined) throw new Error("There is no free port");
  return port;
}

function report(bench: Bench, measured: readonly { attack: Attack; rounds: readonly Round[] }[]): void {
  const rows = measured.map(({ attack, rounds }) => [
    attack.name,
    ...(["p50", "p99"] as const).map((name) => ratios(rounds.map(({ attacked }) => attacked.answers[name]))),
    ratios(ratiosOf(rounds)),
    rounds.reduce((sum, { attacked }) => sum + attacked.failures, 0),
    told(rounds.map((round) => round.attack)),
  ]);
  const quiet = (measured[0]?.rounds ?? []).map((round) => round.quiet);
  const head = ["beside", "p50 ms", "p99 ms", "p99 in the quiet one", "victims' failures", "what the attackers heard"];
  printTable(head, [
    [
      "nobody",
      ...(["p50", "p99"] as const).map((name) => ratios(quiet.map(({ answers }) => answers[name]))),
      "1",
      quiet.reduce((sum, { failures }) => sum + failures, 0),
      `${quiet.reduce((sum, { answers }) => sum + answers.count, 0)} answers of victims`,
    ],
    ...rows,
  ]);
  for (const { attack, rounds } of measured) {
    printTarget(`p99 beside ${attack.name}`, { value: median(ratiosOf(rounds)), most: attack.mostRatio ?? mostRatio });
  }
  const endless = measured.find(({ attack }) => attack.name.includes("never end"));
  if (endless)
    bench.figures.cost("hostile: p99 beside endless scripts, in the quiet one", "", ratiosOf(endless.rounds));
}

function ratiosOf(rounds: readonly Round[]): number[] {
  return rounds.map(({ quiet, attacked }) => attacked.answers.p99 / quiet.answers.p99);
}

function told(reports: readonly AttackReport[]): string {
  const sums = new Map<string, number>();
  for (const { statuses } of reports) {
    for (const [status, count] of Object.entries(statuses)) sums.set(status, (sums.get(status) ?? 0) + count);
  }
  return [...sums].map(([status, count]) => `${count} × ${status}`).join(", ");
}
