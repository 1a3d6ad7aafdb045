import { type Bench, inTurns } from "../bench.ts";
import { askQuestions, fiveReplies } from "../flows.ts";
import { whileListening } from "../listened.ts";
import type { LoadReport, Work } from "../load.ts";
import { printTable, rates } from "../print.ts";

const concurrency = 32;

type Round = { readonly talk: LoadReport; readonly delivered: number };

/**
 * Measures conversations with and without an endpoint that receives all their events, alternately. The service delivers
 * the events at the same time to a receiver that responds immediately, so the service's time includes the delivery.
 * Events that wait at the end of a round are deleted with their endpoint.
 */
export async function measureStepsListening(bench: Bench): Promise<void> {
  const { publicId } = await bench.publish(askQuestions());
  const talkWith = (id: string): Promise<LoadReport> => {
    const work: Work = { kind: "conversations", publicId: id, replies: fiveReplies };
    return bench.load(work, { concurrency });
  };
  const [without = [], listening = []] = await inTurns<Round>(bench.pace.rounds, [
    async () => ({ talk: await talkWith(publicId), delivered: 0 }),
    () =>
      whileListening(bench, 0, async (listened) => {
        const talk = await talkWith(listened.publicId);
        const delivered = await listened.receiver.count();
        await listened.end();
        return { talk, delivered };
      }),
  ]);
  report(bench, without, listening);
}

function report({ figures, pace }: Bench, without: readonly Round[], listening: readonly Round[]): void {
  const micros = (rounds: readonly Round[], who: keyof LoadReport["cpuMs"]) =>
    rounds.map(({ talk }) => (1_000 * talk.cpuMs[who]) / talk.steps.count);
  const row = (name: string, text: (rounds: readonly Round[]) => string) => [name, text(without), text(listening)];
  printTable(
    [`${concurrency} concurrent, in conversations`, "no endpoint", "an endpoint listens"],
    [
      row("processor time a step, µs: service", (rounds) => rates(micros(rounds, "service"))),
      row("database", (rounds) => rates(micros(rounds, "database"))),
      row("continueChat/s", (rounds) => rates(rounds.map(({ talk }) => talk.steps.count / talk.seconds))),
      row("events/s delivered meanwhile", (rounds) =>
        rates(rounds.map(({ delivered }) => delivered / (pace.seconds + pace.warmUpSeconds))),
      ),
    ],
  );
  for (const who of ["service", "database"] as const) {
    figures.cost(`steps, an endpoint listens: ${who}`, "µs", micros(listening, who));
  }
}
