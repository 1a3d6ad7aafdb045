/** Defaults of fields of themes and settings. Plain values, since browsers load this file, but never TypeBox. */

type BoxColors = { readonly backgroundColor: string; readonly color: string };

/** The colours of a page whose theme names none. */
export type DefaultColors = {
  readonly background: string;
  readonly placeholder: string;
  readonly hostBubbles: BoxColors;
  readonly guestBubbles: BoxColors;
  readonly inputs: BoxColors;
  readonly buttons: BoxColors;
};

/** The colours of version 6.1 and of earlier ones that authors know, except where the contrast was too low. */
export const defaultColors: Readonly<Record<"6" | "6.1", DefaultColors>> = {
  "6.1": {
    background: "#f8f8f8",
    placeholder: "#6b6560",
    hostBubbles: { backgroundColor: "#ffffff", color: "#202020" },
    guestBubbles: { backgroundColor: "#c2410c", color: "#ffffff" },
    inputs: { backgroundColor: "#ffffff", color: "#202020" },
    buttons: { backgroundColor: "#c2410c", color: "#ffffff" },
  },
  "6": {
    background: "#ffffff",
    placeholder: "#6b6560",
    hostBubbles: { backgroundColor: "#f7f8ff", color: "#202020" },
    guestBubbles: { backgroundColor: "#ff8e21", color: "#1c1917" },
    inputs: { backgroundColor: "#ffffff", color: "#202020" },
    buttons: { backgroundColor: "#0042da", color: "#ffffff" },
  },
};

export const themeDefaults = {
  backgroundType: "Color",
  isHostAvatarShown: true,
  isGuestAvatarShown: false,
  /** Pixels. */
  customRoundness: 6,
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
} as const;
