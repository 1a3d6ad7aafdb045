import { type Static, Type } from "@sinclair/typebox";
import { readKnown } from "../schemas/schema.ts";
import type { ModelCall, ModelEcho, ModelMessage } from "./model.ts";

/** Metadata by provider and name, in the format that the libraries return and accept. */
const metadataSchema = Type.Record(Type.String(), Type.Record(Type.String(), Type.Any()));

const reasoningSchema = Type.Array(
  Type.Object({ text: Type.String(), metadata: Type.Optional(metadataSchema) }, { additionalProperties: false }),
);

export type EchoMetadata = Static<typeof metadataSchema>;
export type EchoedReasoning = Static<typeof reasoningSchema>[number];

/** Returns the reasoning of an answer if it came from this server and model. Otherwise returns an empty list. */
export function reasoningIn(echo: ModelEcho | undefined, from: string | undefined): EchoedReasoning[] {
  return (echo && echo.from === from && readKnown(reasoningSchema, echo.data)) || [];
}

/** Returns the metadata of a tool call, or undefined if the metadata did not come from this server and model. */
export function metadataIn({ echo }: ModelCall, from: string | undefined): EchoMetadata | undefined {
  return echo && echo.from === from ? readKnown(metadataSchema, echo.data) : undefined;
}

/** Whether a conversation contains data that must be returned to this server and model. */
export function hasEcho(messages: readonly ModelMessage[], from: string): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      (message.echo?.from === from || message.calls?.some(({ echo }) => echo?.from === from)),
  );
}

/** Removes the provider's data (`echo`) from a message and from its tool calls. */
export function withoutEcho(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant") return message;
  const { echo, calls, ...said } = message;
  return { ...said, ...(calls && { calls: calls.map(callWithoutEcho) }) };
}

export function callWithoutEcho({ echo, ...call }: ModelCall): ModelCall {
  return call;
}
