import type { BlockExample } from "../../../interpreter/program/block-editor.ts";

/** One worked example for each way of setting a variable. */
export const setVariableExamples: readonly BlockExample[] = [
  {
    title: "An expression is code, in which variables are numbers, booleans, texts or lists.",
    block: { options: { variableId: "v_Total", expressionToEvaluate: "{{Price}} * {{Amount}}" } },
    variables: { Total: null, Price: "9.5", Amount: "2" },
    expect: { variables: { Total: "19" } },
  },
  {
    title: "An expression that fails as code becomes a text.",
    block: { options: { variableId: "v_Greeting", expressionToEvaluate: "Hello {{Name}}!" } },
    variables: { Greeting: null, Name: "Ana" },
    expect: { variables: { Greeting: "Hello Ana!" } },
  },
  {
    title: "Code that fails says why in a variable of its own.",
    block: {
      options: {
        variableId: "v_A",
        expressionToEvaluate: "missing.key",
        isCode: true,
        saveErrorInVariableId: "v_Problem",
      },
    },
    variables: { A: null, Problem: null },
    expect: {
      variables: {
        A: "missing.key",
        Problem: '{"context":"While executing function","description":"[undefined] missing is not defined"}',
      },
    },
  },
  {
    title: "The visitor's client may evaluate it.",
    block: {
      options: {
        variableId: "v_Width",
        expressionToEvaluate: "window.innerWidth - {{Margin}}",
        isExecutedOnClient: true,
      },
    },
    variables: { Width: null, Margin: "20" },
    expect: {
      actions: [
        {
          type: "setVariable",
          setVariable: {
            scriptToExecute: { content: "window.innerWidth - v_Margin", args: [{ id: "v_Margin", value: 20 }] },
          },
          expectsDedicatedReply: true,
        },
      ],
    },
  },
  {
    title: "The client's value is saved, and parsed if it is JSON.",
    block: {
      options: { variableId: "v_Sizes", expressionToEvaluate: "[innerWidth, innerHeight]", isExecutedOnClient: true },
    },
    variables: { Sizes: null },
    reply: "[1004,720]",
    expect: { variables: { Sizes: ["1004", "720"] } },
  },
  {
    title: "Empty clears.",
    block: { options: { variableId: "v_A", type: "Empty" } },
    variables: { A: "old" },
    expect: { variables: { A: null } },
  },
  {
    title: "A list grows by one element.",
    block: { options: { variableId: "v_Cart", type: "Append value(s)", item: "{{Item}}" } },
    variables: { Cart: ["tea"], Item: "milk" },
    expect: { variables: { Cart: ["tea", "milk"] } },
  },
  {
    title: "Pop takes the last element; Shift takes the first.",
    block: { options: { variableId: "v_Cart", type: "Pop", saveItemInVariableId: "v_Item" } },
    variables: { Cart: ["tea", "milk"], Item: null },
    expect: { variables: { Cart: ["tea"], Item: "milk" } },
  },
  {
    title: "An item is exchanged for its counterpart in another list.",
    block: {
      options: {
        variableId: "v_Price",
        type: "Map item with same index",
        mapListItemParams: {
          baseItemVariableId: "v_Item",
          baseListVariableId: "v_Items",
          targetListVariableId: "v_Prices",
        },
      },
    },
    variables: { Price: null, Item: "milk", Items: ["tea", "milk"], Prices: ["3", "1"] },
    expect: { variables: { Price: "1" } },
  },
  {
    title: "Without a block that waits there is no address to call, and the variable is cleared.",
    block: { options: { variableId: "v_A", type: "Callback address", blockId: "nowhere" } },
    variables: { A: "old" },
    expect: { variables: { A: null } },
  },
  {
    title: "The environment is the web.",
    block: { options: { variableId: "v_A", type: "Environment name" } },
    variables: { A: null },
    expect: { variables: { A: "web" } },
  },
];
