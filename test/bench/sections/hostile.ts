import { type Bench, inTurns } from "../bench.ts";
import { askForEndlessScripts, askQuestions, fiveReplies } from "../flows.ts";
import { median } from "../numbers.ts";
import { print, printTable, printTarget, rates, ratios } from "../print.ts";

const concurrency = 4;
/** An endless script runs for seconds until it is ended. */
const fewestSeconds = 2;

/** How ordinary chats fare beside as many chats whose scripts never end. */
export async function measureHostile(bench: Bench): Promise<void> {
  const ordinary = await bench.publish(askQuestions());
  const hostile = await bench.publish(askForEndlessScripts());
  const seconds = Math.max(bench.pace.seconds, fewestSeconds);
  const talk = () =>
    bench.load({ kind: "conversations", publicId: ordinary.publicId, replies: fiveReplies }, { concurrency, seconds });
  const attack = () => {
    const replies = Array.from({ length: 1_000 }, () => "go");
    return bench.load({ kind: "conversations", publicId: hostile.publicId, replies }, { concurrency, seconds });
  };
  const [rounds = []] = await inTurns(bench.pace.isLong ? bench.pace.rounds : 1, [
    async () => {
      const quiet = await talk();
      const [attacked, attacking] = await Promise.all([talk(), attack()]);
      return { quiet, attacked, attacking };
    },
  ]);
  const rows = (["p50", "p95", "p99"] as const).map((name) => [
    `continueChat ${name} ms`,
    ratios(rounds.map(({ quiet }) => quiet.steps[name])),
    ratios(rounds.map(({ attacked }) => attacked.steps[name])),
    ratios(rounds.map(({ quiet, attacked }) => attacked.steps[name] / quiet.steps[name])),
  ]);
  const perSecond = (which: "quiet" | "attacked") =>
    rounds.map((round) => round[which].steps.count / round[which].seconds);
  printTable(
    [`${concurrency} chats`, "quiet", `beside ${concurrency} whose scripts never end`, "ratio"],
    [...rows, ["continueChat/s", rates(perSecond("quiet")), rates(perSecond("attacked")), ""]],
  );
  bench.figures.cost(
    "hostile: p99 beside endless scripts, in the quiet one",
    "",
    rounds.map(({ quiet, attacked }) => attacked.steps.p99 / quiet.steps.p99),
  );
  const ended = rounds.reduce((sum, { attacking }) => sum + attacking.failures, 0);
  print(`\n${ended} steps of endless scripts were ended meanwhile.\n`);
  printTarget("p99 beside hostile scripts, in the quiet one", {
    value: median(rounds.map(({ quiet, attacked }) => attacked.steps.p99 / quiet.steps.p99)),
    most: 3,
  });
}
