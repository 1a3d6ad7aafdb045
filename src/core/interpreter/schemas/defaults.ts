/** Defaults of fields of themes and settings. Plain values, since browsers load this file, but never TypeBox. */

/** The defaults that every page needs; `default-look.ts` has the others. */
export const themeDefaults = {
  isHostAvatarShown: true,
  isGuestAvatarShown: false,
} as const;

export const generalDefaults = {
  isBrandingEnabled: false,
  isInputPrefillEnabled: false,
  isHideQueryParamsEnabled: true,
  isNewResultOnRefreshEnabled: true,
  rememberStorage: "session",
  isGoBackEnabled: false,
  isStartAgainEnabled: true,
  isTranscriptSavingEnabled: false,
} as const;

/**
 * The part `answers` of the settings that the builder gives to a new bot. A bot without it offers no acts on answers.
 */
export const newBotAnswers = { canCopy: true, canTryAgain: true, isRated: true } as const;

export const metadataDefaults = { isIndexed: true } as const;

export const typingDefaults = {
  enabled: true,
  /** Words a minute. */
  speed: 400,
  /** Seconds. */
  maxDelay: 3,
  /** Seconds. */
  delayBetweenBubbles: 0,
  isDisabledOnFirstMessage: true,
} as const;

export const defaultSystemMessages = {
  invalidMessage: "Invalid message. Please, try again.",
  botClosed: "This bot is now closed",
  networkErrorTitle: "Network Error",
  networkErrorMessage: "Please check your internet connection and try again.",
  popupBlockedTitle: "Popup blocked",
  popupBlockedDescription:
    "The bot wants to open a new tab but it was blocked by your browser. It needs a manual approval.",
  popupBlockedButtonLabel: "Continue in new tab",
  fileUploadError: "An error occured while uploading the files",
  fileUploadSizeError: "[[file]] is larger than [[limit]]MB",
  noAnswer: "There is no answer at the moment. Please, try again.",
} as const;
