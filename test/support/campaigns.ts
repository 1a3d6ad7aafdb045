/** Whether this is `npm run test:long`, which runs each campaign in full; `npm test` runs a short seed of it. */
export const isLong = process.env["PARLEY_LONG"] === "1";

export type CampaignSize = {
  /** The number in `npm test`. */
  readonly short: number;
  /** The number in `npm run test:long`. */
  readonly long: number;
  /** A variable of the environment that names another number. */
  readonly variable?: string;
};

/** The number of runs, steps or requests of a campaign. */
export function sizeOf({ short, long, variable }: CampaignSize): number {
  const chosen = variable === undefined ? undefined : process.env[variable];
  return chosen === undefined ? (isLong ? long : short) : Number(chosen);
}

/** Selects a test's named cases for this run: all in the long run, in `npm test` those in `short`. */
export function casesOf<Case>(all: Readonly<Record<string, Case>>, short: readonly string[]): [string, Case][] {
  return Object.entries(all).filter(([name]) => isLong || short.includes(name));
}
