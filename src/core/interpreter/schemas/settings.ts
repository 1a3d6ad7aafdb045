import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { comparisonOperators } from "../language/comparison.ts";
import { defaultSystemMessages, generalDefaults, metadataDefaults, typingDefaults } from "./defaults.ts";
import { advanced, helped, marked, option, section, shownWhen, titled, whenEnabled } from "./fields.ts";

function said(name: keyof typeof defaultSystemMessages, title: string, description: string) {
  return titled(title, option.text(description, defaultSystemMessages[name]));
}

const fileTooLarge = "Shown if a file is too large. `[[file]]` is the file's name, and `[[limit]]` the limit.";
const unanswered =
  "Shown instead of a bubble if a language model gives no answer. With an empty text, nothing is shown.";

const systemMessages = Type.Object(
  {
    invalidMessage: said("invalidMessage", "Reply is rejected", "Shown after a reply that does not fit its input."),
    botClosed: said("botClosed", "Bot is closed", "Shown while the bot is closed."),
    networkErrorTitle: said("networkErrorTitle", "No connection", "Shown if the service cannot be reached."),
    networkErrorMessage: said(
      "networkErrorMessage",
      "No connection (details)",
      "Details that are shown if the service cannot be reached.",
    ),
    popupBlockedTitle: said("popupBlockedTitle", "Tab is blocked", "Shown if the browser blocks a new tab."),
    popupBlockedDescription: said(
      "popupBlockedDescription",
      "Tab is blocked (details)",
      "Details that are shown if the browser blocks a new tab.",
    ),
    popupBlockedButtonLabel: said(
      "popupBlockedButtonLabel",
      "Button of a blocked tab",
      "Label of the button that opens a blocked tab.",
    ),
    fileUploadError: said("fileUploadError", "File did not arrive", "Shown if an upload failed."),
    fileUploadSizeError: helped(
      "`[[file]]` is the file's name, and `[[limit]]` the limit.",
      said("fileUploadSizeError", "File is too large", fileTooLarge),
    ),
    noAnswer: marked(
      { keepsEmpty: true, help: "Leave it empty to show nothing." },
      said("noAnswer", "Model does not answer", unanswered),
    ),
    whatsAppPictureChoiceSelectLabel: titled(
      "Choose a picture in WhatsApp",
      option.text("Label of the button below a picture in WhatsApp. Parley stores it and does not use it.", "Select"),
    ),
  },
  {
    title: "Messages of the bot",
    isAdvanced: true,
    description: "The bot's standard messages. Unless stated otherwise, an empty text is treated as absent.",
  },
);

const amounts = {
  tokens: option.number("Maximum number of tokens. Without it, tokens are unlimited."),
  money: helped(
    "Has an effect once the workspace has set prices.",
    option.number("Maximum cost, if the workspace has set prices. Without it, the cost is unlimited."),
  ),
};

export const ModelSettingsSchema = Type.Object(
  {
    day: section(amounts, {
      title: "Each day",
      description: "For all chats of the bot, per day (UTC).",
      help: "For all chats together, in UTC.",
    }),
    month: section(amounts, {
      title: "Each month",
      description: "For all chats of the bot, per month (UTC).",
      help: "For all chats together, in UTC.",
    }),
    session: section(
      {
        tokens: option.number("Maximum number of tokens.", limits.modelBudgets.sessionTokens),
        calls: option.number("Maximum number of calls.", limits.modelBudgets.sessionCalls),
      },
      {
        title: "Each chat",
        description: "For one chat. Takes effect when you publish the bot.",
        help: "Takes effect when you publish the bot.",
      },
    ),
  },
  {
    title: "Language models",
    isAdvanced: true,
    description:
      "Budgets for the bot's calls of language models. When a budget is used up, no more calls are made. Daily and monthly budgets take effect immediately, also for running chats.",
    help: "Once a budget is used up, the bot makes no more calls.",
  },
);

const onlyStored = Type.Optional(
  Type.Unknown({ description: "Stored for the reference product and not used.", widget: "kept", isAdvanced: true }),
);

/** All fields of settings, with their stored names. Dialects may use other names: see `core/flow/dialect.ts`. */
export const SettingsSchema = Type.Object(
  {
    general: section(
      {
        isBrandingEnabled: marked(
          { title: "Show the service's name", help: "Shows the name of the service on the page." },
          option.flag("Whether the page shows the name of the service.", generalDefaults.isBrandingEnabled),
        ),
        language: helped(
          "Leave it empty to detect it from the texts.",
          option.suggested(
            ["en", "de", "es", "fr", "it", "nl", "pl", "pt", "pt-BR"],
            "Language of the bot's texts, such as `pt-BR`. By default, it is detected from the texts on publishing; if that fails, the page uses the visitor's language.",
          ),
        ),
        isTypingEmulationEnabled: advanced(
          marked(
            { title: "Typing (older)", help: "Replaced by “Simulate typing”." },
            option.flag("The older name of `typingEmulation.enabled`.", typingDefaults.enabled),
          ),
        ),
        isInputPrefillEnabled: marked(
          { title: "Prefill earlier answers", help: "If the chat asks the same question again." },
          option.flag("Whether a repeated input shows its earlier answer.", generalDefaults.isInputPrefillEnabled),
        ),
        isHideQueryParamsEnabled: advanced(
          marked(
            { title: "Hide the query parameters", help: "Removes everything after `?` from the page's address." },
            option.flag(
              "Whether the page removes the query parameters from its address after reading them.",
              generalDefaults.isHideQueryParamsEnabled,
            ),
          ),
        ),
        isNewResultOnRefreshEnabled: advanced(
          marked(
            { title: "New result on reload (older)", help: "Replaced by “Remember visitors”." },
            option.flag(
              "The older opposite of `rememberUser.isEnabled`, used only if `rememberUser.isEnabled` is absent.",
              generalDefaults.isNewResultOnRefreshEnabled,
            ),
          ),
        ),
        rememberUser: section(
          {
            isEnabled: marked(
              { title: "Remember visitors", help: "Returning visitors continue the same chat." },
              option.flag("Whether returning visitors continue the same chat and result."),
            ),
            storage: whenEnabled(
              titled(
                "How long",
                option.word(
                  ["session", "local"],
                  "Duration: until the tab is closed (`session`), or as long as the browser stores it (`local`).",
                  generalDefaults.rememberStorage,
                ),
              ),
            ),
          },
          { title: "Returning visitors", description: "Whether returning visitors continue their previous chat." },
        ),
        isGoBackEnabled: marked(
          { title: "Go back", help: "Visitors can change their last answer." },
          option.flag(
            "Whether visitors can go back to the last answer and change it.",
            generalDefaults.isGoBackEnabled,
          ),
        ),
        isTranscriptSavingEnabled: marked(
          { title: "Save the conversation", help: "Visitors can save or print it at the end." },
          option.flag(
            "Whether visitors can save or print the conversation after the chat has ended.",
            generalDefaults.isTranscriptSavingEnabled,
          ),
        ),
        isStartAgainEnabled: marked(
          { title: "Start again", help: "A button for visitors at the end of the chat." },
          option.flag(
            "Whether visitors can start again after the chat has ended.",
            generalDefaults.isStartAgainEnabled,
          ),
        ),
        systemMessages: Type.Optional(systemMessages),
      },
      { description: "Behaviour of the bot and its page." },
    ),
    typingEmulation: section(
      {
        enabled: titled("Simulate typing", option.flag("Whether the bot simulates typing.", typingDefaults.enabled)),
        speed: shownWhen(
          { enabled: [true] },
          helped("In words per minute.", option.number("Words per minute.", typingDefaults.speed)),
        ),
        maxDelay: shownWhen(
          { enabled: [true] },
          marked(
            { title: "Maximum time", help: "In seconds." },
            option.number("Maximum typing time before a bubble, in seconds.", typingDefaults.maxDelay),
          ),
        ),
        delayBetweenBubbles: advanced(
          helped(
            "In seconds, up to 5.",
            option.number("Pause after a bubble in seconds, from 0 to 5.", typingDefaults.delayBetweenBubbles),
          ),
        ),
        isDisabledOnFirstMessage: advanced(
          titled(
            "Show first bubble immediately",
            option.flag("Whether the first bubble appears immediately.", typingDefaults.isDisabledOnFirstMessage),
          ),
        ),
      },
      { title: "Typing", description: "Simulated typing." },
    ),
    publicShare: section(
      {
        isEnabled: marked(
          { title: "Guests can read it", help: "Everybody with an account on this instance can read the bot." },
          option.flag("Whether any valid token can read the bot as a guest."),
        ),
      },
      { isAdvanced: true, description: "Read access for other people." },
    ),
    security: section(
      {
        allowedOrigins: helped(
          "Sites that can show the chat, such as `https://example.com`; all sites if empty.",
          option.texts(
            "Origins whose pages may show the chat, such as `https://example.com`. An empty list allows all origins.",
          ),
        ),
        isAuthorCodeDisabled: marked(
          { title: "Run no code in browsers", help: "Blocks the bot's own code on the devices of visitors." },
          option.flag("Whether the author's code is blocked in visitors' browsers."),
        ),
      },
      { description: "Restrictions on pages that show the bot, and on the bot's code in those pages." },
    ),
    metadata: section(
      {
        title: option.text("Title of the page."),
        description: helped(
          "For search engines and link previews.",
          option.longText("Description of the page in search engines and link previews."),
        ),
        imageUrl: marked(
          { title: "Picture", help: "For link previews." },
          option.media("image", "URL of the image for link previews."),
        ),
        favIconUrl: titled("Icon", option.media("image", "URL of the page's icon.")),
        customHeadCode: advanced(titled("Head code", option.markup("html", "HTML for the page's head."))),
        googleTagManagerId: option.text(
          "Id of the Google Tag Manager container. On `/api/v1/bots`, the key is `tagManagerId`.",
        ),
        tagManagerId: advanced(
          helped(
            "Id of the container at Google, such as `GTM-AB12CD3`.",
            option.text(
              "Id of the Google Tag Manager container. On `/api/v1/typebots`, the key is `googleTagManagerId`.",
            ),
          ),
        ),
        allowIndexing: titled(
          "Allow search engines",
          option.flag("Whether search engines may list the page.", metadataDefaults.isIndexed),
        ),
      },
      { title: "About the page", description: "Metadata of the page." },
    ),
    models: Type.Optional(ModelSettingsSchema),
    answers: section(
      {
        canCopy: titled("Copy", option.flag("Whether an answer can be copied.")),
        canTryAgain: marked(
          { title: "Try again", help: "Asks a language model for another answer; requires “Go back”." },
          option.flag(
            "Whether visitors can request another answer of a language model. Requires `general.isGoBackEnabled`.",
          ),
        ),
        isRated: marked(
          { title: "Rate", help: "For answers of language models." },
          option.flag("Whether visitors can rate answers of language models, and add a comment."),
        ),
        areTimesShown: titled(
          "Show times",
          option.flag(
            "Whether the page shows the time of each message, and a line above messages that arrived after the visitor's last visit.",
          ),
        ),
        hasNewChat: titled("New chat", option.flag("Whether visitors can start a new chat at any time.")),
        hasEarlierChats: marked(
          { title: "Earlier chats", help: "Requires “Remember visitors”." },
          option.flag("Whether visitors see the earlier chats of their browser. Requires `general.rememberUser`."),
        ),
      },
      {
        title: "Answers",
        description: "Actions on answers that are available to visitors, on the bot's own page and in embeds.",
        help: "Available to visitors on the bot's page and in embeds.",
      },
    ),
    whatsApp: messenger("Settings for messengers. On `/api/v1/bots`, the key is `messenger`."),
    messenger: messenger("Settings for messengers. On `/api/v1/typebots`, the key is `whatsApp`."),
  },
  { description: "Behaviour of the bot. Unknown keys are kept, and null is treated as absent." },
);

/** Settings as stored. A field with an enumeration may contain another value, which is treated as absent. */
export type Settings = Static<typeof SettingsSchema>;

export type SystemMessageName = keyof Static<typeof systemMessages>;

function messenger(description: string) {
  return section(
    {
      isEnabled: titled("Answer on messengers", option.flag("Whether the bot answers on messengers.")),
      startCondition: section(
        {
          logicalOperator: titled(
            "Logic",
            option.word(["AND", "OR"], "Whether all comparisons must be true, or only one.", "AND"),
          ),
          comparisons: Type.Optional(
            Type.Array(
              Type.Object({
                id: option.kept("Id of the comparison."),
                comparisonOperator: titled("Comparison", option.chosen(comparisonOperators, "The operator.")),
                value: option.text("The value to compare the first message with."),
              }),
              { description: "Comparisons with the first message." },
            ),
          ),
        },
        {
          description: "The first messages that start the bot. Defaults to all messages.",
          help: "Without a comparison, every first message starts the bot.",
          isCondition: true,
        },
      ),
      sessionExpiryTimeout: marked(
        { title: "Ends after", help: "In hours without a message, up to 48." },
        option.number("Number of hours without a message after which a chat ends, from 0.01 to 48.", 4),
      ),
      isWebhookForwardingEnabled: onlyStored,
      errorAndMarketingStatusWebhookForwardUrl: onlyStored,
      webhookForwardingEventTypes: onlyStored,
    },
    { title: "Messengers", isAdvanced: true, description },
  );
}
