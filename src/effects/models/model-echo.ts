import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { ModelCall, ModelEcho } from "../../core/interpreter/program/model.ts";
import type { EchoedReasoning, EchoMetadata } from "../../core/interpreter/program/model-echo.ts";
import { limits } from "../../limits/index.ts";

/** Returns an identifier of the server and model that produced an echo. */
export function echoSource({ model }: { readonly model: string }, { baseUrl }: { readonly baseUrl: string }): string {
  return `${baseUrl} ${model}`;
}

/**
 * Collects the data that a provider requires in the next request: the reasoning of an answer and the data of each tool
 * call.
 */
export function createEchoReader(from: string) {
  const reasoning = new Map<string, EchoedReasoning>();
  const ofCalls = new Map<string, EchoMetadata>();
  let bytes = 0;
  const count = (value: unknown): void => {
    bytes += Buffer.byteLength(JSON.stringify(value) ?? "");
  };
  const add = (id: string, words: string, metadata: EchoMetadata | undefined): void => {
    count([words, metadata]);
    if (bytes > limits.models.echoBytes) return;
    const { text, metadata: before } = reasoning.get(id) ?? { text: "" };
    const known = metadata || before ? { metadata: merged(before, metadata) } : {};
    reasoning.set(id, { text: text + words, ...known });
  };
  return {
    read(part: LanguageModelV4StreamPart): void {
      switch (part.type) {
        case "reasoning-start":
        case "reasoning-end":
          add(part.id, "", part.providerMetadata);
          return;
        case "reasoning-delta":
          add(part.id, part.delta, part.providerMetadata);
          return;
        case "tool-call":
          if (part.providerExecuted || !part.providerMetadata) return;
          count(part.providerMetadata);
          ofCalls.set(part.toolCallId, part.providerMetadata);
      }
    },
    /** If the data exceeds the limit, none of the data is used, because a provider would reject incomplete data. */
    isTooLarge: () => bytes > limits.models.echoBytes,
    echo: (): ModelEcho | undefined => (reasoning.size > 0 ? { from, data: [...reasoning.values()] } : undefined),
    withEcho(call: ModelCall): ModelCall {
      const data = ofCalls.get(call.id);
      return data ? { ...call, echo: { from, data } } : call;
    },
  };
}

function merged(before: EchoMetadata = {}, more: EchoMetadata = {}): EchoMetadata {
  const names = [...new Set([...Object.keys(before), ...Object.keys(more)])];
  return Object.fromEntries(names.map((name) => [name, { ...before[name], ...more[name] }]));
}
