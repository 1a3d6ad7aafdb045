/**
 * The names of a block's outlets other than its own edge and its items' edges, stored as
 * `options.<name>.outgoingEdgeId`. For example, `failure` is followed if the block's external effect fails, `timeout`
 * if nothing happens for a time, and `limit` if a limit of the block is reached. On HTTP blocks `timeout` is a number
 * of seconds and has no edge.
 */
export const wayOutNames = ["failure", "timeout", "limit", "handOff", "nobody", "body"] as const;
export type WayOutName = (typeof wayOutNames)[number];

export function isWayOut(name: string): name is WayOutName {
  return wayOutNames.some((one) => one === name);
}

/** Outlets whose options have no effect on how the input is shown. */
export const unseenWaysOut: ReadonlySet<string> = new Set<WayOutName>(["failure", "timeout", "limit"]);

/** All keys that Parley adds to the flow format, by container. The keys are optional and exported with the bot. */
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
