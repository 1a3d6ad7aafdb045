import { Type } from "@sinclair/typebox";
import { editorFamilies } from "../../core/interpreter/schemas/editor-families.ts";
import { oneOf } from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { type BlockType, getFlowSchemas, listBlockTypes } from "./block-types.ts";

const JsonMap = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const texts = (description: string) => Type.Array(Type.String(), { description });

const BlockTypeSchema = Type.Object(
  {
    type: Type.String({ description: "The value of `type` in blocks of this type." }),
    family: oneOf(["bubble", "input", "logic", "integration", "event"], {
      description: "The family of the block: a bubble, an input, logic, an integration, or an event.",
    }),
    summary: Type.String({ description: "A summary in one sentence." }),
    callsOut: Type.Boolean({
      description:
        "Whether the block calls another service within its step, or sends an e-mail. An editor can then offer a test (`testCall`).",
    }),
    isOwn: Type.Boolean({
      description: "Whether the type exists only in Parley. Other systems that read the flow format do not support it.",
    }),
    schema: JsonMap(
      "JSON Schema of the block's fields other than `id`, `type` and `outgoingEdgeId`, with the annotations that forms need: see docs/block-catalogue.md.",
    ),
    editor: Type.Object(
      {
        name: Type.String({ description: "Display name." }),
        icon: Type.String({ description: "Name of a Lucide icon." }),
        family: oneOf(editorFamilies, {
          description:
            "The kind of action that the block's colour shows: it says, asks, decides, connects or thinks, or it is an event.",
        }),
        words: texts("Additional search terms."),
        row: texts(
          "Templates for the block's preview line. Editors use the first one whose paths, such as `{options.url}`, all have a value.",
        ),
        form: Type.Optional(
          Type.Array(JsonMap("`cells`, `tabs`, or a `fold` with its `rows`: see docs/block-catalogue.md."), {
            description:
              "Rows of the block's form. Fields that are not in a row follow after the rows. If absent, the form is generated from the schema.",
          }),
        ),
        start: Type.Optional(
          JsonMap(
            "Initial content of a new block: `block`, and the path and name of a `variable` that the block refers to.",
          ),
        ),
        items: Type.Optional(
          Type.Literal("branches", { description: "Name of the block's items. Defaults to options." }),
        ),
        related: texts("Types to which a block can be converted. Fields that both types have are kept."),
      },
      { description: "How editors present the type." },
    ),
    examples: Type.Array(
      Type.Object({
        title: Type.String({ description: "Description in one sentence." }),
        block: JsonMap("The block as stored in a flow."),
        variables: Type.Optional(JsonMap("Values by the names of variables; `Name` has the id `v_Name`.")),
        reply: Type.Optional(Type.String({ description: "The visitor's message." })),
        expect: JsonMap("The result: messages, actions, an input, variables, and the stored answer."),
      }),
      { description: "Worked examples." },
    ),
  },
  { $id: "BlockType", description: "A type of block or event, with everything that an editor needs to display it." },
);

const blockTypeExample: BlockType = {
  type: "audio",
  family: "bubble",
  summary: "Plays a sound.",
  callsOut: false,
  isOwn: false,
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
            description: "URL of the sound.",
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
    family: "says",
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
    answer: Type.Object({
      blockTypes: Type.Unsafe<readonly BlockType[]>(
        Type.Array(BlockTypeSchema, { description: "Types in the order of the editor's palette." }),
      ),
    }),
    answerExample: { blockTypes: [blockTypeExample] },
    handle: () => ({ blockTypes: listBlockTypes() }),
  }),
  operation({
    id: "getFlowSchemas",
    route: "GET /api/v1/flow-schemas",
    answer: Type.Object({
      theme: JsonMap("Appearance of the chat."),
      settings: JsonMap("Behaviour of the bot."),
      event: JsonMap("The events of the flow: the start of a chat, commands and replies."),
      variable: JsonMap("The variables of the flow."),
      group: JsonMap("A list of blocks that run in order."),
      edge: JsonMap("A connection from a block, an item or an event to a group."),
    }),
    handle: () => getFlowSchemas(),
  }),
];
