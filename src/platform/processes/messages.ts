import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { ConfigSchema } from "../../config.ts";
import { ShareSchema } from "./shares.ts";

/** The questions that every process can answer. */
const QuestionSchema = Type.Union([Type.Literal("metrics"), Type.Literal("readiness")]);
export type Question = Static<typeof QuestionSchema>;

/** The id that matches an answer to its question. */
const id = Type.Integer();

const ToServingSchema = Type.Union([
  /** The first message, with the settings of the serving process. */
  Type.Object({
    kind: Type.Literal("serve"),
    config: ConfigSchema,
    databaseUrl: Type.String(),
    share: ShareSchema,
    port: Type.Integer(),
    /** The port of the builder. If absent, the builder has no separate port. */
    appPort: Type.Optional(Type.Integer()),
    /** The supervisor's information about the database's servers. */
    knownPrimaries: Type.Object({
      epoch: Type.Integer(),
      timelines: Type.Array(Type.Tuple([Type.String(), Type.Integer()])),
      served: Type.Optional(Type.String()),
    }),
    /** The number of the process, starting from 1. */
    name: Type.String(),
  }),
  /** Tells the process to continue serving, but to make load balancers and clients use other nodes. */
  Type.Object({ kind: Type.Literal("leave") }),
  /** Tells the process to finish its running requests and to end. */
  Type.Object({ kind: Type.Literal("drain") }),
  Type.Object({ kind: Type.Literal("ask"), id, question: QuestionSchema }),
  /** The answers of all other processes. `missing` counts the processes that did not answer. */
  Type.Object({
    kind: Type.Literal("collected"),
    id,
    answers: Type.Array(Type.Unknown()),
    missing: Type.Integer(),
  }),
  Type.Object({ kind: Type.Literal("granted"), id }),
  Type.Object({ kind: Type.Literal("refused"), id }),
  /** Reports that steps of chats are due that no request will run. */
  Type.Object({ kind: Type.Literal("due") }),
  /**
   * Reports that a connection to a messenger may have work. If `connectionId` is absent, connections without a holder
   * have work.
   */
  Type.Object({ kind: Type.Literal("ring"), connectionId: Type.Optional(Type.String()) }),
  /** Reports that the database's server must no longer be used, so connections to it must be closed. */
  Type.Object({ kind: Type.Literal("left"), server: Type.Object({ host: Type.String(), port: Type.Integer() }) }),
]);

/** A message from the supervisor to a serving process. */
export type ToServing = Static<typeof ToServingSchema>;

const ToSupervisorSchema = Type.Union([
  /** Reports that the process can receive messages. */
  Type.Object({ kind: Type.Literal("hello") }),
  /** Reports that the process accepts requests. */
  Type.Object({ kind: Type.Literal("listening") }),
  /** Reports that the process cannot start. `message` is the reason for the operator. */
  Type.Object({ kind: Type.Literal("failed"), message: Type.String() }),
  /** Reports that a saved step has added jobs. */
  Type.Object({ kind: Type.Literal("jobs") }),
  /**
   * Reports that the process has stored work for a connection of another holder, so that the other processes check for
   * work.
   */
  Type.Object({ kind: Type.Literal("ring"), connectionId: Type.String() }),
  /**
   * Asks the supervisor to send the question to all other processes, and to wait up to `withinMs` milliseconds for
   * their answers.
   */
  Type.Object({ kind: Type.Literal("collect"), id, question: QuestionSchema, withinMs: Type.Integer() }),
  Type.Object({ kind: Type.Literal("answer"), id, answer: Type.Unknown() }),
  /** Requests the lease to run an anonymous preview. A node runs one anonymous preview at a time. */
  Type.Object({ kind: Type.Literal("acquire"), id, owner: Type.String() }),
  Type.Object({ kind: Type.Literal("release"), id }),
]);

/** A message from a serving process to its supervisor. */
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
