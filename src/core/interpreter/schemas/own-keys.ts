/**
 * Ways out of a block beside its own edge and those of its items: `options.<name>.outgoingEdgeId`. `failure` is taken
 * where what the block does outside fails, `timeout` where nothing happens for a time (on HTTP blocks this key is a
 * number of seconds, and leads nowhere), `limit` where a bound of the block is reached.
 */
export const wayOutNames = ["failure", "timeout", "limit", "handOff", "nobody", "body"] as const;
export type WayOutName = (typeof wayOutNames)[number];

export function isWayOut(name: string): name is WayOutName {
  return wayOutNames.some((one) => one === name);
}

/** Outlets that do not change the question, with anything else in their objects. */
export const unseenWaysOut: ReadonlySet<string> = new Set<WayOutName>(["failure", "timeout", "limit"]);

/**
 * Every key of ours beside the format, by what holds it: optional, stored untouched by other programs, exported with
 * the bot, and without effect on a flow that lacks it.
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
