import { integrationKeys } from "./known-keys-integrations.ts";
import type { Shape } from "./shape.ts";

/** The keys that a block type is known by, inside its `content`, `options` and `items`. */
export type BlockKeys = { readonly content?: Shape; readonly options?: Shape; readonly items?: readonly [Shape] };

const text = "text";
const flag = "flag";
const number = "number";
const numberOrVariable = "numberOrVariable";
const anything = "anything";

const comparisons = [{ variableId: text, comparisonOperator: text, value: text }] as const;
const condition = { logicalOperator: text, comparisons } as const;
const displayCondition = { isEnabled: flag, condition } as const;
const labels = { placeholder: text, button: text } as const;
const savedFile = { isEnabled: flag, saveVariableId: text, visibility: text } as const;
const withRetry = { variableId: text, labels, retryMessageContent: text } as const;
const choice = {
  variableId: text,
  isMultipleChoice: flag,
  buttonLabel: text,
  isSearchable: flag,
  searchInputPlaceholder: text,
} as const;
const responseVariableMapping = [{ variableId: text, bodyPath: text }] as const;

/** Block types and their known keys; types that are not here are stored as they come. */
export const blockKeys: ReadonlyMap<string, BlockKeys> = new Map<string, BlockKeys>([
  ["start", {}],

  ["text", { content: { richText: [anything], html: text, plainText: text } }],
  ["image", { content: { url: text, clickLink: { url: text, alt: text } } }],
  [
    "video",
    {
      content: {
        url: text,
        id: text,
        type: text,
        height: numberOrVariable,
        aspectRatio: text,
        maxWidth: text,
        queryParamsStr: text,
        areControlsDisplayed: flag,
        isAutoplayEnabled: flag,
      },
    },
  ],
  [
    "embed",
    {
      content: {
        url: text,
        height: numberOrVariable,
        waitForEvent: { isEnabled: flag, name: text, saveDataInVariableId: text },
      },
    },
  ],
  ["audio", { content: { url: text, isAutoplayEnabled: flag } }],

  [
    "text input",
    {
      options: {
        variableId: text,
        labels,
        isLong: flag,
        inputMode: text,
        audioClip: savedFile,
        attachments: savedFile,
      },
    },
  ],
  [
    "number input",
    {
      options: {
        variableId: text,
        labels,
        min: numberOrVariable,
        max: numberOrVariable,
        step: numberOrVariable,
        locale: text,
        style: text,
        currency: text,
        unit: text,
      },
    },
  ],
  ["email input", { options: withRetry }],
  ["url input", { options: withRetry }],
  ["phone number input", { options: { ...withRetry, defaultCountryCode: text } }],
  [
    "date input",
    {
      options: {
        variableId: text,
        labels: { button: text, from: text, to: text, separator: text },
        hasTime: flag,
        isRange: flag,
        format: text,
        min: text,
        max: text,
      },
    },
  ],
  ["time input", { options: { variableId: text, labels: { button: text }, format: text } }],
  [
    "rating input",
    {
      options: {
        variableId: text,
        buttonType: text,
        length: number,
        startsAt: numberOrVariable,
        labels: { left: text, right: text, button: text },
        customIcon: { isEnabled: flag, svg: text },
        isOneClickSubmitEnabled: flag,
      },
    },
  ],
  [
    "file input",
    {
      options: {
        variableId: text,
        isRequired: flag,
        isMultipleAllowed: flag,
        labels: { placeholder: text, button: text, clear: text, skip: text, success: { single: text, multiple: text } },
        allowedFileTypes: { isEnabled: flag, types: [text] },
        capture: text,
        visibility: text,
        sizeLimit: number,
      },
    },
  ],
  [
    "payment input",
    {
      options: {
        variableId: text,
        provider: text,
        labels: { button: text, success: text },
        credentialsId: text,
        currency: text,
        amount: text,
        retryMessageContent: text,
        additionalInformation: {
          description: text,
          name: text,
          email: text,
          phoneNumber: text,
          address: { country: text, line1: text, line2: text, state: text, city: text, postalCode: text },
        },
      },
    },
  ],
  [
    "choice input",
    {
      options: { ...choice, dynamicVariableId: text, areInitialSearchButtonsVisible: flag },
      items: [{ content: text, value: text, displayCondition }],
    },
  ],
  [
    "picture choice input",
    {
      options: {
        ...choice,
        dynamicItems: {
          isEnabled: flag,
          titlesVariableId: text,
          descriptionsVariableId: text,
          pictureSrcsVariableId: text,
        },
      },
      items: [{ pictureSrc: text, title: text, description: text, value: text, displayCondition }],
    },
  ],
  [
    "cards",
    {
      options: { variableId: text, saveResponseMapping: [{ field: text, variableId: text }] },
      items: [
        {
          imageUrl: text,
          title: text,
          description: text,
          options: { displayCondition, internalValue: text },
          paths: [{ id: text, text, outgoingEdgeId: text }],
        },
      ],
    },
  ],

  [
    "Set variable",
    {
      options: {
        variableId: text,
        type: text,
        isExecutedOnClient: flag,
        isUnsafe: flag,
        expressionToEvaluate: text,
        isCode: flag,
        saveErrorInVariableId: text,
        expressionDescription: text,
        item: text,
        timeZone: text,
        mapListItemParams: { baseItemVariableId: text, baseListVariableId: text, targetListVariableId: text },
        saveItemInVariableId: text,
      },
    },
  ],
  ["Condition", { items: [{ content: condition }] }],
  ["Redirect", { options: { url: text, isNewTab: flag } }],
  [
    "Code",
    {
      options: {
        name: text,
        content: text,
        isExecutedOnClient: flag,
        isUnsafe: flag,
        shouldExecuteInParentContext: flag,
      },
    },
  ],
  ["Typebot link", { options: { typebotId: text, groupId: text, mergeResults: flag } }],
  ["Wait", { options: { secondsToWaitFor: text, shouldPause: flag } }],
  ["AB test", { options: { aPercent: number }, items: [{ path: text }] }],
  ["webhook", { options: { responseVariableMapping } }],
  ["Jump", { options: { groupId: text, blockId: text } }],
  ["Return", {}],

  ...integrationKeys,
]);

/** Known keys of events of every type. */
export const eventKeys: Shape = {
  options: {
    command: text,
    resumeAfter: flag,
    contentVariableId: text,
    inputNameVariableId: text,
    inputTypeVariableId: text,
  },
};
