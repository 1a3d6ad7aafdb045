import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { comparisonOperators } from "../language/comparison.ts";
import { defaultSystemMessages, generalDefaults, metadataDefaults, typingDefaults } from "./defaults.ts";
import { advanced, marked, option, section, shownWhen, titled, whenEnabled } from "./fields.ts";

/** A sentence of the bot. */
function said(name: keyof typeof defaultSystemMessages, title: string, description: string) {
  return titled(title, option.text(description, defaultSystemMessages[name]));
}

const fileTooLarge = "When a file is too large; with `[[file]]` for its name and `[[limit]]` for the limit.";
const unanswered =
  "In place of the bubble that would have shown a language model's answer, where there is none; an empty text: nothing.";

const systemMessages = Type.Object(
  {
    invalidMessage: said("invalidMessage", "Reply is refused", "To a reply that does not fit its input."),
    botClosed: said("botClosed", "Bot is closed", "While the bot is closed."),
    networkErrorTitle: said("networkErrorTitle", "No connection", "When the service cannot be reached."),
    networkErrorMessage: said("networkErrorMessage", "No connection, at length", "The same, in a sentence."),
    popupBlockedTitle: said("popupBlockedTitle", "Tab is blocked", "When the browser does not open a tab."),
    popupBlockedDescription: said("popupBlockedDescription", "Tab is blocked, at length", "The same, in a sentence."),
    popupBlockedButtonLabel: said(
      "popupBlockedButtonLabel",
      "Button of a blocked tab",
      "The button that opens the tab then.",
    ),
    fileUploadError: said("fileUploadError", "File did not arrive", "When a file did not arrive."),
    fileUploadSizeError: said("fileUploadSizeError", "File is too large", fileTooLarge),
    noAnswer: marked({ keepsEmpty: true }, said("noAnswer", "Model does not answer", unanswered)),
    whatsAppPictureChoiceSelectLabel: titled(
      "Choose a picture in WhatsApp",
      option.text("The button below a picture in WhatsApp.", "Select"),
    ),
  },
  {
    title: "Messages of the bot",
    isAdvanced: true,
    description: "What the bot says of itself; an empty text counts as absent, where nothing else is said.",
  },
);

const amounts = {
  tokens: option.number("The most tokens; absent: any number."),
  money: option.number("The most money, where the workspace has given prices; absent: any sum."),
};

/** The bounds on calls of language models. */
export const ModelSettingsSchema = Type.Object(
  {
    day: section(amounts, { title: "Each day", description: "Of all of its chats, each day (UTC)." }),
    month: section(amounts, { title: "Each month", description: "Of all of its chats, each month (UTC)." }),
    session: section(
      {
        tokens: option.number("The most tokens.", limits.modelBudgets.sessionTokens),
        calls: option.number("The most calls.", limits.modelBudgets.sessionCalls),
      },
      { title: "Each chat", description: "Of one chat; it counts once it is published." },
    ),
  },
  {
    title: "Language models",
    isAdvanced: true,
    description:
      "What the bot's calls of language models may come to. What is used up calls no more. Days and months count at once, for chats under way, too.",
  },
);

const onlyStored = Type.Optional(
  Type.Unknown({ description: "Kept for the reference product; nothing reads it.", widget: "kept", isAdvanced: true }),
);

/** Every field of settings. Where a dialect has another name (`core/flow/dialect.ts`), this is the stored one. */
export const SettingsSchema = Type.Object(
  {
    general: section(
      {
        isBrandingEnabled: titled(
          "Say what it is made with",
          option.flag("Whether the page says what it is made with.", generalDefaults.isBrandingEnabled),
        ),
        language: option.suggested(
          ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "pt-BR"],
          "Language of the bot's texts, such as `pt-BR`; absent: guessed from its texts when it is published; where they leave it open, the page follows the visitor's.",
        ),
        isTypingEmulationEnabled: advanced(
          titled("Typing (older)", option.flag("The older name of `typingEmulation.enabled`.", typingDefaults.enabled)),
        ),
        isInputPrefillEnabled: titled(
          "Fill in earlier answers",
          option.flag(
            "Whether an input that is asked again is filled with its earlier answer.",
            generalDefaults.isInputPrefillEnabled,
          ),
        ),
        isHideQueryParamsEnabled: advanced(
          titled(
            "Hide the query",
            option.flag(
              "Whether the page takes the query out of its address once it is read.",
              generalDefaults.isHideQueryParamsEnabled,
            ),
          ),
        ),
        isNewResultOnRefreshEnabled: advanced(
          titled(
            "New result on reload (older)",
            option.flag(
              "The older opposite of `rememberUser.isEnabled`; read where that is absent.",
              generalDefaults.isNewResultOnRefreshEnabled,
            ),
          ),
        ),
        rememberUser: section(
          {
            isEnabled: titled(
              "Remember them",
              option.flag("Whether a visitor who comes back goes on with the same chat and result."),
            ),
            storage: whenEnabled(
              titled(
                "How long",
                option.word(
                  ["session", "local"],
                  "How long: until the tab is closed, or for good.",
                  generalDefaults.rememberStorage,
                ),
              ),
            ),
          },
          { title: "Visitors who come back", description: "Whether visitors who come back go on where they were." },
        ),
        isGoBackEnabled: titled(
          "Go back",
          option.flag(
            "Whether a visitor may go back to the last answer and change it.",
            generalDefaults.isGoBackEnabled,
          ),
        ),
        isTranscriptSavingEnabled: titled(
          "Save the conversation",
          option.flag(
            "Whether a visitor may save what was said, or print it, when the chat has ended.",
            generalDefaults.isTranscriptSavingEnabled,
          ),
        ),
        isStartAgainEnabled: titled(
          "Start again",
          option.flag(
            "Whether a visitor may start again when the chat has ended.",
            generalDefaults.isStartAgainEnabled,
          ),
        ),
        systemMessages: Type.Optional(systemMessages),
      },
      { description: "How the bot and its page behave." },
    ),
    typingEmulation: section(
      {
        enabled: titled("Seem to type", option.flag("Whether the bot seems to type.", typingDefaults.enabled)),
        speed: shownWhen({ enabled: [true] }, option.number("Words a minute.", typingDefaults.speed)),
        maxDelay: shownWhen(
          { enabled: [true] },
          titled(
            "Longest time",
            option.number("The longest that it types before a bubble; seconds.", typingDefaults.maxDelay),
          ),
        ),
        delayBetweenBubbles: advanced(
          option.number("Rest after a bubble; seconds, from 0 to 5.", typingDefaults.delayBetweenBubbles),
        ),
        isDisabledOnFirstMessage: advanced(
          titled(
            "First bubble at once",
            option.flag("Whether the first bubble comes at once.", typingDefaults.isDisabledOnFirstMessage),
          ),
        ),
      },
      { title: "Typing", description: "How the bot types." },
    ),
    publicShare: section(
      {
        isEnabled: titled("Guests may read it", option.flag("Whether any valid token may read the bot, as a guest.")),
      },
      { isAdvanced: true, description: "Who else may read the bot." },
    ),
    security: section(
      {
        allowedOrigins: option.texts("Origins whose pages may chat, such as `https://example.com`; empty: all may."),
        isAuthorCodeDisabled: titled(
          "Run no code in browsers",
          option.flag("Whether visitors' browsers run no code of the author."),
        ),
      },
      { description: "Where the bot may be met, and what it may do there." },
    ),
    metadata: section(
      {
        title: option.text("Title of the page."),
        description: option.longText("What search engines and link previews say of the page."),
        imageUrl: titled("Picture", option.media("image", "Address of the picture of link previews.")),
        favIconUrl: titled("Icon", option.media("image", "Address of the page's icon.")),
        customHeadCode: advanced(titled("Head code", option.markup("html", "HTML for the page's head."))),
        googleTagManagerId: option.text("Id of Google's Tag Manager; on `/api/v1/bots` it is `tagManagerId`."),
        tagManagerId: advanced(
          option.text("Id of Google's Tag Manager; on `/api/v1/typebots` it is `googleTagManagerId`."),
        ),
        allowIndexing: titled(
          "Found by search engines",
          option.flag("Whether search engines may list the page.", metadataDefaults.isIndexed),
        ),
      },
      { title: "About the page", description: "What the page says of itself." },
    ),
    models: Type.Optional(ModelSettingsSchema),
    whatsApp: messenger("How the bot answers in messengers; on `/api/v1/bots` it is `messenger`."),
    messenger: messenger("How the bot answers in messengers; on `/api/v1/typebots` it is `whatsApp`."),
  },
  { description: "How the bot behaves. Unknown keys are kept; null counts as absent." },
);

/** Settings as they are stored. A field with fixed words may hold another word, which counts as absent. */
export type Settings = Static<typeof SettingsSchema>;

export type SystemMessageName = keyof Static<typeof systemMessages>;

function messenger(description: string) {
  return section(
    {
      isEnabled: titled("Answer there", option.flag("Whether the bot answers there.")),
      startCondition: section(
        {
          logicalOperator: titled(
            "What must hold",
            option.word(["AND", "OR"], "Whether all comparisons hold, or one.", "AND"),
          ),
          comparisons: Type.Optional(
            Type.Array(
              Type.Object({
                id: option.kept("Id of the comparison."),
                comparisonOperator: titled(
                  "Comparison",
                  option.chosen(comparisonOperators, "How the first message is compared."),
                ),
                value: option.text("What with."),
              }),
              { description: "What the first message is compared with." },
            ),
          ),
        },
        { description: "Which first messages start the bot; absent: all." },
      ),
      sessionExpiryTimeout: titled(
        "Ends after",
        option.number("Hours without a message until a chat ends, from 0.01 to 48.", 4),
      ),
      isWebhookForwardingEnabled: onlyStored,
      errorAndMarketingStatusWebhookForwardUrl: onlyStored,
      webhookForwardingEventTypes: onlyStored,
    },
    { title: "Messengers", isAdvanced: true, description },
  );
}
