import { type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { BlockRegistry } from "../interpreter/program/block.ts";

/**
 * The block types of the flow language that are not served yet, with their known keys: they are stored and checked like the others,
 * and passed over when a flow runs. To serve one of them, move it from here to its own file in `core/blocks/`. Options whose content
 * the reference does not document (records, properties, feed sections) are not checked.
 */
const text = Type.String();
const flag = Type.Boolean();
const anything = Type.Unknown();
const object = (keys: TProperties) => Type.Object(keys);
const list = (keys: TProperties) => Type.Array(Type.Object(keys));

const base = { action: text, credentialsId: text };
const itemMapping = list({ item: text, variableId: text });
const keyValues = list({ key: text, value: text });
const columnValues = list({ column: text, value: text });

const optionsByType: Readonly<Record<string, TProperties>> = {
  "Google Sheets": {
    credentialsId: text,
    spreadsheetId: text,
    sheetId: text,
    action: text,
    filter: object({
      logicalOperator: text,
      comparisons: list({ column: text, comparisonOperator: text, value: text }),
    }),
    cellsToExtract: list({ column: text, variableId: text }),
    totalRowsToExtract: text,
    cellsToInsert: columnValues,
    cellsToUpsert: columnValues,
    referenceCell: object({ id: text, column: text, value: text }),
  },
  "dify-ai": {
    ...base,
    query: text,
    conversationVariableId: text,
    user: text,
    inputs: keyValues,
    datasetId: text,
    responseMapping: itemMapping,
  },
  "chat-node": { ...base, botId: text, threadId: text, message: text, responseMapping: itemMapping },
  elevenlabs: { ...base, text, voiceId: text, modelId: text, saveUrlInVariableId: text },
  "qr-code": { ...base, data: text, saveUrlInVariableId: text },
  "cal-com": {
    ...base,
    baseUrl: text,
    link: text,
    layout: text,
    name: text,
    email: text,
    additionalNotes: text,
    phone: text,
    anyPrefilledInformations: list({ questionId: text, value: text }),
    saveBookedDateInVariableId: text,
  },
  nocodb: {
    ...base,
    tableId: text,
    viewId: text,
    returnType: text,
    filter: object({ joiner: text, comparisons: list({ input: text, operator: text, value: text }) }),
    responseMapping: list({ fieldName: text, variableId: text }),
    fields: keyValues,
    updates: anything,
  },
  segment: {
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
  posthog: {
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
  zendesk: { ...base, userId: text, name: text, email: text, webWidgetKey: text },
  blink: { ...base, url: text },
  gmail: {
    ...base,
    to: text,
    subject: text,
    body: text,
    attachments: text,
    label: text,
    from: text,
    threadId: text,
    replyTo: text,
    responseMapping: itemMapping,
  },
};

/** Known block types that are not served, with the schemas of their stored parts. `start` is where flows of versions 3 to 5 begin. */
export const unservedBlocks: ReadonlyMap<string, TObject> = new Map([
  ["start", Type.Object({})],
  ...Object.entries(optionsByType).map(([type, keys]) => [type, Type.Object({ options: Type.Object(keys) })] as const),
]);

/** The known schema of a block's parts by its type; undefined for an unknown type. */
export function schemaOfBlock(type: string, blocks: BlockRegistry): TObject | undefined {
  return blocks.get(type)?.schema ?? unservedBlocks.get(type);
}
