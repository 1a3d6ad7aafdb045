import type { Shape } from "./shape.ts";

const text = "text";
const flag = "flag";
const number = "number";

const border: Shape = { thickness: number, color: text, roundeness: text, customRoundeness: number, opacity: number };
const box = { backgroundColor: text, color: text, blur: number, opacity: number, shadow: text, border } as const;
const avatar: Shape = { isEnabled: flag, url: text };
const messenger: Shape = {
  isEnabled: flag,
  startCondition: { logicalOperator: text, comparisons: [{ comparisonOperator: text, value: text }] },
  sessionExpiryTimeout: number,
};

/** Known keys of a theme. */
export const themeKeys: Shape = {
  general: {
    font: "textOrObject",
    background: { type: text, content: text },
    progressBar: {
      isEnabled: flag,
      color: text,
      backgroundColor: text,
      placement: text,
      thickness: number,
      position: text,
    },
  },
  chat: {
    container: { maxWidth: text, maxHeight: text, ...box },
    hostAvatar: avatar,
    guestAvatar: avatar,
    hostBubbles: box,
    guestBubbles: box,
    buttons: box,
    inputs: { ...box, placeholderColor: text },
    roundness: text,
    buttonsInput: { layout: text },
  },
  customCss: text,
};

/** Known keys of settings, in both spellings of the two sections that have two. */
export const settingsKeys: Shape = {
  general: {
    isBrandingEnabled: flag,
    language: text,
    isTypingEmulationEnabled: flag,
    isInputPrefillEnabled: flag,
    isHideQueryParamsEnabled: flag,
    isNewResultOnRefreshEnabled: flag,
    rememberUser: { isEnabled: flag, storage: text },
    systemMessages: {
      invalidMessage: text,
      botClosed: text,
      networkErrorTitle: text,
      networkErrorMessage: text,
      popupBlockedTitle: text,
      popupBlockedDescription: text,
      popupBlockedButtonLabel: text,
      fileUploadError: text,
      fileUploadSizeError: text,
      whatsAppPictureChoiceSelectLabel: text,
    },
  },
  typingEmulation: {
    enabled: flag,
    speed: number,
    maxDelay: number,
    delayBetweenBubbles: number,
    isDisabledOnFirstMessage: flag,
  },
  metadata: {
    title: text,
    description: text,
    imageUrl: text,
    favIconUrl: text,
    customHeadCode: text,
    tagManagerId: text,
    googleTagManagerId: text,
    allowIndexing: flag,
  },
  messenger,
  whatsApp: messenger,
  publicShare: { isEnabled: flag },
  security: { allowedOrigins: [text], isAuthorCodeDisabled: flag },
};
