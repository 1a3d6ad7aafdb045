import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { providers } from "../../credentials/providers.ts";
import { advanced, helped, mappingOption, marked, option, titled } from "../options.ts";
import { toolSchema } from "./tools.ts";

/** The block types of the model providers. Their credentials have types with the same names. */
export const modelTypes: readonly string[] = providers.map(({ type }) => type);

/** The options for the server, the account, the model and the time limit of a call. */
export const placeOptions = {
  credentialsId: option.credentials("Id of the workspace's credentials of this type."),
  baseUrl: marked(
    { title: "Server", isAdvanced: true, help: "Another path on the same server as in the credentials." },
    option.address(
      "Base URL of the API. It must have the same origin as the credentials' URL. Defaults to the credentials' URL.",
    ),
  ),
  apiVersion: advanced(
    marked(
      { title: "API version", help: "Azure requires it." },
      option.text("The query parameter `api-version`, which Azure requires."),
    ),
  ),
  model: option.text("Name of the model at the provider."),
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.models.mostSeconds}.`,
      option.number(
        `Maximum number of seconds to wait for the answer, including retries, up to ${limits.models.mostSeconds}.`,
        limits.models.seconds,
      ),
    ),
  ),
};

/** The options of a call to a language model. */
export const callOptions = {
  ...placeOptions,
  temperature: advanced(
    helped(
      "From 0 (nearly the same answer each time) to 2 (very varied).",
      option.numberOrVariable("Randomness of the answer, from 0 to 2. Defaults to the model's own value."),
    ),
  ),
  maxTokens: marked(
    { title: "Maximum number of tokens", isAdvanced: true, help: "Limits the length of the answer." },
    option.numberOrVariable(
      `Maximum number of tokens in the answer, up to ${limits.models.mostTokens}. Defaults to the model's own limit, and to ${limits.models.tokens} for Anthropic.`,
    ),
  ),
  fallbacks: marked(
    {
      title: "Fallback models",
      isAdvanced: true,
      help: `Up to ${limits.models.fallbacks} other models, which are called in order if the call of the model fails.`,
    },
    option.list(
      `Models that are called in order if the call of this model fails, at most ${limits.models.fallbacks}. They are not called if the request is rejected or too long, if the model used all its tokens, if a file cannot be read, if too many calls are running, or if a budget is used up.`,
      {
        type: titled("Provider", option.chosen(modelTypes, "Type of the credentials, such as `mistral`.")),
        credentialsId: option.credentials("Id of the credentials.", { credentialsTypeField: "type" }),
        model: option.text("Name of the model."),
      },
    ),
  ),
};

type Named = { readonly model?: string; readonly credentialsId?: string };

/**
 * Returns advice for the author who publishes a block without a model or without credentials. Returns undefined if the
 * block has both.
 */
export function modelAdvice({ model = "", credentialsId = "" }: Named): string | undefined {
  return model.trim() === ""
    ? "This block has no model, so it calls none. Choose a model."
    : accountAdvice({ credentialsId });
}

/**
 * Returns advice for the author who publishes a block without credentials. Returns undefined if the block has
 * credentials.
 */
export function accountAdvice({ credentialsId = "" }: Pick<Named, "credentialsId">): string | undefined {
  return credentialsId === "" ? "This block has no credentials, so it calls no model. Choose credentials." : undefined;
}

const placeSchema = Type.Object(placeOptions);

export type PlaceOptions = Static<typeof placeSchema>;

/** Returns the id of the variable that stores the answer's text, if any. The text is the first of the items. */
export function answerVariable(
  mapping: readonly { readonly item?: string; readonly variableId?: string }[] | undefined,
  [text]: readonly string[],
): string | undefined {
  return mapping?.find(({ item = text, variableId }) => variableId && item === text)?.variableId;
}

const callSchema = Type.Object(callOptions);

export type CallOptions = Static<typeof callSchema>;

export const chatItems = ["Message content", "Total tokens", "Prompt tokens", "Completion tokens"] as const;

/** Options for a message that consists of the turns in a variable. */
export const dialogueOptions = {
  dialogueVariableId: marked(
    { title: "Turns", shownWhen: { role: ["Dialogue"] }, help: "A list with alternating messages from both sides." },
    option.readVariable("Id of the variable with the messages of a `Dialogue`."),
  ),
  startsBy: marked(
    { title: "First message", shownWhen: { role: ["Dialogue"] } },
    option.word(["user", "assistant"], "Sender of the first message of a `Dialogue`.", "user"),
  ),
};

/** The options of the action `Create chat completion`, which has a different name for some providers. */
export const chatOptions = {
  ...callOptions,
  messages: option.list("The messages to the model. Messages with the role `system` come first.", {
    role: option.word(
      ["system", "user", "assistant", "Dialogue"],
      "Sender of the message. A `Dialogue` is a list of alternating messages.",
    ),
    content: marked(
      { title: "Text", shownWhen: { role: ["system", "user", "assistant"] } },
      option.longText("Text of the message. Blank messages are omitted."),
    ),
    ...dialogueOptions,
  }),
  tools: Type.Optional(
    Type.Array(toolSchema, {
      description: "Tools that the model can call before it answers.",
      help: "The model can call tools before it answers.",
      isAdvanced: true,
    }),
  ),
  responseMapping: mappingOption(chatItems),
};

const chatSchema = Type.Object(chatOptions);

export type ChatOptions = Static<typeof chatSchema>;
