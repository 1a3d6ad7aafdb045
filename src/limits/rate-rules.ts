/**
 * The actions that are counted. `attempts` are uses of invitation codes, and wrong API tokens. `signIns` are attempts
 * to sign in, and `codes` are codes sent by email. `calls` are calls to callback addresses of chats, `hooks` are calls
 * of messengers, and `messages` are messages of their contacts. `kilobytes` are kilobytes of JSON bodies without a
 * token.
 */
export const acts = [
  ...["starts", "steps", "previews", "uploads", "logs", "calls", "hooks", "messages", "ratings", "suggestions"],
  ...["management", "edits", "attempts", "signIns", "codes", "kilobytes"],
] as const;
export type Act = (typeof acts)[number];

/** The scopes in which an action can be counted. */
export const scopes = [
  "address",
  "session",
  "bot",
  "workspace",
  "token",
  "user",
  "callback",
  "connection",
  "contact",
] as const;
export type Scope = (typeof scopes)[number];

/** A rule allows a burst of `burst` actions, and then one action every `intervalMs`. */
export type Rule = {
  readonly scope: Scope;
  readonly act: Act;
  readonly burst: number;
  readonly intervalMs: number;
  /** Whether the operator set the limit. Such a limit also applies to requests from this machine. */
  readonly isChosen: boolean;
};

/** Whether a rule also applies to requests from this machine. */
export function holdsEverywhere({ scope, act, isChosen }: Rule): boolean {
  return isChosen || scope === "session" || (scope === "user" && (act === "signIns" || act === "codes"));
}

/**
 * The default limits in the format of RATE_LIMITS: actions per time, followed by the burst after the colon. The limits
 * prevent abuse without limiting normal use. For example, 300 visitors behind one address can each load a page, start,
 * reload and answer twenty questions within a few seconds, and a script can run 200 steps of one chat at full speed.
 */
export const defaultRules = {
  "address.starts": "300/1m:1200",
  "address.steps": "6000/1m:9000",
  "address.previews": "60/1m:120",
  "address.uploads": "1200/1m:3000",
  "address.logs": "600/1m:1200",
  "address.management": "6000/1m:6000",
  "address.attempts": "30/1m:60",
  "session.steps": "120/1m:300",
  "session.uploads": "60/1m:150",
  "session.logs": "60/1m:120",
  "session.ratings": "30/1m:60",
  "session.suggestions": "30/1m:30",
  "callback.calls": "60/1m:120",
  "connection.hooks": "60000/1m:60000",
  // Further messages wait for their turn.
  "contact.messages": "60/1m:120",
  "bot.starts": "3000/1m:6000",
  "workspace.starts": "6000/1m:12000",
  "token.previews": "120/1m:240",
  "token.management": "3000/1m:6000",
  "user.edits": "20/1s:60",
  "address.signIns": "30/1m:60",
  "user.signIns": "30/1m:60",
  "address.codes": "20/1h:20",
  "user.codes": "5/1h:5",
  // Even a school class of 300 sends far less. The most expensive JSON takes 0.1 ms per kilobyte, so this limit allows
  // 3 s of a core in each minute.
  "address.kilobytes": "30000/1m:60000",
} as const;

const known = new Map<string, string>(Object.entries(defaultRules));
const notation = /^(\d{1,7})\/(\d{0,4})([smh])(?::(\d{1,7}))?$/;
const unitMs = new Map([
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/**
 * Parses RATE_LIMITS: `on`, `off`, or limits that override the defaults. `problem` is an error message that follows the
 * setting's name.
 */
export function readRateLimits(text: string): { readonly rules: readonly Rule[] } | { readonly problem: string } {
  if (text === "off") return { rules: [] };
  const chosen = new Map<string, string>();
  for (const entry of text === "on" ? [] : text.split(",").map((part) => part.trim())) {
    const [name = "", numbers, ...rest] = entry.split("=");
    if (numbers === undefined || rest.length > 0) {
      return { problem: `must be on, off or limits such as session.steps=20/10s, and "${entry}" is not valid.` };
    }
    if (!known.has(name))
      return { problem: `has the unknown limit "${name}"; the limits are ${[...known.keys()].join(", ")}.` };
    if (chosen.has(name)) return { problem: `names ${name} twice.` };
    if (numbers !== "off" && !readNumbers(numbers)) {
      return {
        problem: `must have a number of requests and a time for ${name}, such as 20/10s, 20/10s:60 or off, instead of "${numbers}".`,
      };
    }
    chosen.set(name, numbers);
  }
  return { rules: [...known].flatMap(([name, byDefault]) => ruleOf(name, byDefault, chosen.get(name)) ?? []) };
}

/** Returns the rules of a RATE_LIMITS setting that was validated at startup. Throws if the setting is invalid. */
export function rulesOf(text: string): readonly Rule[] {
  const read = readRateLimits(text);
  if ("problem" in read) throw new Error(`RATE_LIMITS ${read.problem}`);
  return read.rules;
}

function ruleOf(name: string, byDefault: string, chosen: string | undefined): Rule | undefined {
  const [scopeName, actName] = name.split(".");
  const scope = scopes.find((one) => one === scopeName);
  const act = acts.find((one) => one === actName);
  const numbers = readNumbers(chosen ?? byDefault);
  return scope && act && numbers && { scope, act, ...numbers, isChosen: chosen !== undefined };
}

/** Parses a limit, or returns undefined if it is invalid. Without a colon, the whole amount may arrive in a burst. */
function readNumbers(text: string): Pick<Rule, "burst" | "intervalMs"> | undefined {
  const [, count = "", units = "", unit = "", burst = count] = notation.exec(text) ?? [];
  const periodMs = Number(units || "1") * (unitMs.get(unit) ?? 0);
  const isUsable = Number(count) > 0 && periodMs > 0 && Number(burst) > 0;
  return isUsable ? { burst: Number(burst), intervalMs: periodMs / Number(count) } : undefined;
}
