import type { BlockKeys } from "./known-keys.ts";

const text = "text";
const flag = "flag";
const number = "number";
const numberOrVariable = "numberOrVariable";
const anything = "anything";

const base = { action: text, credentialsId: text } as const;
const mapping = [{ item: text, variableId: text }] as const;
const keyValues = [{ key: text, value: text }] as const;
const responseVariableMapping = [{ variableId: text, bodyPath: text }] as const;

const httpRequest = {
  options: {
    webhook: { id: text, method: text, url: text, headers: keyValues, queryParams: keyValues, body: text },
    isCustomBody: flag,
    isExecutedOnClient: flag,
    responseVariableMapping,
    variablesForTest: [{ variableId: text, value: text }],
    timeout: number,
    proxyCredentialsId: text,
  },
} as const satisfies BlockKeys;

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
 * The integrations, native ones first. Where the reference does not say what an option holds (records, properties, feed sections),
 * it is not checked.
 */
export const integrationKeys: readonly (readonly [string, BlockKeys])[] = [
  ["Webhook", httpRequest],
  ["Zapier", httpRequest],
  ["Make.com", httpRequest],
  ["Pabbly", httpRequest],
  [
    "Email",
    {
      options: {
        credentialsId: text,
        recipients: [text],
        cc: [text],
        bcc: [text],
        replyTo: text,
        subject: text,
        body: text,
        isCustomBody: flag,
        isBodyCode: flag,
        attachmentsVariableId: text,
      },
    },
  ],
  [
    "Google Sheets",
    {
      options: {
        credentialsId: text,
        spreadsheetId: text,
        sheetId: text,
        action: text,
        filter: { logicalOperator: text, comparisons: [{ column: text, comparisonOperator: text, value: text }] },
        cellsToExtract: [{ column: text, variableId: text }],
        totalRowsToExtract: text,
        cellsToInsert: [{ column: text, value: text }],
        cellsToUpsert: [{ column: text, value: text }],
        referenceCell: { column: text, value: text },
      },
    },
  ],
  [
    "Google Analytics",
    { options: { trackingId: text, category: text, action: text, label: text, value: numberOrVariable, sendTo: text } },
  ],
  [
    "Pixel",
    { options: { pixelId: text, isInitSkip: flag, eventType: text, name: text, params: [{ key: text, value: text }] } },
  ],
  [
    "Chatwoot",
    {
      options: {
        task: text,
        baseUrl: text,
        websiteToken: text,
        user: { id: text, email: text, name: text, avatarUrl: text, phoneNumber: text },
      },
    },
  ],
  [
    "OpenAI",
    {
      options: {
        credentialsId: text,
        baseUrl: text,
        apiVersion: text,
        task: text,
        model: text,
        messages: [{ role: text, content: "textOrObject", name: text, dialogueVariableId: text, startsBy: text }],
        advancedSettings: { temperature: numberOrVariable },
        responseMapping: [{ valueToExtract: text, variableId: text }],
        input: text,
        voice: text,
        saveUrlInVariableId: text,
      },
    },
  ],

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
