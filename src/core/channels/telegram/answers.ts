import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import type { FailureClass, ProviderAnswer, SendVerdict } from "../channel.ts";

/** Classifies a response by its status and Telegram's error description. */
export function readAnswer(answer: ProviderAnswer): SendVerdict {
  const { status, wasSent } = answer;
  if (status === undefined) return wasSent ? { kind: "doubt" } : failed("passing", "", "No response was received");
  const body = parseUntrustedJson(answer.body)?.value;
  // An intermediate server may have forwarded the request before it failed.
  if (status >= 500 && valueAt(body, "ok") !== false) return { kind: "doubt" };
  if (valueAt(body, "ok") === true) return accepted(body);
  const detail = textAt(body, "description") ?? `Status ${status}`;
  const movedTo = valueAt(body, "parameters", "migrate_to_chat_id");
  if (typeof movedTo === "number") return { kind: "moved", to: { kind: "chat", value: String(movedTo) } };
  if (status === 429) {
    const seconds = Number(valueAt(body, "parameters", "retry_after") ?? answer.retryAfter);
    return { kind: "retry", scope: "contact", ...(seconds > 0 && { afterMs: seconds * 1_000 }) };
  }
  return failed(classOf(status, detail), String(status), detail);
}

function accepted(body: unknown): SendVerdict {
  const id = valueAt(body, "result", "message_id");
  if (typeof id === "number") {
    const mediaId = mediaIn(valueAt(body, "result"));
    return { kind: "accepted", providerId: String(id), ...(mediaId !== undefined && { mediaId }) };
  }
  // The result of a call for an indicator, such as typing, is only `true`.
  return valueAt(body, "result") === true ? { kind: "accepted", providerId: "" } : { kind: "doubt" };
}

/**
 * Returns the id of the file in a message, if any. A message with an animation also has a document. The last entry of a
 * picture is its largest size.
 */
function mediaIn(message: unknown): string | undefined {
  const photos = valueAt(message, "photo");
  const files = [
    ...["animation", "video", "audio", "voice", "document"].map((key) => valueAt(message, key)),
    Array.isArray(photos) ? photos.at(-1) : undefined,
  ];
  return files.map((file) => textAt(file, "file_id")).find((id) => id !== undefined);
}

const ofMedia =
  /wrong (?:remote )?file|failed to get http url content|wrong type of the web page content|file is too big|invalid_dimensions|photo_|image_process/i;
const ofReach = /chat not found|user is deactivated|bot was blocked|peer_id_invalid|not enough rights|kicked/i;

function classOf(status: number, detail: string): FailureClass {
  if (status >= 500 || status === 409) return "passing";
  // Telegram responds with "not found" if the token in the path is unknown.
  if (status === 401 || status === 404) return "auth";
  if (status === 403 || ofReach.test(detail)) return "unreachable";
  if (status === 413 || ofMedia.test(detail)) return "media";
  return "content";
}

function failed(of: FailureClass, code: string, detail: string): SendVerdict {
  return { kind: "failed", class: of, code, detail };
}
