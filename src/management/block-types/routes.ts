import { Type } from "@sinclair/typebox";
import { oneOf } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { type BlockType, getFlowSchemas, listBlockTypes } from "./block-types.ts";

const JsonMap = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const texts = (description: string) => Type.Array(Type.String(), { description });

const BlockTypeSchema = Type.Object(
  {
    type: Type.String({ description: "What blocks of this type have as their `type`." }),
    family: oneOf(["bubble", "input", "logic", "integration", "event"], {
      description: "What it does: says something, asks, decides, acts elsewhere, or begins something.",
    }),
    summary: Type.String({ description: "What it does, in a sentence." }),
    schema: JsonMap(
      "JSON Schema of what it stores beside `id`, `type` and `outgoingEdgeId`, as forms need it: see docs/block-catalogue.md.",
    ),
    editor: Type.Object(
      {
        name: Type.String({ description: "What authors call it." }),
        icon: Type.String({ description: "Name of an icon of Lucide." }),
        words: texts("What else authors may search it by."),
        row: texts(
          "What its line says: the first of these texts whose paths, such as `{options.url}`, all lead to something.",
        ),
        related: texts("Types that it can be turned into, keeping what both know."),
      },
      { description: "How editors show it." },
    ),
    examples: Type.Array(
      Type.Object({
        title: Type.String({ description: "What it shows, in a sentence." }),
        block: JsonMap("The block, as it is stored."),
        variables: Type.Optional(JsonMap("Values by the names of variables; `Name` has the id `v_Name`.")),
        reply: Type.Optional(Type.String({ description: "What the visitor says." })),
        expect: JsonMap("What comes of it: messages, actions, an input, variables, the answer that is stored."),
      }),
      { description: "Worked examples." },
    ),
  },
  { $id: "BlockType", description: "A type of block, or of event, with all that an editor needs to show it." },
);

const blockTypeExample: BlockType = {
  type: "audio",
  family: "bubble",
  summary: "Plays a sound.",
  schema: {
    type: "object",
    properties: {
      content: {
        title: "Content",
        type: "object",
        properties: {
          url: {
            title: "Sound",
            type: "string",
            description: "Address of the sound.",
            widget: "media",
            holds: "audio",
          },
        },
      },
    },
  },
  editor: {
    name: "Audio",
    icon: "audio-lines",
    words: ["sound", "music"],
    row: ["{content.url}"],
    related: ["video", "image"],
  },
  examples: [
    {
      title: "The address may hold variables.",
      block: { content: { url: "https://example.com/{{File}}.mp3" } },
      variables: { File: "hello" },
      expect: { messages: [{ type: "audio", content: { url: "https://example.com/hello.mp3" } }] },
    },
  ],
};

const operation = operationFor("Bots");

export const blockTypeOperations: readonly Operation[] = [
  operation({
    id: "listBlockTypes",
    route: "GET /api/v1/block-types",
    summary: "List the types of blocks",
    description:
      "Every type of block and event that this service runs, with the schema of its options, and how editors name, find and show it. It changes with releases alone: ask with `If-None-Match`.",
    answer: Type.Object({
      blockTypes: Type.Unsafe<readonly BlockType[]>(
        Type.Array(BlockTypeSchema, { description: "In the order of a palette." }),
      ),
    }),
    answerExample: { blockTypes: [blockTypeExample] },
    handle: () => ({ blockTypes: listBlockTypes() }),
  }),
  operation({
    id: "getFlowSchemas",
    route: "GET /api/v1/flow-schemas",
    summary: "Get the schemas of a flow's parts",
    description:
      "JSON Schemas of a flow's theme, settings, events, variables, groups and edges, in the names of `/api/v1/bots`, with titles, descriptions, defaults and marks for forms. They change with releases alone.",
    answer: Type.Object({
      theme: JsonMap("How the chat looks."),
      settings: JsonMap("How the bot behaves."),
      event: JsonMap("What a chat begins with, or what runs on a command or a reply."),
      variable: JsonMap("What the flow remembers of a chat."),
      group: JsonMap("Blocks that follow each other."),
      edge: JsonMap("A way from one place to another."),
    }),
    answerExample: {
      theme: { type: "object", properties: {} },
      settings: { type: "object", properties: {} },
      event: { type: "object", properties: {} },
      variable: { type: "object", properties: {} },
      group: { type: "object", properties: {} },
      edge: { type: "object", properties: {} },
    },
    handle: () => getFlowSchemas(),
  }),
];
