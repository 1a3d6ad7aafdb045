/** The time until a promise was broken, the promise's name, and the output of the run. */
export type Verdict = { readonly seconds: number; readonly promise: string; readonly said: string };

type Ended = {
  readonly seed: number;
  /** The exit code, or the signal. */
  readonly ended: string;
  readonly said: string;
};

/**
 * Returns the verdict of a run of random acts, or undefined if they broke no promise. Throws with the output if the run
 * ended in any other way.
 */
export function verdictOf({ seed, ended, said }: Ended): Verdict | undefined {
  if (ended === "0" && /^ 1 pass$/m.test(said)) return undefined;
  const [, seconds, promise] = /found after ([\d.]+) s\nThe promise "(\w+)" is broken/.exec(said) ?? [];
  if (seconds === undefined || promise === undefined)
    throw new Error(`The run of seed ${seed} ended with ${ended}, and without a verdict:\n${said}`);
  return { seconds: Number(seconds), promise, said };
}
