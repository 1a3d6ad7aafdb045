import { type Static, Type } from "@sinclair/typebox";
import { readKnown } from "../schemas/schema.ts";
import type { ModelCall, ModelEcho, ModelMessage } from "./model.ts";

/** By provider, then by name: the form in which libraries return and accept the data. */
const metadataSchema = Type.Record(Type.String(), Type.Record(Type.String(), Type.Any()));

const reasoningSchema = Type.Array(
  Type.Object({ text: Type.String(), metadata: Type.Optional(metadataSchema) }, { additionalProperties: false }),
);

export type EchoMetadata = Static<typeof metadataSchema>;
export type EchoedReasoning = Static<typeof reasoningSchema>[number];

/** The reasoning of an answer if this server and model gave it; otherwise none. */
export function reasoningIn(echo: ModelEcho | undefined, from: string | undefined): EchoedReasoning[] {
  return (echo && echo.from === from && readKnown(reasoningSchema, echo.data)) || [];
}

/** The data that belongs to a tool call if this server and model gave it. */
export function metadataIn({ echo }: ModelCall, from: string | undefined): EchoMetadata | undefined {
  return echo && echo.from === from ? readKnown(metadataSchema, echo.data) : undefined;
}

/** Whether a conversation holds data that this server and model require back. */
export function hasEcho(messages: readonly ModelMessage[], from: string): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      (message.echo?.from === from || message.calls?.some(({ echo }) => echo?.from === from)),
  );
}

/** Removes data for other servers and models from a message. */
export function withoutEcho(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant") return message;
  const { echo, calls, ...said } = message;
  return { ...said, ...(calls && { calls: calls.map(callWithoutEcho) }) };
}

export function callWithoutEcho({ echo, ...call }: ModelCall): ModelCall {
  return call;
}
