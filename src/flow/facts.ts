import { booleanAt, textAt, valueAt } from "../interpreter/flow.ts";
import { limits } from "../limits.ts";
import type { StoredFlow } from "./document.ts";

/** The little of a published flow that a request needs before a worker thinks; stored beside it. */
export type FlowFacts = {
  /** Origins that may chat; null when any may. */
  readonly allowedOrigins: readonly string[] | null;
  /** Whether a visitor who comes back with a result id goes on with that result. */
  readonly remembersUser: boolean;
  readonly rememberStorage: "session" | "local";
  /** How long a session lives without a message. */
  readonly lifetimeMinutes: number;
  /** The bot's own sentence for visitors while it is closed. */
  readonly closedMessage: string | null;
  /** Whether visitors' browsers run no code of the author. Absent in facts that an earlier release stored. */
  readonly isAuthorCodeDisabled?: boolean;
  /** The language that the bot's texts are in, where its settings name one. */
  readonly language?: string;
};

/** Reads a flow's facts from its settings. */
export function factsOf(flow: Pick<StoredFlow, "settings">): FlowFacts {
  const { settings } = flow;
  const remembersUser =
    booleanAt(settings, "general", "rememberUser", "isEnabled") ??
    !(booleanAt(settings, "general", "isNewResultOnRefreshEnabled") ?? true);
  const language = textAt(settings, "general", "language");
  const rememberStorage = textAt(settings, "general", "rememberUser", "storage") === "local" ? "local" : "session";
  return {
    allowedOrigins: allowedOriginsOf(settings),
    remembersUser,
    rememberStorage,
    lifetimeMinutes:
      remembersUser && rememberStorage === "local"
        ? limits.session.rememberedLifetimeMinutes
        : limits.session.lifetimeMinutes,
    closedMessage: textAt(settings, "general", "systemMessages", "botClosed") || null,
    isAuthorCodeDisabled: booleanAt(settings, "security", "isAuthorCodeDisabled") ?? false,
    ...(language !== undefined && { language }),
  };
}

/** An empty list allows everybody, as no list does. */
function allowedOriginsOf(settings: StoredFlow["settings"]): string[] | null {
  const listed = valueAt(settings, "security", "allowedOrigins");
  if (!Array.isArray(listed)) return null;
  const origins = listed.filter((origin) => typeof origin === "string");
  return origins.length > 0 ? origins : null;
}
