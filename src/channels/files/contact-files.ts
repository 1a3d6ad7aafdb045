import { contactUploads } from "../../chat/files/contact-files.ts";
import { appendLogs } from "../../chat/saves/logs.sql.ts";
import type { Content, ProviderAnswer } from "../../core/channels/channel.ts";
import { callProvider, placeOfServer } from "../../effects/channels/call.ts";
import { type FilePlace, openFile } from "../../effects/channels/open-file.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import { discard, headOf, receiveFile } from "../../platform/storage/arrival.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import { headBytes, realName, realType } from "./real-type.ts";

export type MediaContent = Extract<Content, { kind: "media" }>;

/** `lost`: the file cannot be stored, and a retry does not help. `later`: a retry may succeed. */
export type KeptFile =
  | { readonly kind: "kept"; readonly url: string }
  | { readonly kind: "lost"; readonly why: string }
  | { readonly kind: "later"; readonly why: string };

/** Stores the files that contacts of a connection send. */
export type ContactFiles = {
  /**
   * Fetches a file and stores it with its chat, by the rules of the block that waits for input. `isAsked`: the input
   * accepts a file or the URL of a file.
   */
  keep(
    content: MediaContent,
    place: { readonly sessionId: string; readonly contactId: string; readonly isAsked: boolean },
  ): Promise<KeptFile>;
};

/** The largest chunk that may arrive before its size is counted. */
const slackBytes = 1024 * 1024;

export function createContactFiles(
  deps: ChannelDependencies,
  connection: OpenConnection,
  { places, lost }: { readonly places: FairShare<"workspace">; readonly lost: AbortSignal },
): ContactFiles {
  const { channel, workspaceId, settings, secrets } = connection;
  const { safeStream, safeFetch, config, storage } = deps;
  const secretTexts = Object.values(secrets).filter((one) => typeof one === "string");

  /**
   * Returns the current URL of a file, or the reason why there is none. A link of the provider expires, so it is
   * requested again for each attempt.
   */
  const placeOf = async (reference: string): Promise<FilePlace | Exclude<KeptFile, { kind: "kept" }>> => {
    const plan = channel.findMedia(reference, { settings, secrets });
    if (plan.kind === "address") return { url: plan.url };
    const options = { workspaceId, timeoutMs: limits.channels.sendMs, signal: lost };
    const outcome = await callProvider({ safeFetch, servers: config }, channel, plan.call, options);
    if (outcome.kind === "busy")
      return { kind: "later", why: "The service had too many running calls to download the file" };
    if (outcome.kind === "refused") return { kind: "lost", why: outcome.why };
    const path = plan.pathIn(outcome.answer);
    if (path !== undefined) return placeOfServer(config, channel, path);
    return isPassing(outcome.answer)
      ? { kind: "later", why: "The messenger did not return the file's address" }
      : { kind: "lost", why: "The messenger did not return the file" };
  };
  const fetchAndKeep: ContactFiles["keep"] = async (content, place) => {
    const { reference, fileName, mimeType, media, bytes: saidBytes } = content;
    const uploads = await contactUploads(deps, place);
    const { maxBytes } = uploads;
    const tooLarge = { kind: "lost", why: `The file is larger than ${maxBytes} bytes` } as const;
    const outcome = await (async (): Promise<KeptFile> => {
      if (saidBytes !== undefined && saidBytes > maxBytes) return tooLarge;
      const at = await placeOf(reference);
      if ("kind" in at) return at;
      const options = { workspaceId, timeoutMs: limits.channels.mediaMs, secrets: secretTexts, signal: lost };
      const opened = await openFile(safeStream, at, { ...options, maxBytes: maxBytes + slackBytes });
      if (opened.kind !== "open") {
        // The link may have expired, so the next attempt requests a new link.
        const isOver = opened.kind === "gone" && at.trusted !== undefined;
        return { kind: isOver || opened.kind === "later" ? "later" : "lost", why: opened.why };
      }
      const { file } = opened;
      if (file.bytes !== undefined && file.bytes > maxBytes) {
        await file.body.cancel();
        return tooLarge;
      }
      const arrival = await receiveFile(file.body, { folder: storage.arrivals, maxBytes });
      if (arrival === "too large") return tooLarge;
      try {
        if (arrival.bytes === 0) return { kind: "lost", why: "The file is empty" };
        const type = realType(await headOf(arrival, headBytes), mimeType ?? file.type);
        const url = await uploads.keep({ arrival, type, name: realName(fileName, { type, kind: media }) });
        return { kind: "kept", url };
      } finally {
        await discard(arrival);
      }
    })().catch((error: unknown): KeptFile => {
      if (!(error instanceof AppError)) throw error;
      if (refusals.has(error.code)) return { kind: "lost", why: error.message };
      if (passing.has(error.code)) return { kind: "later", why: error.message };
      throw error;
    });
    const { botId, resultId } = uploads;
    if (outcome.kind === "lost" && resultId !== null) {
      const log = {
        status: "warning",
        description: "A file of the contact was not accepted",
        details: outcome.why,
      } as const;
      await appendLogs(deps.sql, { resultId, botId, logs: [{ ...log, context: channel.name }] });
    }
    if (outcome.kind !== "later") deps.channelMetrics.media(channel.type, outcome.kind);
    return outcome;
  };
  return {
    keep: (content, place) => places.run({ workspace: workspaceId }, () => fetchAndKeep(content, place)),
  };
}

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["upload.type_not_allowed", "upload.too_many", "workspace.storage_full"] as const),
]);
const passing: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(["upload.interrupted", "upload.address_invalid", "storage.unavailable", "session.busy"] as const),
]);

function isPassing({ status }: ProviderAnswer): boolean {
  return status === undefined || status >= 500 || status === 429 || status === 401 || status === 404;
}
