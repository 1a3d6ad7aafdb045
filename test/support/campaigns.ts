/**
 * Whether the current run is `npm run test:long`, which runs each campaign in full. `npm test` runs a short part of
 * each campaign.
 */
export const isLong = process.env["PARLEY_LONG"] === "1";

export type CampaignSize = {
  readonly short: number;
  readonly long: number;
  /** An environment variable that overrides the number. */
  readonly variable?: string;
};

/** Returns the number of runs, steps or requests of a campaign. */
export function sizeOf({ short, long, variable }: CampaignSize): number {
  const chosen = variable === undefined ? undefined : process.env[variable];
  return chosen === undefined ? (isLong ? long : short) : Number(chosen);
}

/** Selects the cases of a test: all cases in the long run, and the cases in `short` in `npm test`. */
export function casesOf<Case>(all: Readonly<Record<string, Case>>, short: readonly string[]): [string, Case][] {
  return Object.entries(all).filter(([name]) => isLong || short.includes(name));
}
