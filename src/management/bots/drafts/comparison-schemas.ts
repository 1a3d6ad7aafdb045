import { Type } from "@sinclair/typebox";
import type { Change } from "../../../core/editing/changes/change.ts";
import type { Difference } from "../../../core/editing/changes/compare.ts";
import { limits } from "../../../limits/index.ts";
import { exampleTime, nullable, oneOf, resource, Timestamp } from "../../../platform/http/schemas.ts";

/** A version of a bot that was compared. */
export type ComparedVersion = {
  /** Null for the draft. */
  readonly number: number | null;
  readonly hash: string;
  /** When it was published, or when the draft was written last. */
  readonly at: Date | string;
};

export type Comparison = {
  readonly from: ComparedVersion;
  readonly to: ComparedVersion;
  readonly isSame: boolean;
  readonly differences: readonly Difference[];
  readonly changes?: readonly Change[];
};

/** A version of the bot in the path; another bot's version is not found. */
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
  description: "Keys, and positions in lists that have no ids.",
});
export const Within = Type.Optional(Type.String({ description: "The group of a block, the block of an item." }));
const ThingId = Type.Optional(Type.String({ description: "Absent for theme, settings, the editor and the bot." }));

const ComparedVersion = Type.Object({
  number: nullable(Type.Integer({ description: "Null for the draft." })),
  hash: Type.String({ description: "SHA-256 of the flow." }),
  at: { ...Timestamp, description: "When it was published, or when the bot was written last." },
});

const DifferenceSchema = resource(
  "Difference",
  {
    is: oneOf(["added", "removed", "changed", "reordered", "movedOnCanvas"], { description: "What became of it." }),
    of: { ...oneOf(nouns), description: "`bot` is the flow as a whole, such as its version." },
    id: ThingId,
    in: Within,
    name: Type.Optional(
      Type.String({ description: "A group's title, a variable's name, the type of a block or an event." }),
    ),
    changesMeaning: Type.Boolean({
      description:
        "Whether a chat may go another way. Places on the canvas, and the order of groups, edges and variables, mean nothing to it.",
    }),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          path: PathInFlow,
          from: Type.Optional(Type.Unknown({ description: "Absent where there was nothing." })),
          to: Type.Optional(Type.Unknown({ description: "Absent where there is nothing any more." })),
        }),
        { description: "Every value that is another, with its place." },
      ),
    ),
  },
  "What became of one thing between two versions.",
);

const Keys = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const LineEnd = Type.Object(
  {
    of: Type.Optional(Keys('The line\'s own keys: its type and others. Absent: `{type: "p"}`.')),
    in: Type.Optional(
      Type.Array(Keys("Of a list, or an item of one."), {
        description: "The elements around it, from the outside in.",
      }),
    ),
    joins: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "How many of these hold the line before, too, where that is not usual.",
      }),
    ),
    isPadded: Type.Optional(
      Type.Literal(true, { description: "Links and unknown nodes have empty leaves around them." }),
    ),
    isNode: Type.Optional(Type.Literal(true, { description: "The line is one unknown node." })),
    isNone: Type.Optional(Type.Literal(true, { description: "The text has no line at all." })),
  },
  { description: "The end of a line, and what is to be known of the line." },
);
const Looks = {
  marks: Type.Optional(Keys("Marks of the letters, such as `bold`. In a `mark`, null takes one away.")),
  line: Type.Optional(LineEnd),
};
const Units = Type.Integer({ minimum: 1, maximum: 100_000_000, description: "How many units." });
const Segment = Type.Union([
  Type.Object({
    text: Type.String({ description: "Letters." }),
    marks: Looks.marks,
    link: Type.Optional(Keys("Where they lead: `url`, and what else the link has.")),
  }),
  Type.Object({ node: Type.Unknown({ description: "A node that is neither text nor a link, as it is stored." }) }),
  Type.Object({ line: LineEnd }),
]);

/** The fields of a text's edit besides the place of the text. */
export const EditSchema = {
  text: oneOf(["plain", "rich"], { description: "Whether the text is a string or a tree." }),
  ops: Type.Array(
    Type.Union([
      Type.Object({ keep: Units }),
      Type.Object({ drop: Units }),
      Type.Object({ put: Type.Union([Type.String(), Type.Array(Segment)], { description: "Units that come." }) }),
      Type.Object({
        mark: Units,
        ...Looks,
        link: Type.Optional(Type.Union([Keys("Where they lead."), Type.Null()], { description: "Null: nowhere." })),
      }),
    ]),
    {
      maxItems: limits.editing.editSteps,
      description:
        "The way through the text, from its first unit to its last: all of them are kept, dropped or marked.",
    },
  ),
  isOptional: Type.Optional(
    Type.Literal(true, { description: "Without letters the key goes, in place of an empty text." }),
  ),
};

export const ChangeSchema = resource(
  "Change",
  {
    op: oneOf(["add", "remove", "move", "set", "edit"], { description: "What is done." }),
    of: oneOf(nouns, { description: "What it is done to." }),
    id: ThingId,
    in: Within,
    before: Type.Optional(
      Type.String({
        description: "The id of what comes next in the list; without it, or where that is not there, it is the last.",
      }),
    ),
    path: Type.Optional(PathInFlow),
    value: Type.Optional(Type.Unknown({ description: "What is added or set. A `set` without it takes the key away." })),
    text: Type.Optional(EditSchema.text),
    ops: Type.Optional(EditSchema.ops),
    isOptional: EditSchema.isOptional,
  },
  "One change of a flow, as it is applied.",
);

export const ComparisonSchema = Type.Unsafe<Comparison>(
  Type.Object({
    from: { ...ComparedVersion, description: "The earlier version." },
    to: { ...ComparedVersion, description: "The later version." },
    isSame: Type.Boolean({ description: "Whether both have the same flow." }),
    differences: Type.Array(DifferenceSchema, { description: "What sets them apart." }),
    changes: Type.Optional(
      Type.Array(ChangeSchema, { description: "What makes the later version of the earlier one, in this order." }),
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
