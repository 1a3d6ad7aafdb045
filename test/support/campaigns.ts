/** Whether this is `npm run test:long`, which makes the whole of each campaign; `npm test` makes a short seed of it. */
export const isLong = process.env["PARLEY_LONG"] === "1";

export type CampaignSize = {
  /** In `npm test`. */
  readonly short: number;
  /** In `npm run test:long`. */
  readonly long: number;
  /** A variable of the environment that names another number. */
  readonly variable?: string;
};

/** How many runs, steps or requests a campaign makes. */
export function sizeOf({ short, long, variable }: CampaignSize): number {
  const chosen = variable === undefined ? undefined : process.env[variable];
  return chosen === undefined ? (isLong ? long : short) : Number(chosen);
}

/** Selects a test's named cases for this run: in the long one all, in `npm test` those that `short` names. */
export function casesOf<Case>(all: Readonly<Record<string, Case>>, short: readonly string[]): [string, Case][] {
  return Object.entries(all).filter(([name]) => isLong || short.includes(name));
}
