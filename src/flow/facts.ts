import { readKnown } from "../interpreter/schema.ts";
import { limits } from "../limits.ts";
import type { StoredFlow } from "./document.ts";
import { generalDefaults } from "./schemas/defaults.ts";
import { type Settings, SettingsSchema } from "./schemas/settings.ts";

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
  const { general = {}, security = {} } = readKnown(SettingsSchema, flow.settings) ?? {};
  const { language, systemMessages = {} } = general;
  const remembersUser = isUserRemembered(general);
  const rememberStorage = general.rememberUser?.storage ?? generalDefaults.rememberStorage;
  return {
    // An empty list allows everybody, as no list does.
    allowedOrigins: security.allowedOrigins?.length ? security.allowedOrigins : null,
    remembersUser,
    rememberStorage,
    lifetimeMinutes:
      remembersUser && rememberStorage === "local"
        ? limits.session.rememberedLifetimeMinutes
        : limits.session.lifetimeMinutes,
    closedMessage: systemMessages.botClosed || null,
    isAuthorCodeDisabled: security.isAuthorCodeDisabled ?? false,
    ...(language !== undefined && { language }),
  };
}

/** Whether a visitor who comes back goes on with the same chat: flows before version 6 said so by another name. */
function isUserRemembered({ rememberUser, isNewResultOnRefreshEnabled }: NonNullable<Settings["general"]>): boolean {
  return rememberUser?.isEnabled ?? !(isNewResultOnRefreshEnabled ?? generalDefaults.isNewResultOnRefreshEnabled);
}
