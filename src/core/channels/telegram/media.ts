import type { FittedMedia, MediaFacts, ProviderMessage } from "../channel.ts";
import { capabilities } from "./capabilities.ts";

const megabyte = 1_048_576;

/**
 * The maximum size of files that Telegram fetches from an address: 5 MB for photos and 20 MB for other files. The
 * file's type must match the type that its server reports. As documents, only PDF and ZIP files can be sent by address.
 * Source: https://core.telegram.org/bots/api#sending-files and the methods, read on 2026-11-30.
 */
const byAddress = { photo: 5 * megabyte, others: 20 * megabyte };
/** The maximum sum of a photo's width and height, and the maximum ratio of its longer side to its shorter side. */
const photo = { sides: 10_000, ratio: 20 };

type Form = "photo" | "video" | "audio" | "animation" | "document";

const methods = {
  photo: "sendPhoto",
  video: "sendVideo",
  audio: "sendAudio",
  animation: "sendAnimation",
  document: "sendDocument",
} as const satisfies Record<Form, string>;

/**
 * Chooses how a file is sent. A GIF is sent as an animation. Any other file whose type does not match is sent as a
 * document. For an HTML page or a file that is too large, only a link is sent.
 */
export function fitMedia(message: ProviderMessage, file: MediaFacts): FittedMedia {
  const { bytes, type, declaredType } = file;
  const { mediaKey = "document", body } = message;
  if (type === "text/html") return { kind: "link", why: "It is a page instead of a file" };
  const most = capabilities.media?.document ?? 0;
  if (bytes !== undefined && bytes > most) return { kind: "link", why: `It is larger than ${most} bytes` };
  const form = formOf(mediaKey, file);
  const { [mediaKey]: address, ...rest } = body;
  const isRead = form !== "document" && bytes !== undefined && sameType(declaredType) === sameType(type);
  return {
    kind: "fits",
    message: { ...message, method: methods[form], mediaKey: form, body: { [form]: address, ...rest } },
    byAddress: isRead && bytes <= (form === "photo" ? byAddress.photo : byAddress.others),
  };
}

function formOf(asked: string, { type, bytes = 0, size }: MediaFacts): Form {
  const most = capabilities.media;
  if (type === "image/gif") return "animation";
  if (asked === "photo") {
    const isPicture = type === "image/jpeg" || type === "image/png";
    return isPicture && bytes <= (most?.image ?? 0) && isShown(size) ? "photo" : "document";
  }
  if (asked === "video") return type === "video/mp4" ? "video" : "document";
  if (asked === "audio") return type === "audio/mpeg" || type === "audio/mp4" ? "audio" : "document";
  return "document";
}

function isShown(size: MediaFacts["size"]): boolean {
  if (size === undefined) return true;
  const { width, height } = size;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return short > 0 && width + height <= photo.sides && long / short <= photo.ratio;
}

function sameType(type: string | undefined): string | undefined {
  const plain = type?.split(";")[0]?.trim().toLowerCase();
  if (plain === "image/jpg") return "image/jpeg";
  return plain === "audio/x-m4a" || plain === "audio/m4a" ? "audio/mp4" : plain;
}
