import type { MediaFacts, ProviderMessage, Upload } from "../../core/channels/channel.ts";
import { isWebAddress } from "../../core/channels/pieces.ts";
import { isJsonObject, type JsonObject, textAt } from "../../core/interpreter/flow.ts";
import type { SizedBody } from "../../effects/safe-fetch/safe-fetch-exchange.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cleanFileName } from "../../management/files/upload-rules.ts";
import { type Arrival, discard, receiveFile } from "../../platform/storage/arrival.ts";
import { headBytes, pictureSize, realName, realType } from "../files/real-type.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { OutboundDependencies } from "./dependencies.ts";
import { findMediaId, forgetMedia, type MediaKey, rememberMedia } from "./media.sql.ts";
import type { MediaFile } from "./media-source.ts";
import type { Head, SendError } from "./sendings.sql.ts";

/** A message in the form in which it is sent, including its file where the form requires it. */
export type Prepared =
  | {
      readonly kind: "ready";
      readonly message: ProviderMessage;
      readonly upload?: Upload & { readonly content: SizedBody };
      /** Whether the provider fetches the file itself. If this fails, the file can be sent instead. */
      readonly isByAddress?: boolean;
      /** Called with the id that the provider assigned to the file. */
      accepted(mediaId: string): Promise<void>;
      /** Called when the provider rejects the file. Returns true if another attempt sends the file in another form. */
      refused(): Promise<boolean>;
      /** Called after an attempt to send the message. */
      done(): Promise<void>;
    }
  /** The file is shown as a link. */
  | { readonly kind: "link"; readonly error: SendError };

const nothing = {
  accepted: async () => {},
  refused: async () => false,
  done: async () => {},
};

/** Returns a message's file, usually as a URL, or undefined if the message has no file. */
export function linkOf(message: ProviderMessage | null): string | undefined {
  return message?.mediaKey === undefined ? undefined : textAt(message.body, message.mediaKey);
}

/**
 * Chooses the form in which a message's file is sent, by the file's real type:
 *
 *     the file was sent before ───────────────────────→ by the id that the provider assigned to the file
 *     on another server, in an accepted format ───────→ by its URL
 *     stored here, or in another format ──────────────→ with its bytes, which are streamed
 *     too large, no file, or not allowed to be read ──→ as a link
 *     its server is unreachable ──────────────────────→ by its URL, or as a link if an upload is required
 *
 * URLs of private files of the chat are replaced by URLs that the contact can open.
 */
export async function prepareMessage(
  deps: OutboundDependencies,
  held: HeldConnection,
  head: Head,
  message: ProviderMessage,
): Promise<Prepared> {
  const url = linkOf(message);
  const { channel } = held;
  if (url === undefined || !isWebAddress(url) || channel.fitMedia === undefined) {
    return { kind: "ready", message: await withOpenAddresses(deps, message, head), ...nothing };
  }
  const key = { connectionId: held.id, hash: hashOf(url), type: message.mediaKey ?? "" };
  const known = await findMediaId(deps.sql, key);
  const byId = known === undefined ? undefined : withMediaId(message, known);
  if (byId) return { ...nothing, kind: "ready", message: byId, refused: () => forgotten(deps, key) };
  const most = channel.capabilities.media?.document ?? 0;
  const options = { place: head, maxBytes: most + headBytes, signal: held.lost };
  const opened = await deps.media.open(held, url, options).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    return { kind: "later", why: error.message } as const;
  });
  const link = (why: string): Prepared => ({ kind: "link", error: { class: "media", code: "", detail: why } });
  if (opened.kind === "later") {
    if (message.isUpload) return link(opened.why);
    return { ...nothing, kind: "ready", message, isByAddress: true, accepted: keeper(deps, key, message, false) };
  }
  if (opened.kind !== "open") return link(opened.why);
  const { file } = opened;
  const { start, rest } = await startOf(file.body);
  const type = realType(start, file.type);
  const facts: MediaFacts = { type, declaredType: file.type, bytes: file.bytes, size: pictureSize(start) };
  const fitted = channel.fitMedia(message, facts);
  if (fitted.kind === "link" || (fitted.byAddress && !file.isOwn && !message.isUpload)) {
    await file.body.cancel().catch(() => {});
    await rest.return(undefined);
    if (fitted.kind === "link") return link(fitted.why);
    const accepted = keeper(deps, key, fitted.message, false);
    return { ...nothing, kind: "ready", message: fitted.message, isByAddress: true, accepted };
  }
  const arrival = await receiveFile(rest, { folder: deps.media.folder, maxBytes: most }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "upload.interrupted") return undefined;
    throw error;
  });
  if (arrival === undefined) return link("The file did not arrive completely");
  if (arrival === "too large") return link(`The file is larger than ${most} bytes`);
  // A server may omit the length of a file.
  const whole = channel.fitMedia(message, { ...facts, bytes: arrival.bytes });
  if (whole.kind === "link" || arrival.bytes === 0) {
    await discard(arrival);
    return link(whole.kind === "link" ? whole.why : "The file is empty");
  }
  return {
    ...{ kind: "ready", message: whole.message, upload: uploadOf(arrival, file, type) },
    accepted: keeper(deps, key, whole.message, file.isOwn),
    refused: async () => false,
    done: () => discard(arrival),
  };
}

function uploadOf(arrival: Arrival, { name }: MediaFile, type: string): Upload & { readonly content: SizedBody } {
  const { path, bytes } = arrival;
  return {
    name: cleanFileName(realName(name, { type, kind: "file" })),
    type,
    content: { bytes, open: () => Bun.file(path).stream() },
  };
}

/** Returns the start of a body, and a generator of the whole body. */
async function startOf(
  body: ReadableStream<Uint8Array>,
): Promise<{ readonly start: Uint8Array; readonly rest: AsyncGenerator<Uint8Array> }> {
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  let bytes = 0;
  let failure: { readonly error: unknown } | undefined;
  while (bytes < headBytes) {
    const next = await reader.read().catch((error: unknown) => {
      failure = { error };
      return { done: true, value: undefined } as const;
    });
    if (next.done) break;
    read.push(next.value);
    bytes += next.value.byteLength;
  }
  async function* rest(): AsyncGenerator<Uint8Array> {
    try {
      yield* read;
      if (failure) throw failure.error;
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      await reader.cancel().catch(() => {});
    }
  }
  return { start: Buffer.concat(read).subarray(0, headBytes), rest: rest() };
}

/** Returns a function that stores the provider's id of a file for the form in which the file was sent. */
function keeper(deps: OutboundDependencies, key: MediaKey, { method, mediaKey }: ProviderMessage, isOwn: boolean) {
  const seconds = isOwn ? limits.channels.ownMediaDays * 86_400 : limits.channels.mediaSeconds;
  return async (mediaId: string): Promise<void> => {
    if (mediaId.length > mostIdCharacters) return;
    await rememberMedia(deps.sql, key, { mediaId: JSON.stringify([method, mediaKey, mediaId]), seconds });
  };
}

const mostIdCharacters = 1_000;

function withMediaId(message: ProviderMessage, known: string): ProviderMessage | undefined {
  const [method, mediaKey, mediaId]: unknown[] = JSON.parse(known);
  if (typeof method !== "string" || typeof mediaKey !== "string" || typeof mediaId !== "string") return undefined;
  const { [message.mediaKey ?? ""]: _, ...rest } = message.body;
  return { ...message, method, mediaKey, body: { [mediaKey]: mediaId, ...rest } };
}

async function forgotten({ sql }: OutboundDependencies, key: MediaKey): Promise<boolean> {
  await forgetMedia(sql, key);
  return true;
}

function hashOf(url: string): string {
  return new Bun.CryptoHasher("sha256").update(url).digest("hex");
}

/** Returns the message with URLs of private files replaced by URLs that the contact can open. */
async function withOpenAddresses(
  { media }: OutboundDependencies,
  message: ProviderMessage,
  head: Head,
): Promise<ProviderMessage> {
  const found = new Map<string, string>();
  for (const text of textsOf(message.body)) {
    if (!text.includes("/files/") || !isWebAddress(text)) continue;
    const open = await media.openAddressOf(text, head);
    if (open !== undefined) found.set(text, open);
  }
  return found.size === 0 ? message : { ...message, body: replaced(message.body, found) };
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function replaced(body: JsonObject, found: ReadonlyMap<string, string>): JsonObject {
  const one = (value: unknown): unknown => {
    if (typeof value === "string") return found.get(value) ?? value;
    if (Array.isArray(value)) return value.map(one);
    return isJsonObject(value) ? replaced(value, found) : value;
  };
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, one(value)]));
}
