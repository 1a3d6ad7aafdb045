import { Type } from "@sinclair/typebox";
import type { Change } from "../../../core/editing/changes/change.ts";
import type { Difference } from "../../../core/editing/changes/compare.ts";
import { limits } from "../../../limits/index.ts";
import { exampleTime, nullable, oneOf, resource, Timestamp } from "../../../platform/http/schemas.ts";

export type ComparedVersion = {
  /** Null for the draft. */
  readonly number: number | null;
  readonly hash: string;
  /** The time when the version was published, or when the draft was last written. */
  readonly at: Date | string;
};

export type Comparison = {
  readonly from: ComparedVersion;
  readonly to: ComparedVersion;
  readonly isSame: boolean;
  readonly differences: readonly Difference[];
  readonly changes?: readonly Change[];
};

/** The draft, or a publication of the bot in the path. */
export const VersionName = Type.String({
  pattern: "^(draft|[1-9][0-9]{0,8})$",
  expected: "`draft` or the number of a publication of this bot",
  examples: ["1"],
});

const nouns = [
  ...["group", "block", "item", "edge", "event", "variable", "note", "frame"],
  ...["theme", "settings", "editor", "bot"],
] as const;
export const PathInFlow = Type.Array(Type.Union([Type.String(), Type.Number()]), {
  description: "Object keys, and indexes in lists whose items have no ids.",
});
export const Within = Type.Optional(
  Type.String({ description: "Id of the parent: the group of a block, or the block of an item." }),
);
const ThingId = Type.Optional(
  Type.String({ description: "Id of the object. Absent for theme, settings, the editor and the bot." }),
);

const ComparedVersion = Type.Object({
  number: nullable(Type.Integer({ description: "Number of the version; null for the draft." })),
  hash: Type.String({ description: "SHA-256 of the flow." }),
  at: { ...Timestamp, description: "Time of publication; for the draft, time of the bot's last change." },
});

const DifferenceSchema = resource(
  "Difference",
  {
    is: oneOf(["added", "removed", "changed", "reordered", "movedOnCanvas"], { description: "The kind of change." }),
    of: {
      ...oneOf(nouns),
      description: "The kind of object. `bot` means the flow as a whole, such as its version.",
    },
    id: ThingId,
    in: Within,
    name: Type.Optional(
      Type.String({
        description: "Label of the object: a group's title, a variable's name, or the type of a block or event.",
      }),
    ),
    changesMeaning: Type.Boolean({
      description:
        "Whether the change can affect a chat. Positions on the canvas, and the order of groups, edges and variables, cannot.",
    }),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          path: PathInFlow,
          from: Type.Optional(Type.Unknown({ description: "The earlier value; absent if there was none." })),
          to: Type.Optional(Type.Unknown({ description: "The later value; absent if there is none." })),
        }),
        { description: "Every value that differs, with its path." },
      ),
    ),
  },
  "The change of one object between two versions.",
);

const Keys = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const LineEnd = Type.Object(
  {
    of: Type.Optional(Keys('The line\'s keys: its type and others. Absent means `{type: "p"}`.')),
    in: Type.Optional(
      Type.Array(Keys("Keys of a list or of a list item: its type and others."), {
        description: "The enclosing elements, outermost first.",
      }),
    ),
    joins: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Number of these elements that also enclose the previous line, if the number differs from the default.",
      }),
    ),
    isPadded: Type.Optional(
      Type.Literal(true, { description: "Whether empty leaves surround links and unknown nodes." }),
    ),
    isNode: Type.Optional(Type.Literal(true, { description: "Whether the line is one unknown node." })),
    isNone: Type.Optional(Type.Literal(true, { description: "Whether the text has no lines." })),
  },
  { description: "The end of a line, with the line's properties." },
);
const Looks = {
  marks: Type.Optional(Keys("Marks of the characters, such as `bold`. In a `mark`, null removes a mark.")),
  line: Type.Optional(LineEnd),
};
const Units = Type.Integer({ minimum: 1, maximum: 100_000_000, description: "Number of units." });
const Segment = Type.Union([
  Type.Object({
    text: Type.String({ description: "Letters." }),
    marks: Looks.marks,
    link: Type.Optional(Keys("The link: its `url` and other properties.")),
  }),
  Type.Object({ node: Type.Unknown({ description: "A stored node that is neither text nor a link." }) }),
  Type.Object({ line: LineEnd }),
]);

/** The fields of an edit of a text, without the position of the text. */
export const EditSchema = {
  text: oneOf(["plain", "rich"], { description: "Whether the text is a plain string or a rich text tree." }),
  ops: Type.Array(
    Type.Union([
      Type.Object({ keep: Units }),
      Type.Object({ drop: Units }),
      Type.Object({ put: Type.Union([Type.String(), Type.Array(Segment)], { description: "The inserted units." }) }),
      Type.Object({
        mark: Units,
        ...Looks,
        link: Type.Optional(
          Type.Union([Keys("The new link."), Type.Null()], { description: "The new link; null removes the link." }),
        ),
      }),
    ]),
    {
      maxItems: limits.editing.editSteps,
      description:
        "The edit steps, which cover the text from its first to its last unit. Each step keeps, drops or marks existing units, or inserts new units.",
    },
  ),
  isOptional: Type.Optional(Type.Literal(true, { description: "Whether an empty result removes the key." })),
};

export const ChangeSchema = resource(
  "Change",
  {
    op: oneOf(["add", "remove", "move", "set", "edit"], { description: "The operation." }),
    of: oneOf(nouns, { description: "The kind of object." }),
    id: ThingId,
    in: Within,
    before: Type.Optional(
      Type.String({
        description:
          "Id of the next object in the list. Without it, or if the list has no such object, the object goes to the end.",
      }),
    ),
    path: Type.Optional(PathInFlow),
    value: Type.Optional(
      Type.Unknown({ description: "The value to add or set. A `set` without a value removes the key." }),
    ),
    text: Type.Optional(EditSchema.text),
    ops: Type.Optional(EditSchema.ops),
    isOptional: EditSchema.isOptional,
  },
  "One change of a flow.",
);

export const ComparisonSchema = Type.Unsafe<Comparison>(
  Type.Object({
    from: { ...ComparedVersion, description: "The earlier version." },
    to: { ...ComparedVersion, description: "The later version." },
    isSame: Type.Boolean({ description: "Whether both versions have the same flow." }),
    differences: Type.Array(DifferenceSchema, { description: "The differences." }),
    changes: Type.Optional(
      Type.Array(ChangeSchema, {
        description:
          "The changes that turn the earlier version into the later version, in the order in which you apply them.",
      }),
    ),
  }),
);

export const comparisonExample: Comparison = {
  from: { number: 1, hash: "0".repeat(64), at: exampleTime },
  to: { number: null, hash: "1".repeat(64), at: exampleTime },
  isSame: false,
  differences: [
    {
      is: "changed",
      of: "block",
      id: "hello",
      in: "welcome",
      name: "text",
      changesMeaning: true,
      values: [{ path: ["content", "plainText"], from: "Hello", to: "Welcome" }],
    },
  ],
};
