/**
 * Outlets of a block beside its own edge and its items' edges: `options.<name>.outgoingEdgeId`. `failure` is taken if
 * the block's effect outside fails, `timeout` if nothing happens for a time (on HTTP blocks this key is a number of
 * seconds, and has no edge), `limit` if a bound of the block is reached.
 */
export const wayOutNames = ["failure", "timeout", "limit", "handOff", "nobody", "body"] as const;
export type WayOutName = (typeof wayOutNames)[number];

export function isWayOut(name: string): name is WayOutName {
  return wayOutNames.some((one) => one === name);
}

/** Outlets that do not change the question, with all other data in their objects. */
export const unseenWaysOut: ReadonlySet<string> = new Set<WayOutName>(["failure", "timeout", "limit"]);

/**
 * Every key that Parley adds to the format, by its container: optional, stored unchanged by other programs, exported
 * with the bot, and without effect on a flow that lacks it.
 */
export const ownKeys = {
  options: [
    ...wayOutNames,
    "callTimeout",
    "fallbacks",
    "isLater",
    "followUps",
    "isCountry",
    "cacheMinutes",
    "translations",
  ],
  group: ["part"],
  settings: ["isGoBackEnabled", "models", "answers", "guard", "languages", "part"],
  theme: ["dark", "brand"],
  variable: ["isPrefillable"],
  flow: ["editor"],
} as const;
