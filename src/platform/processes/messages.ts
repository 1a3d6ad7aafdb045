import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { ConfigSchema } from "../../config.ts";
import { ShareSchema } from "./shares.ts";

/** The questions that every process answers. */
const QuestionSchema = Type.Union([Type.Literal("metrics"), Type.Literal("readiness")]);
export type Question = Static<typeof QuestionSchema>;

/** Assigns an answer to its question. */
const id = Type.Integer();

const ToServingSchema = Type.Union([
  /** The first message: the settings to serve with. */
  Type.Object({
    kind: Type.Literal("serve"),
    config: ConfigSchema,
    databaseUrl: Type.String(),
    share: ShareSchema,
    port: Type.Integer(),
    /** The address of the builder; absent: it has no port of its own. */
    appPort: Type.Optional(Type.Integer()),
    /** The supervisor's knowledge of the database's servers. */
    knownPrimaries: Type.Object({
      epoch: Type.Integer(),
      timelines: Type.Array(Type.Tuple([Type.String(), Type.Integer()])),
      served: Type.Optional(Type.String()),
    }),
    /** The number of the process, from 1 on. */
    name: Type.String(),
  }),
  /** Continue to serve, but direct balancers and clients elsewhere. */
  Type.Object({ kind: Type.Literal("leave") }),
  /** Finish the requests under way and end. */
  Type.Object({ kind: Type.Literal("drain") }),
  Type.Object({ kind: Type.Literal("ask"), id, question: QuestionSchema }),
  /** The answers of all other processes, except for the `missing` processes, which gave none in time. */
  Type.Object({
    kind: Type.Literal("collected"),
    id,
    answers: Type.Array(Type.Unknown()),
    missing: Type.Integer(),
  }),
  Type.Object({ kind: Type.Literal("granted"), id }),
  Type.Object({ kind: Type.Literal("refused"), id }),
  /** Steps of chats are due that no request takes. */
  Type.Object({ kind: Type.Literal("due") }),
  /**
   * A connection to a messenger may have work for its holder; without a connection: connections that no process holds
   * have work.
   */
  Type.Object({ kind: Type.Literal("ring"), connectionId: Type.Optional(Type.String()) }),
  /** The database's server no longer accepts writes, or is silent: connections to it are useless. */
  Type.Object({ kind: Type.Literal("left"), server: Type.Object({ host: Type.String(), port: Type.Integer() }) }),
]);

/** A message of the supervisor to a serving process. */
export type ToServing = Static<typeof ToServingSchema>;

const ToSupervisorSchema = Type.Union([
  /** The process listens to messages. */
  Type.Object({ kind: Type.Literal("hello") }),
  /** The process accepts requests. */
  Type.Object({ kind: Type.Literal("listening") }),
  /** The process cannot start, for the reason in a sentence for the operator. */
  Type.Object({ kind: Type.Literal("failed"), message: Type.String() }),
  /** A step was saved that adds jobs. */
  Type.Object({ kind: Type.Literal("jobs") }),
  /** The process has stored work for a connection that it does not hold: the other processes look for it. */
  Type.Object({ kind: Type.Literal("ring"), connectionId: Type.String() }),
  /** Asks all other processes, and waits this long for their answers. */
  Type.Object({ kind: Type.Literal("collect"), id, question: QuestionSchema, withinMs: Type.Integer() }),
  Type.Object({ kind: Type.Literal("answer"), id, answer: Type.Unknown() }),
  /**
   * The process asks for the lease to run an anonymous preview, of which a node runs one at a time, and returns the
   * lease.
   */
  Type.Object({ kind: Type.Literal("acquire"), id, owner: Type.String() }),
  Type.Object({ kind: Type.Literal("release"), id }),
]);

/** A message of a serving process to its supervisor. */
export type ToSupervisor = Static<typeof ToSupervisorSchema>;

export const readToServing = reader(ToServingSchema);
export const readToSupervisor = reader(ToSupervisorSchema);

function reader<Schema extends TSchema>(schema: Schema): (message: unknown) => Static<Schema> {
  let check: TypeCheck<Schema> | undefined;
  return (message) => {
    check ??= TypeCompiler.Compile(schema);
    if (check.Check(message)) return message;
    throw new Error("A message between the processes of this node has an unknown kind");
  };
}
