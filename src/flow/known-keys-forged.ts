import type { BlockKeys } from "./known-keys.ts";

const text = "text";
const flag = "flag";
const numberOrVariable = "numberOrVariable";
const anything = "anything";

const base = { action: text, credentialsId: text } as const;
const mapping = [{ item: text, variableId: text }] as const;
const keyValues = [{ key: text, value: text }] as const;
const extraction = {
  prompt: text,
  variablesToExtract: [{ type: text, variableId: text, description: text, isRequired: flag, values: anything }],
} as const;

const chat = {
  ...base,
  ...extraction,
  baseUrl: text,
  model: text,
  messages: [{ role: text, content: text, dialogueVariableId: text, startsBy: text }],
  tools: [
    {
      type: text,
      name: text,
      description: text,
      parameters: [{ type: text, name: text, description: text, required: flag, values: anything }],
      code: text,
    },
  ],
  temperature: numberOrVariable,
  responseMapping: mapping,
} as const;

const table = { tableId: text, viewId: text, returnType: text } as const;
const comparisons = { joiner: text, comparisons: [{ input: text, operator: text, value: text }] } as const;

/**
 * The pluggable integrations. Where the reference does not say what an option holds (records, properties, feed sections),
 * it is not checked.
 */
export const forgedKeys: readonly (readonly [string, BlockKeys])[] = [
  [
    "openai",
    {
      options: {
        ...chat,
        apiVersion: text,
        message: text,
        instructions: text,
        responseIdVariableId: text,
        fileSearchVectorStoreIds: anything,
        fileSearchMaxNumResults: numberOrVariable,
        fileSearchScoreThreshold: numberOrVariable,
        webSearchEnabled: flag,
        codeInterpreterEnabled: flag,
        functions: [{ name: text, code: text }],
        assistantId: text,
        threadVariableId: text,
        additionalInstructions: text,
        input: text,
        voice: text,
        saveUrlInVariableId: text,
        url: text,
        transcriptionVariableId: text,
      },
    },
  ],
  ["anthropic", { options: { ...chat, systemMessage: text, maxTokens: numberOrVariable } }],
  ["mistral", { options: chat }],
  ["groq", { options: chat }],
  ["deepseek", { options: chat }],
  ["perplexity", { options: chat }],
  ["open-router", { options: chat }],
  ["together-ai", { options: chat }],
  [
    "dify-ai",
    {
      options: {
        ...base,
        query: text,
        conversationVariableId: text,
        user: text,
        inputs: keyValues,
        datasetId: text,
        responseMapping: mapping,
      },
    },
  ],
  ["chat-node", { options: { ...base, botId: text, threadId: text, message: text, responseMapping: mapping } }],
  ["elevenlabs", { options: { ...base, text, voiceId: text, modelId: text, saveUrlInVariableId: text } }],
  ["qr-code", { options: { ...base, data: text, saveUrlInVariableId: text } }],
  [
    "cal-com",
    {
      options: {
        ...base,
        baseUrl: text,
        link: text,
        layout: text,
        name: text,
        email: text,
        additionalNotes: text,
        phone: text,
        anyPrefilledInformations: [{ questionId: text, value: text }],
        saveBookedDateInVariableId: text,
      },
    },
  ],
  [
    "nocodb",
    {
      options: {
        ...base,
        ...table,
        filter: comparisons,
        responseMapping: [{ fieldName: text, variableId: text }],
        fields: keyValues,
        updates: anything,
      },
    },
  ],
  [
    "segment",
    {
      options: {
        ...base,
        userId: text,
        previousId: text,
        email: text,
        name: text,
        category: text,
        eventName: text,
        traits: anything,
        properties: anything,
      },
    },
  ],
  [
    "posthog",
    {
      options: {
        ...base,
        isAnonymous: flag,
        distinctId: text,
        event: text,
        groupType: text,
        groupKey: text,
        properties: anything,
        personProperties: anything,
        groups: anything,
      },
    },
  ],
  ["zendesk", { options: { ...base, userId: text, name: text, email: text, webWidgetKey: text } }],
  ["blink", { options: { ...base, url: text } }],
  [
    "gmail",
    {
      options: {
        ...base,
        to: text,
        subject: text,
        body: text,
        attachments: text,
        label: text,
        from: text,
        threadId: text,
        replyTo: text,
        responseMapping: mapping,
      },
    },
  ],
];
