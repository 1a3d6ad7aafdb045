import { limits } from "../../limits/index.ts";
import { namesNotPrefillable } from "../interpreter/flow.ts";
import { generalDefaults } from "../interpreter/schemas/defaults.ts";
import { readKnown } from "../interpreter/schemas/schema.ts";
import { type Settings, SettingsSchema } from "../interpreter/schemas/settings.ts";
import { bringsCode } from "./brings-code.ts";
import { httpOriginsOf } from "./client-requests.ts";
import type { StoredFlow } from "./document.ts";
import { guessLanguage } from "./guess-language.ts";

/**
 * The settings of a published flow that a request needs before its step runs. The settings are stored next to the flow
 * so that the flow need not be loaded.
 */
export type FlowFacts = {
  /** The origins of pages that may start chats. Null allows any origin. */
  readonly allowedOrigins: readonly string[] | null;
  /** Whether a visitor who returns with a result id continues with the same result. */
  readonly remembersUser: boolean;
  readonly rememberStorage: "session" | "local";
  /** The lifetime of a session without messages, in minutes. */
  readonly lifetimeMinutes: number;
  /** The author's message for visitors while the bot is closed. Null means the default message. */
  readonly closedMessage: string | null;
  /** Whether visitors' browsers must not run code of the author. Absent in facts stored by an earlier release. */
  readonly isAuthorCodeDisabled?: boolean;
  /** Whether visitors' browsers may run code from the flow. Absent in facts stored by an earlier release. */
  readonly bringsCode?: boolean;
  /** The language of the bot's texts, from the settings or guessed when the flow was published. Absent if unknown. */
  readonly language?: string;
  /** Whether visitors may return to their previous answer. */
  readonly isGoBackEnabled?: true;
  /** Whether visitors may rate answers of models. */
  readonly isRated?: true;
  /** The names of variables that must not be prefilled when a chat starts. Absent if there are none. */
  readonly notPrefillable?: readonly string[];
  /**
   * The plain-HTTP origins that visitors' browsers call for the flow and that pages allow. Absent if there are none.
   */
  readonly httpOrigins?: readonly string[];
};

export function factsOf(
  flow: Pick<StoredFlow, "settings"> & Partial<Pick<StoredFlow, "groups" | "variables">>,
): FlowFacts {
  const { general = {}, security = {}, answers = {} } = readKnown(SettingsSchema, flow.settings) ?? {};
  const { systemMessages = {} } = general;
  const language = general.language || guessLanguage(flow);
  const remembersUser = isUserRemembered(general);
  const notPrefillable = namesNotPrefillable(flow.variables ?? []);
  const httpOrigins = httpOriginsOf(flow.groups ?? []);
  const rememberStorage = general.rememberUser?.storage ?? generalDefaults.rememberStorage;
  return {
    // An empty list allows all origins.
    allowedOrigins: security.allowedOrigins?.length ? security.allowedOrigins : null,
    remembersUser,
    rememberStorage,
    lifetimeMinutes:
      remembersUser && rememberStorage === "local"
        ? limits.session.rememberedLifetimeMinutes
        : limits.session.lifetimeMinutes,
    closedMessage: systemMessages.botClosed || null,
    isAuthorCodeDisabled: security.isAuthorCodeDisabled ?? false,
    bringsCode: bringsCode(flow),
    ...(language !== undefined && { language }),
    ...(general.isGoBackEnabled && { isGoBackEnabled: true }),
    ...(answers.isRated && { isRated: true }),
    ...(notPrefillable.size > 0 && { notPrefillable: [...notPrefillable] }),
    ...(httpOrigins.length > 0 && { httpOrigins }),
  };
}

/**
 * Returns whether a returning visitor continues the same result. `isNewResultOnRefreshEnabled` is the setting of flows
 * before version 6.
 */
function isUserRemembered({ rememberUser, isNewResultOnRefreshEnabled }: NonNullable<Settings["general"]>): boolean {
  return rememberUser?.isEnabled ?? !(isNewResultOnRefreshEnabled ?? generalDefaults.isNewResultOnRefreshEnabled);
}
