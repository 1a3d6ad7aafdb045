import { type Bench, inTurns, withEach } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import type { LoadReport } from "../load.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

const concurrency = 32;
const waiting = 100_000;
const dueAtOnce = 10_000;
/** No timer of an active visitor is due during the measurement. */
const afterSeconds = 86_400;
const leastRounds = 5;

/**
 * Measures timers of chats: the cost of a very large number of waiting timers of other chats, of a chat's own timers,
 * and of ten thousand simultaneously due timers.
 */
export async function measureTimers(bench: Bench): Promise<void> {
  await withEach(bench, [{}, {}], async ([without, among]) => {
    if (!without || !among) return;
    await fillTimers(among);
    await compareSteps(without, among);
    await measureDue(among);
  });
}

/** Inserts timers of other sessions, of which none is due within a day. */
async function fillTimers({ floors: { sql } }: Bench): Promise<void> {
  await sql`
    insert into due_steps (shard, session_id, id, bot_id, kind, visit, due, held_until)
    select shard, session, session, session, 'timeout', 'visit', due, due
    from (
      select
        (random() * 1023)::smallint as shard,
        gen_random_uuid() as session,
        clock() + interval '1 day' + random() * interval '29 days' as due
      from generate_series(1, ${waiting})
    ) as made`;
  await sql`analyze due_steps`;
}

async function compareSteps(without: Bench, among: Bench): Promise<void> {
  const talk = async (bench: Bench, flow: object): Promise<() => Promise<LoadReport>> => {
    const { publicId } = await bench.publish(flow);
    const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
    await bench.load(work, { concurrency });
    return () => bench.load(work, { concurrency });
  };
  const measures = [
    await talk(without, askQuestions()),
    await talk(among, askQuestions()),
    await talk(among, askInTime()),
  ];
  const [plain = [], beside = [], own = []] = await inTurns(Math.max(leastRounds, without.pace.rounds), measures);
  const micros = (reports: readonly LoadReport[], who: keyof LoadReport["cpuMs"]) =>
    rates(reports.map(({ steps, cpuMs }) => (1_000 * cpuMs[who]) / steps.count));
  const ratio = (reports: readonly LoadReport[]) =>
    reports.map((report, round) => perSecond(report) / perSecond(plain[round] ?? report));
  const row = (name: string, text: (reports: readonly LoadReport[]) => string) => [
    name,
    ...[plain, beside, own].map(text),
  ];
  printTable(
    [
      `${concurrency} concurrent`,
      "no timers",
      `${waiting.toLocaleString("en")} wait`,
      "and one of their own each step",
    ],
    [
      row("continueChat/s in conversations", (reports) => rates(reports.map(perSecond))),
      row("of that without timers", (reports) => ratios(ratio(reports))),
      row("processor time a step, µs: service", (reports) => micros(reports, "service")),
      row("database", (reports) => micros(reports, "database")),
    ],
  );
  print("");
  without.figures.ratio("timers: steps, of those where none wait", ratio(beside));
  printTarget(`steps while ${waiting} timers wait, of the rate without`, { value: median(ratio(beside)), least: 0.95 });
}

function askInTime() {
  const flow = askQuestions();
  const inTime = (block: object) =>
    "type" in block && String(block.type).endsWith(" input")
      ? { ...block, options: { ...optionsOf(block), timeout: { after: afterSeconds } } }
      : block;
  return { ...flow, groups: flow.groups.map((group) => ({ ...group, blocks: group.blocks.map(inTime) })) };
}

function optionsOf(block: object): object {
  return "options" in block && typeof block.options === "object" && block.options !== null ? block.options : {};
}

/** Measures chats whose timers end at the same moment, while visitors chat at half of the maximum rate. */
async function measureDue(bench: Bench): Promise<void> {
  const { sql } = bench.floors;
  const timed = await bench.publish(askInTime());
  const ready = async (): Promise<number> => {
    const [row] = await sql<[{ count: number }]>`
      select count(*)::integer as count from due_steps where bot_id = ${timed.botId}`;
    return row.count;
  };
  while ((await ready()) < dueAtOnce) {
    await bench.load({ kind: "starts", publicId: timed.publicId }, { concurrency, seconds: 2 });
  }

  const { publicId } = await bench.publish(askQuestions());
  const work = { kind: "conversations", publicId, replies: fiveReplies } as const;
  const fastest = await bench.load(work, { concurrency, seconds: 1 });
  const pace = { concurrency, seconds: 1, warmUpSeconds: 0, perSecond: Math.round(perSecond(fastest) / 2) };
  const quiet: LoadReport[] = [];
  for (let round = 0; round < leastRounds; round++) quiet.push(await bench.load(work, pace));

  const [due] = await sql<[{ count: number }]>`
    with due as (
      update due_steps set due = clock(), held_until = clock()
      where session_id in (select session_id from due_steps where bot_id = ${timed.botId} limit ${dueAtOnce})
      returning 1
    )
    select count(*)::integer as count from due`;
  const begunAt = performance.now();
  let takenAt: number | undefined;
  const taken = (async () => {
    const left = async () =>
      (await sql`select from due_steps where held_until < clock() + interval '1 hour' limit 1`).length;
    while ((await left()) > 0) await Bun.sleep(50);
    takenAt = performance.now();
  })();
  const busy: LoadReport[] = [];
  while (takenAt === undefined) busy.push(await bench.load(work, pace));
  await taken;
  const seconds = (takenAt - begunAt) / 1_000;
  // The last second is excluded, because it was not busy until its end.
  const whole = busy.length > 1 ? busy.slice(0, -1) : busy;
  const p99 = (reports: readonly LoadReport[]) => reports.map(({ steps }) => steps.p99);
  const ratio = median(p99(whole)) / median(p99(quiet));
  printTable(
    [
      `visitors with ${pace.perSecond} requests/s`,
      "nothing is due",
      `${due.count.toLocaleString("en")} are due at once`,
    ],
    [
      ["p99 of a step, ms", ratios(p99(quiet)), ratios(p99(whole))],
      ["failures", ...[quiet, whole].map((reports) => reports.reduce((sum, { failures }) => sum + failures, 0))],
    ],
  );
  print("");
  printTarget(`the last of ${due.count} that were due at once was taken after`, {
    value: seconds,
    most: 60,
    unit: " s",
    digits: 1,
  });
  printTarget("p99 of others meanwhile, of that before", { value: ratio, most: 1.5 });
}

function perSecond({ steps, seconds }: LoadReport): number {
  return steps.count / seconds;
}
