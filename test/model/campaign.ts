import fc, { type AsyncCommand } from "fast-check";
import { type KnownFault, Violation } from "./violation.ts";

/** The parts of a model. `Run` is one run of acts, with its model and what it reaches of the service. */
export type Modelled<Run> = {
  /** Each act with two numbers: which of the things that there are it is done to, and in which of its ways. */
  readonly acts: readonly ModelAct<Run>[];
  newRun(): Promise<Run>;
  /** Holds the run to every invariant when its acts are done. */
  end(run: Run): Promise<void>;
  readonly knownFaults: readonly KnownFault[];
};

export type ModelAct<Run> = {
  readonly name: string;
  readonly often: number;
  when(run: Run, on: number, pick: number): boolean;
  run(run: Run, on: number, pick: number): Promise<void>;
};

/** A counterexample that was found, with its acts as they were printed. */
export type Kept = { readonly fault: string; readonly acts: readonly string[] };

export type Found = {
  readonly seed: number;
  /** The shrunk acts, as a line to keep has them. */
  readonly acts: readonly string[];
  readonly violation: unknown;
  /** How long it took to find the first of them, by the clock of the search. */
  readonly seconds: number;
};

/** Numbers of things and of ways: more say no more. */
const most = { on: 3, pick: 11 };
const longestRun = 45;

type Search = {
  readonly seed: number;
  readonly runs: number;
  /** Then the search ends. */
  readonly seconds?: number;
  /** Then a counterexample is reported as short as it is. */
  readonly shrinkSeconds?: number;
  /** In seconds. Absent: that of the wall. */
  readonly clock?: () => number;
};

/** The processor time of this process: the same on a machine that has other work. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function wallSeconds(): number {
  return performance.now() / 1_000;
}

/** Runs random acts of a seed until one breaks a promise, or until so many runs or seconds are over. A counterexample is shrunk. */
export async function search<Run extends object>(modelled: Modelled<Run>, search: Search): Promise<Found | undefined> {
  const { clock = wallSeconds } = search;
  const begun = clock();
  let found: Found | undefined;
  const commands = fc.commands(commandsOf(modelled), { maxCommands: longestRun, size: "max" });
  const property = fc.asyncProperty(commands, async (drawn) => {
    const seconds = clock() - begun;
    if (seconds > (search.seconds ?? Number.POSITIVE_INFINITY)) return true;
    const { acts, violation } = await tell(modelled, [...drawn]);
    if (violation !== undefined) found = { seed: search.seed, acts, violation, seconds };
    return violation === undefined;
  });
  await fc.check(property, { seed: search.seed, numRuns: search.runs, endOnFailure: true });
  return found && (await shrunk(modelled, found, search.shrinkSeconds ?? 60));
}

/** Leaves out act after act, as long as the same promise is broken: quicker than what a library knows of lists, since each run costs a second. */
async function shrunk<Run extends object>(modelled: Modelled<Run>, found: Found, seconds: number): Promise<Found> {
  const until = performance.now() + 1_000 * seconds;
  let shortest = found;
  for (let length = Math.ceil(found.acts.length / 2); length >= 1; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    for (let at = shortest.acts.length - length; at >= 0 && performance.now() < until; at -= length) {
      const fewer = shortest.acts.toSpliced(at, length);
      const { acts, violation } = await tell(modelled, commandsIn(modelled, fewer));
      if (promisedIn(violation) === promisedIn(found.violation)) shortest = { ...found, acts, violation };
      at = Math.min(at, shortest.acts.length);
    }
  }
  return shortest;
}

function promisedIn(violation: unknown): string | undefined {
  if (violation === undefined) return undefined;
  return violation instanceof Violation ? violation.invariant : String(violation).slice(0, 40);
}

/** Does acts that were kept. Gives the promise that they break, if they do. */
export async function repeat<Run extends object>(
  modelled: Modelled<Run>,
  { acts }: Pick<Kept, "acts">,
): Promise<unknown> {
  return (await tell(modelled, commandsIn(modelled, acts))).violation;
}

function commandsIn<Run extends object>(modelled: Modelled<Run>, acts: readonly string[]): Doing<Run>[] {
  return acts.map((line) => {
    const [name = "", on = "0", pick = "0"] = line.split(" ");
    const act = modelled.acts.find((each) => each.name === name);
    if (!act) throw new Error(`There is no act "${name}"`);
    return commandOf(act, Number(on), Number(pick));
  });
}

/** The report of a counterexample, with the line to keep. */
export function reportOf({ seed, acts, violation, seconds }: Found): string {
  const line = `{ fault: "Say what was wrong", acts: ${JSON.stringify(acts)} },`;
  return `Seed ${seed}, found after ${seconds.toFixed(1)} s\n${violation}\n\nThe line to keep:\n${line}\n`;
}

type Told<Run> = { readonly run: Run; readonly done: string[] };

/** One run, with the acts that could be done. A promise that a known fault breaks ends it, and counts as kept. */
async function tell<Run extends object>(
  modelled: Modelled<Run>,
  commands: readonly Doing<Run>[],
): Promise<{ readonly acts: readonly string[]; readonly violation?: unknown }> {
  const done: string[] = [];
  const both = { run: await modelled.newRun(), done };
  try {
    await fc.asyncModelRun(async () => ({ model: both, real: both }), commands);
    await modelled.end(both.run);
    return { acts: done };
  } catch (violation) {
    const isKnown = violation instanceof Violation && modelled.knownFaults.some(({ isSeenIn }) => isSeenIn(violation));
    return { acts: done, ...(!isKnown && { violation }) };
  }
}

type Doing<Run> = AsyncCommand<Told<Run>, Told<Run>>;

function commandsOf<Run extends object>({ acts }: Modelled<Run>): fc.Arbitrary<Doing<Run>>[] {
  const numbers = fc.tuple(fc.nat(most.on), fc.nat(most.pick));
  return acts.flatMap((act) => {
    const doing = numbers.map(([on, pick]) => commandOf(act, on, pick));
    return Array.from({ length: act.often }, () => doing);
  });
}

function commandOf<Run extends object>(act: ModelAct<Run>, on: number, pick: number): Doing<Run> {
  const line = `${act.name} ${on} ${pick}`;
  return {
    check: ({ run }) => act.when(run, on, pick),
    async run({ run, done }) {
      done.push(line);
      await act.run(run, on, pick);
    },
    toString: () => line,
  };
}
