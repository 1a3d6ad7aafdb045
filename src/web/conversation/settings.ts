import { generalDefaults, metadataDefaults } from "../../core/interpreter/schemas/defaults.ts";
import type { Settings, SystemMessageName } from "../../core/interpreter/schemas/settings.ts";
import { typingOf } from "../../core/interpreter/schemas/typing.ts";

/** A bot's settings in the form that pages need. Most missing values have a default. */
export type PageSettings = Readonly<ReturnType<typeof pageSettings>>;

/** Whether visitors are remembered, and in which storage of the browser. */
export type Remembering = "nowhere" | "session" | "local";

export function pageSettings(settings: Settings) {
  const { general = {}, metadata = {}, security = {}, answers = {} } = settings;
  const systemMessages: Readonly<Partial<Record<SystemMessageName, string>>> = general.systemMessages ?? {};
  return {
    title: metadata.title || undefined,
    description: metadata.description || undefined,
    imageUrl: metadata.imageUrl || undefined,
    iconUrl: metadata.favIconUrl || undefined,
    isIndexed: metadata.allowIndexing ?? metadataDefaults.isIndexed,
    // The language tag of the bot's texts.
    language: general.language,
    systemMessages,
    isBranded: general.isBrandingEnabled ?? generalDefaults.isBrandingEnabled,
    isInputPrefilled: general.isInputPrefillEnabled ?? generalDefaults.isInputPrefillEnabled,
    isQueryHidden: general.isHideQueryParamsEnabled ?? generalDefaults.isHideQueryParamsEnabled,
    isAuthorCodeDisabled: security.isAuthorCodeDisabled ?? false,
    mayStartAgain: general.isStartAgainEnabled ?? generalDefaults.isStartAgainEnabled,
    mayGoBack: general.isGoBackEnabled ?? generalDefaults.isGoBackEnabled,
    maySaveTranscript: general.isTranscriptSavingEnabled ?? generalDefaults.isTranscriptSavingEnabled,
    answers,
    remembering: rememberingOf(settings),
    typing: typingOf(settings),
  };
}

/** Returns whether and where visitors are remembered. Flows before version 6 use another setting. */
function rememberingOf({ general = {} }: Settings): Remembering {
  const isNewOnRefresh = general.isNewResultOnRefreshEnabled ?? generalDefaults.isNewResultOnRefreshEnabled;
  if (!(general.rememberUser?.isEnabled ?? !isNewOnRefresh)) return "nowhere";
  return general.rememberUser?.storage === "local" ? "local" : generalDefaults.rememberStorage;
}
