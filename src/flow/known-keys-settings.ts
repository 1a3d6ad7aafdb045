import { Type } from "@sinclair/typebox";

const text = Type.String();
const flag = Type.Boolean();
const number = Type.Number();

const border = Type.Object({
  thickness: number,
  color: text,
  roundeness: text,
  customRoundeness: number,
  opacity: number,
});
const box = { backgroundColor: text, color: text, blur: number, opacity: number, shadow: text, border };
const avatar = Type.Object({ isEnabled: flag, url: text });
const messenger = Type.Object({
  isEnabled: flag,
  startCondition: Type.Object({
    logicalOperator: text,
    comparisons: Type.Array(Type.Object({ comparisonOperator: text, value: text })),
  }),
  sessionExpiryTimeout: number,
});

/** Known keys of a theme. */
export const themeKeys = Type.Object({
  general: Type.Object({
    font: Type.Union([text, Type.Object({})]),
    background: Type.Object({ type: text, content: text }),
    progressBar: Type.Object({
      isEnabled: flag,
      color: text,
      backgroundColor: text,
      placement: text,
      thickness: number,
      position: text,
    }),
  }),
  chat: Type.Object({
    container: Type.Object({ maxWidth: text, maxHeight: text, ...box }),
    hostAvatar: avatar,
    guestAvatar: avatar,
    hostBubbles: Type.Object(box),
    guestBubbles: Type.Object(box),
    buttons: Type.Object(box),
    inputs: Type.Object({ ...box, placeholderColor: text }),
    roundness: text,
    buttonsInput: Type.Object({ layout: text }),
  }),
  customCss: text,
});

/** Known keys of settings, in both spellings of the two sections that have two. */
export const settingsKeys = Type.Object({
  general: Type.Object({
    isBrandingEnabled: flag,
    language: text,
    isTypingEmulationEnabled: flag,
    isInputPrefillEnabled: flag,
    isHideQueryParamsEnabled: flag,
    isNewResultOnRefreshEnabled: flag,
    rememberUser: Type.Object({ isEnabled: flag, storage: text }),
    systemMessages: Type.Object({
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
    }),
  }),
  typingEmulation: Type.Object({
    enabled: flag,
    speed: number,
    maxDelay: number,
    delayBetweenBubbles: number,
    isDisabledOnFirstMessage: flag,
  }),
  metadata: Type.Object({
    title: text,
    description: text,
    imageUrl: text,
    favIconUrl: text,
    customHeadCode: text,
    tagManagerId: text,
    googleTagManagerId: text,
    allowIndexing: flag,
  }),
  messenger,
  whatsApp: messenger,
  publicShare: Type.Object({ isEnabled: flag }),
  security: Type.Object({ allowedOrigins: Type.Array(text), isAuthorCodeDisabled: flag }),
});

/** Known keys of events of every type. */
export const eventKeys = Type.Object({
  options: Type.Object({
    command: text,
    resumeAfter: flag,
    contentVariableId: text,
    inputNameVariableId: text,
    inputTypeVariableId: text,
  }),
});
