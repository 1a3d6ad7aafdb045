/**
 * Defaults of theme and settings fields. This file contains plain values because browsers load it but never load
 * TypeBox.
 */

/** The defaults that every page needs. All other theme defaults are in `default-look.ts` and `default-colors.ts`. */
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
 * The `answers` section of the settings of a bot created in the builder. A bot without this section offers no actions
 * on answers.
 */
export const newBotAnswers = { canCopy: true, canTryAgain: true, isRated: true } as const;

export const metadataDefaults = { isIndexed: true } as const;

export const typingDefaults = {
  enabled: true,
  /** The typing speed in words per minute. */
  speed: 400,
  /** The maximum delay in seconds. */
  maxDelay: 3,
  /** The delay in seconds. */
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
