import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import {
  exampleId,
  exampleTime,
  Id,
  IdInput,
  NextCursor,
  nullable,
  oneOf,
  PageQuery,
  resource,
  Timestamp,
  TimestampInput,
} from "../../../platform/http/schemas.ts";
import { needsToken } from "../../operations/authentication.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import type { BotDependencies } from "../drafts/dependencies.ts";
import { createComment, listBotComments, noteSeen, removeComment, updateComment } from "./comments.ts";

const operation = operationFor<BotDependencies>("Comments");
const base = "/api/v1/bots/:botId/comments";

const Text = Type.String({
  pattern: "\\S",
  maxLength: limits.comments.characters,
  expected: `a text of at most ${limits.comments.characters} characters`,
  description: `Plain text. \`<@id>\` mentions a person by the user's id, at most ${limits.comments.mentions} people.`,
  examples: ["Is this question needed?"],
});
const coordinate = (description: string) =>
  Type.Number({ minimum: -limits.editing.coordinate, maximum: limits.editing.coordinate, description });
const PlaceSchema = Type.Union(
  [
    Type.Object({
      kind: oneOf(["group", "block", "frame"], { description: "The kind of object." }),
      id: Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Id of the object. The object may no longer exist in the draft.",
      }),
    }),
    Type.Object({
      kind: Type.Literal("place", { description: "A point on the canvas." }),
      x: coordinate("Horizontal position in the flow's coordinates, increasing to the right."),
      y: coordinate("Vertical position in the flow's coordinates, increasing downwards."),
    }),
  ],
  { description: "The object of the flow, or the point of the canvas, that a thread is about." },
);
const Person = Type.Object({ userId: Id, name: nullable(Type.String()) });

const CommentSchema = resource(
  "Comment",
  {
    id: Id,
    threadId: { ...Id, description: "Id of the thread's first comment. For the first comment, this is its own id." },
    by: nullable({
      ...Person,
      description: "The author; null if the user no longer exists, or the comment was deleted.",
    }),
    place: nullable(PlaceSchema),
    text: Type.String({ description: "Plain text, with `<@id>` for mentioned people." }),
    mentions: Type.Array(Person, { description: "The mentioned people." }),
    isRemoved: Type.Boolean({
      description: "Whether the comment was deleted after others had answered it. `text` is then empty.",
    }),
    resolvedAt: nullable({
      ...Timestamp,
      description: "Time at which the thread was resolved; null while the thread is open.",
    }),
    resolvedBy: nullable({
      ...Person,
      description: "The person who resolved the thread; null while the thread is open.",
    }),
    editedAt: nullable({ ...Timestamp, description: "Time of the last change of the text." }),
    createdAt: Timestamp,
  },
  "A comment on a bot's draft.",
  {
    by: { userId: exampleId, name: "Ada" },
    place: { kind: "block", id: "email" },
    text: "Is this question needed?",
    mentions: [],
    isRemoved: false,
    resolvedAt: null,
    resolvedBy: null,
    editedAt: null,
  },
);

const answer = Type.Object({ comment: CommentSchema });

export const commentOperations: readonly Operation[] = [
  operation({
    id: "listComments",
    route: `GET ${base}`,
    query: PageQuery,
    answer: Type.Object({
      comments: Type.Array(CommentSchema, { description: "The comments, newest first." }),
      people: Type.Optional(
        Type.Array(Person, { description: "The people who can be mentioned, by name. Only on the first page." }),
      ),
      seenAt: Type.Optional(
        nullable({ ...Timestamp, description: "Time up to which you have seen the comments. Only on the first page." }),
      ),
      nextCursor: NextCursor,
    }),
    answerExample: {
      comments: [CommentSchema.example],
      people: [{ userId: exampleId, name: "Ada" }],
      seenAt: exampleTime,
    },
    errors: ["workspace.suspended"],
    handle: async (deps, { caller, params, query }) => {
      const { people, ...found } = await listBotComments(deps, caller, params.botId, query);
      return { ...found, ...(people && { people: [...people] }) };
    },
  }),
  operation({
    id: "createComment",
    route: `POST ${base}`,
    description: `With \`place\`, the comment starts a thread; with \`threadId\`, the comment is a reply in that thread. A bot has at most ${limits.comments.perBot} comments.`,
    body: Type.Object({
      text: Text,
      place: Type.Optional(PlaceSchema),
      threadId: Type.Optional({
        ...IdInput,
        description: "Id of the first comment of the thread that this comment answers.",
      }),
    }),
    shows: true,
    shownTo: "read",
    answer,
    errors: ["workspace.suspended", "comment.not_found", "comment.too_many"],
    handle: async (deps, { caller, params, body }) => ({
      comment: await createComment(deps, caller, params.botId, body),
    }),
  }),
  operation({
    id: "setCommentsSeen",
    route: `PUT ${base}/seen`,
    auth: needsToken("read"),
    act: "edits",
    // The operation changes nothing that other people see.
    isAudited: false,
    body: Type.Object({ at: { ...TimestampInput, description: "Time of the newest comment that you have seen." } }),
    bodyExample: { at: exampleTime },
    answer: Type.Object({ seenAt: { ...Timestamp, description: "Time up to which you have seen the comments." } }),
    answerExample: { seenAt: exampleTime },
    errors: ["workspace.suspended"],
    handle: async (deps, { caller, params, body }) => noteSeen(deps, caller, params.botId, new Date(body.at)),
  }),
  operation({
    id: "updateComment",
    route: `PATCH ${base}/:commentId`,
    body: Type.Object({
      text: Type.Optional(Text),
      isResolved: Type.Optional(Type.Boolean({ description: "Whether the thread is resolved." })),
    }),
    shows: true,
    shownTo: "read",
    answer,
    answerExample: {
      comment: {
        ...CommentSchema.example,
        resolvedAt: exampleTime,
        resolvedBy: { userId: exampleId, name: "Ada" },
      },
    },
    errors: ["workspace.suspended", "comment.not_yours"],
    handle: async (deps, { caller, params, body }) => ({ comment: await updateComment(deps, caller, params, body) }),
  }),
  operation({
    id: "deleteComment",
    route: `DELETE ${base}/:commentId`,
    shows: true,
    shownTo: "read",
    answer,
    errors: ["workspace.suspended", "comment.not_yours"],
    handle: async (deps, { caller, params }) => ({ comment: await removeComment(deps, caller, params) }),
  }),
];
