import { textAt, valueAt } from "../../interpreter/flow.ts";
import { parseUntrustedJson } from "../../interpreter/language/untrusted-json.ts";
import type { FailureClass, ProviderAnswer, SendVerdict } from "../channel.ts";

/** Judges an answer by its status and the description that Telegram gives. */
export function readAnswer(answer: ProviderAnswer): SendVerdict {
  const { status, wasSent } = answer;
  if (status === undefined) return wasSent ? { kind: "doubt" } : failed("passing", "", "No answer came");
  const body = parseUntrustedJson(answer.body)?.value;
  // A server in between may have handed it on.
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
  if (typeof id === "number") return { kind: "accepted", providerId: String(id) };
  // Signs are answered with `true` alone.
  return valueAt(body, "result") === true ? { kind: "accepted", providerId: "" } : { kind: "doubt" };
}

const ofMedia =
  /wrong (?:remote )?file|failed to get http url content|wrong type of the web page content|file is too big|invalid_dimensions|photo_|image_process/i;
const ofReach = /chat not found|user is deactivated|bot was blocked|peer_id_invalid|not enough rights|kicked/i;

function classOf(status: number, detail: string): FailureClass {
  if (status >= 500 || status === 409) return "passing";
  // A path with a token that is not known is not found.
  if (status === 401 || status === 404) return "auth";
  if (status === 403 || ofReach.test(detail)) return "unreachable";
  if (status === 413 || ofMedia.test(detail)) return "media";
  return "content";
}

function failed(of: FailureClass, code: string, detail: string): SendVerdict {
  return { kind: "failed", class: of, code, detail };
}
