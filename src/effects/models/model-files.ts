import type { ModelEffect } from "../../core/interpreter/program/model.ts";
import { limits } from "../../limits/index.ts";
import type { EffectContext } from "../effect-context.ts";
import { fetchBytes } from "../fetch-bytes.ts";
import type { ModelFile } from "./model-options.ts";
import { isOfficialOpenAi } from "./model-request.ts";
import type { ModelServer } from "./model-server.ts";

/**
 * Whether documents are sent to the model. Servers that are merely compatible with OpenAI use different formats for
 * documents.
 */
export function mayTakeDocuments(effect: ModelEffect, server: ModelServer): boolean {
  return effect.credentialsType === "anthropic" || isOfficialOpenAi(effect, server);
}

/**
 * Loads the files at the addresses in a conversation. Returns the files, and notes on why other addresses remain text.
 */
export async function loadFiles(
  { messages }: ModelEffect,
  { takesDocuments }: { takesDocuments: boolean },
  context: Pick<EffectContext, "safeStream" | "hops" | "files"> & { readonly timeoutMs: number },
): Promise<{ readonly files: ReadonlyMap<string, ModelFile>; readonly notes: readonly string[] }> {
  const files = new Map<string, ModelFile>();
  const notes: string[] = [];
  let bytesLeft: number = limits.models.filesBytes;
  for (const address of addressesIn(messages)) {
    if (files.size >= limits.models.files) {
      notes.push(`A model receives at most ${limits.models.files} files: the other addresses stay text`);
      break;
    }
    const found = await fetchBytes(address, { ...context, maxBytes: Math.min(limits.models.fileBytes, bytesLeft) });
    const type = "bytes" in found ? typeOf(found.bytes) : undefined;
    if ("problem" in found) notes.push(`${address} stays text: ${found.problem}`);
    else if (type === undefined)
      notes.push(`${address} stays text: it is not an image${takesDocuments ? " or a PDF" : ""}`);
    else if (type === "application/pdf" && !takesDocuments)
      notes.push(`${address} stays text: the model accepts only images`);
    else {
      files.set(address, { bytes: found.bytes, type });
      bytesLeft -= found.bytes.byteLength;
    }
  }
  return { files, notes };
}

export function addressesIn(messages: ModelEffect["messages"]): string[] {
  const parts = messages.flatMap((message) => (message.role === "user" ? (message.parts ?? []) : []));
  return [...new Set(parts.flatMap((part) => ("address" in part ? [part.address] : [])))];
}

/**
 * Returns the type of an image or PDF by its first bytes, or undefined for any other file. A server's media type may be
 * wrong, and a provider rejects the whole call if the type is wrong.
 */
function typeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  return head.startsWith("%PDF-") ? "application/pdf" : undefined;
}
