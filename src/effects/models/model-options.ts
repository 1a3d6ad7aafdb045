import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { parseJsonOr } from "../../core/interpreter/language/json.ts";
import type {
  JsonSchema,
  ModelEffect,
  ModelMessage,
  ModelPart,
  ModelResponses,
} from "../../core/interpreter/program/model.ts";
import { metadataIn, reasoningIn } from "../../core/interpreter/program/model-echo.ts";
import { limits } from "../../limits/index.ts";

/** The variable parts of a request. A server may reject one variant and accept another. */
export type RequestManner = {
  /** The files that replace addresses. All other addresses remain text. */
  readonly files: ReadonlyMap<string, ModelFile>;
  /** How the format of an answer is requested: by schema, as any JSON, or only in the prompt. */
  readonly output: "schema" | "json" | "words";
  /** The server and model to which their own echoes are returned. If absent, no echoes are sent. */
  readonly echoTo?: string;
  /** Whether reasoning is requested in a form that can be sent back. */
  readonly asksReasoning?: boolean;
};

export type ModelFile = { readonly bytes: Uint8Array; readonly type: string };

/** Converts an effect to the request format of the libraries. */
export function optionsOf(
  { credentialsType, messages, output, tools, mayCallTools, temperature, maxTokens, responses }: ModelEffect,
  manner: RequestManner,
): LanguageModelV4CallOptions {
  const offered = [
    ...(tools ?? []).map(({ name, description, parameters }) => ({
      type: "function" as const,
      name,
      ...(description !== undefined && { description }),
      inputSchema: parameters,
    })),
    ...(responses ? hostedTools(responses) : []),
  ];
  // Anthropic's library would otherwise send its own default maximum, which may exceed the tokens reserved for the
  // call.
  const mostTokens = maxTokens ?? (credentialsType === "anthropic" ? limits.models.tokens : undefined);
  const inWords = output !== undefined && manner.output !== "schema" ? [inWordsOf(output)] : [];
  return {
    prompt: [...inWords, ...messages].map((message) => messageOf(message, manner)),
    ...(offered.length > 0 && mayCallTools !== false && { tools: offered }),
    // Anthropic rejects tool calls in a conversation if the request does not define the tools.
    ...(mayCallTools === false && credentialsType === "anthropic" && { tools: offered, toolChoice: { type: "none" } }),
    ...(output && manner.output !== "words" && { responseFormat: formatOf(output, manner) }),
    ...(temperature !== undefined && { temperature }),
    ...(mostTokens !== undefined && { maxOutputTokens: mostTokens }),
    ...(responses && { providerOptions: { openai: responseOptions(responses, manner) } }),
  };
}

/**
 * Whether a model's reasoning is requested so that the reasoning can be sent back with tool results. Reasoning is
 * needed only if the provider stores nothing. Older models without reasoning reject such requests.
 */
export function mayAskReasoning({ model, responses, tools }: ModelEffect): boolean {
  return responses?.isStored === false && tools !== undefined && !/^(?:gpt-3|gpt-4|chatgpt-)/.test(model);
}

function formatOf(output: JsonSchema, manner: RequestManner) {
  return { type: "json" as const, ...(manner.output === "schema" && { schema: schemaOf(output), name: "answer" }) };
}

function inWordsOf(output: JsonSchema): ModelMessage {
  const content = `Answer with one JSON object and nothing else. It has to fit this JSON schema:\n${JSON.stringify(output)}`;
  return { role: "system", content };
}

/** Copies a schema with mutable lists, as required by the library. */
function schemaOf({ required, properties, ...schema }: JsonSchema) {
  const members = Object.entries(properties).map(([name, { type, enum: values, ...member }]) => {
    const own = { ...member, type: typeof type === "string" ? type : [...type], ...(values && { enum: [...values] }) };
    return [name, own] as const;
  });
  return { ...schema, required: [...required], properties: Object.fromEntries(members) };
}

function responseOptions(
  { instructions, isStored, previousResponseId }: ModelResponses,
  { asksReasoning }: RequestManner,
) {
  return {
    store: isStored,
    ...(asksReasoning && { include: ["reasoning.encrypted_content"] }),
    ...(instructions !== undefined && { instructions }),
    ...(previousResponseId !== undefined && { previousResponseId }),
  };
}

function hostedTools({ fileSearch, usesWebSearch, usesCodeInterpreter }: ModelResponses) {
  const tool = (id: "file_search" | "web_search" | "code_interpreter", args: Record<string, unknown>) => {
    return { type: "provider" as const, id: `openai.${id}` as const, name: id, args };
  };
  const { vectorStoreIds, maxNumResults, scoreThreshold } = fileSearch ?? { vectorStoreIds: [] };
  const search = {
    vectorStoreIds: [...vectorStoreIds],
    ...(maxNumResults !== undefined && { maxNumResults }),
    ...(scoreThreshold !== undefined && { ranking: { scoreThreshold } }),
  };
  return [
    ...(fileSearch ? [tool("file_search", search)] : []),
    ...(usesWebSearch ? [tool("web_search", {})] : []),
    ...(usesCodeInterpreter ? [tool("code_interpreter", {})] : []),
  ];
}

function messageOf(message: ModelMessage, { files, echoTo }: RequestManner): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: partsOf(message, files) };
    case "assistant": {
      const { content, calls = [], echo } = message;
      const said = content === "" ? [] : [{ type: "text" as const, text: content }];
      const called = calls.map((call) => {
        const given = parseJsonOr(call.arguments ?? "", {});
        const input = isJsonObject(given) ? given : {};
        const { id: toolCallId, name: toolName } = call;
        const metadata = metadataIn(call, echoTo);
        const part = { type: "tool-call" as const, toolCallId, toolName, input };
        return { ...part, ...(metadata && { providerOptions: metadata }) };
      });
      const thought = reasoningIn(echo, echoTo).map(({ text, metadata }) => {
        return { type: "reasoning" as const, text, ...(metadata && { providerOptions: metadata }) };
      });
      return { role: "assistant", content: [...thought, ...said, ...called] };
    }
    case "tool": {
      const { callId, name, content } = message;
      const output = { type: "text" as const, value: content };
      return { role: "tool", content: [{ type: "tool-result", toolCallId: callId, toolName: name, output }] };
    }
    default:
      return message satisfies never;
  }
}

function partsOf(
  { content, parts = [] }: { readonly content: string; readonly parts?: readonly ModelPart[] },
  files: RequestManner["files"],
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  const hasFile = parts.some((part) => "address" in part && files.has(part.address));
  if (!hasFile) return [{ type: "text", text: content }];
  return parts.map((part) => {
    if ("text" in part) return { type: "text", text: part.text };
    const file = files.get(part.address);
    if (!file) return { type: "text", text: part.address };
    const { bytes, type } = file;
    return {
      type: "file",
      data: { type: "data", data: bytes },
      mediaType: type,
      ...(type === "application/pdf" && { filename: "document.pdf" }),
    };
  });
}
