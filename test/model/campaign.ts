import fc, { type AsyncCommand } from "fast-check";
import { type KnownFault, Violation } from "./violation.ts";

/** The parts of a model. `Run` is one run of acts, with its model and its access to the service. */
export type Modelled<Run> = {
  /** Each act takes two numbers: `on` selects its object, and `pick` its variant. */
  readonly acts: readonly ModelAct<Run>[];
  readonly scenarios: readonly Scenario[];
  newRun(): Promise<Run>;
  /** Checks every invariant after the acts of a run. */
  end(run: Run): Promise<void>;
  readonly knownFaults: readonly KnownFault[];
};

export type ModelAct<Run> = {
  readonly name: string;
  readonly often: number;
  when(run: Run, on: number, pick: number): boolean;
  run(run: Run, on: number, pick: number): Promise<void>;
};

/**
 * Acts in an order that is likely to combine two features. Many runs begin with a scenario, mixed with other acts. Each
 * entry is one line, or a choice of several lines. `*` is any number, and an impossible act is skipped.
 */
export type Scenario = { readonly means: string; readonly acts: readonly (string | readonly [string, ...string[]])[] };

/** An earlier counterexample, with its acts as they were printed. */
export type Kept = { readonly fault: string; readonly acts: readonly string[] };

export type Found = {
  readonly seed: number;
  /** The shrunk acts, in the form of a stored line. */
  readonly acts: readonly string[];
  readonly violation: unknown;
  /** The time until the counterexample was first found, by the clock of the search. */
  readonly seconds: number;
};

/** The highest numbers that are drawn for objects and for variants. Larger numbers find no further faults. */
const most = { on: 3, pick: 11 };
/** The maximum number of random acts: in a run without a scenario, and after a scenario. */
const longest = { alone: 45, behindScenario: 12 };
/** The number of runs that are drawn in one batch. */
const batch = 8;

type Search = {
  readonly seed: number;
  readonly runs: number;
  /** The maximum duration of the search, in seconds. */
  readonly seconds?: number;
  /** The seconds after which a counterexample is reported without further shrinking. */
  readonly shrinkSeconds?: number;
  /** Returns the time in seconds. Defaults to the wall clock. */
  readonly clock?: () => number;
};

/** Returns the processor time of this process, which is independent of other work on the machine. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

function wallSeconds(): number {
  return performance.now() / 1_000;
}

/** The number of runs and acts without a counterexample. */
export type Tally = { runs: number; acts: number };

/**
 * Runs random acts of a seed until a run fails, or until `runs` or `seconds` is reached. Returns the shrunk
 * counterexample, or undefined. `tally` counts the successful runs and acts.
 */
export async function search<Run extends object>(
  modelled: Modelled<Run>,
  { seed, runs, seconds: most = Number.POSITIVE_INFINITY, shrinkSeconds = 60, clock = wallSeconds }: Search,
  tally: Tally = { runs: 0, acts: 0 },
): Promise<Found | undefined> {
  const begun = clock();
  const drawing = runsOf(modelled);
  for (let first = 0; first < runs; first += batch) {
    // Each batch is drawn with its own seed, so the n-th run is the same for any number of later runs.
    const drawn = fc.sample(drawing, { seed: (seed + first) | 0, numRuns: batch });
    for (const commands of drawn.slice(0, runs - first)) {
      const seconds = clock() - begun;
      if (seconds > most) return undefined;
      const { acts, violation } = await tell(modelled, commands);
      if (violation !== undefined)
        return await shrunk(modelled, { seed, acts, violation, seconds: clock() - begun }, shrinkSeconds);
      tally.runs++;
      tally.acts += acts.length;
    }
  }
  return undefined;
}

/**
 * Removes ever shorter spans of acts while the same promise is still broken. Each run takes a second, so this is faster
 * than a library's shrinking of lists.
 */
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

/** Repeats stored acts. Returns the violation that they cause, or undefined. */
export async function repeat<Run extends object>(
  modelled: Modelled<Run>,
  { acts }: Pick<Kept, "acts">,
): Promise<unknown> {
  return (await tell(modelled, commandsIn(modelled, acts))).violation;
}

function commandsIn<Run extends object>(modelled: Modelled<Run>, acts: readonly string[]): Doing<Run>[] {
  return acts.map((line) => commandIn(modelled.acts, line, { on: 0, pick: 0 }));
}

/** Parses a line into its act. `drawn` contains the numbers for its placeholders. */
function commandIn<Run extends object>(
  acts: readonly ModelAct<Run>[],
  line: string,
  drawn: { readonly on: number; readonly pick: number },
): Doing<Run> {
  const [name, on = "*", pick = "*"] = line.split(" ");
  const act = acts.find((each) => each.name === name);
  if (!act) throw new Error(`There is no act "${name}"`);
  return commandOf(act, on === "*" ? drawn.on : Number(on), pick === "*" ? drawn.pick : Number(pick));
}

/** Returns the report of a counterexample, with the line to store. */
export function reportOf({ seed, acts, violation, seconds }: Found): string {
  const line = `{ fault: "Say what was wrong", acts: ${JSON.stringify(acts)} },`;
  const broken =
    violation instanceof Violation
      ? `The promise "${violation.invariant}" is broken: ${violation.message}`
      : `No promise, but a failure: ${violation}`;
  return `Seed ${seed}, found after ${seconds.toFixed(1)} s\n${broken}\n\nThe line to keep:\n${line}\n`;
}

type Told<Run> = { readonly run: Run; readonly done: string[] };

/**
 * Executes one run. Returns the acts that were possible. If a known fault breaks a promise, the run ends, and the
 * promise counts as kept.
 */
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

/** Draws runs of only random acts, or runs that begin with a scenario. */
function runsOf<Run extends object>({ acts, scenarios }: Modelled<Run>): fc.Arbitrary<Doing<Run>[]> {
  const numbers = fc.tuple(fc.nat(most.on), fc.nat(most.pick));
  const anyAct = fc.oneof(
    ...acts.map((act) => ({
      weight: act.often,
      arbitrary: numbers.map(([on, pick]) => commandOf(act, on, pick)),
    })),
  );
  const alone = fc.array(anyAct, { maxLength: longest.alone, size: "max" });
  if (scenarios.length === 0) return alone;
  const between = fc.oneof(
    { weight: 7, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: anyAct.map((command) => [command]) },
  );
  const begun = scenarios.map(({ acts: lines }) => {
    const each = lines.map((entry) => {
      const chosen = fc.constantFrom(...(typeof entry === "string" ? [entry] : entry));
      return fc
        .tuple(between, chosen, numbers)
        .map(([before, line, [on, pick]]) => [...before, commandIn(acts, line, { on, pick })]);
    });
    return fc
      .tuple(fc.tuple(...each), fc.array(anyAct, { maxLength: longest.behindScenario, size: "max" }))
      .map(([scenario, behind]) => [...scenario.flat(), ...behind]);
  });
  return fc.oneof({ weight: 1, arbitrary: alone }, { weight: 3, arbitrary: fc.oneof(...begun) });
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
