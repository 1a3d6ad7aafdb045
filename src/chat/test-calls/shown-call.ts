import { withSecretNames } from "../../core/interpreter/language/secret-tokens.ts";
import { untrustedJsonOrText } from "../../core/interpreter/language/untrusted-json.ts";
import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import { outcomeOf } from "../../effects/http-request.ts";
import { limits } from "../../limits/index.ts";
import { allowingLines, type ReachSettings } from "../../management/access/outgoing-addresses.ts";

export type Headers = readonly (readonly [name: string, value: string])[];

/** The request of a tested call, without secrets, as shown to the author. */
export type ShownRequest = {
  /** The type of the credentials for the call; null for HTTP blocks. */
  readonly service: string | null;
  readonly method: string;
  /** The URL or path of the request. For a sheet, the id of the spreadsheet; for a tested mail, its recipient. */
  readonly url: string;
  readonly headers: { name: string; value: string }[];
  readonly body: string | null;
};

type Refusal = {
  readonly reason: string;
  readonly setting: "OUTGOING_ALLOW" | null;
  readonly lines: string[];
};

export type ShownAnswer = {
  readonly outcome: "answered" | "refused" | "unreachable" | "timedOut";
  /**
   * Why the call was refused, with the setting that would have allowed the call, and the lines for the operator's
   * settings.
   */
  readonly refusal: Refusal | null;
  /**
   * The HTTP status of the response; null if it is unknown. HTTP blocks always have a status, because their mappings
   * read a response in any case.
   */
  readonly statusCode: number | null;
  readonly data: unknown;
  readonly isCut: boolean;
};

/** Returns the request of an effect for the author, or undefined for a kind of effect whose requests are not shown. */
export function requestOf(effect: Effect): ShownRequest | undefined {
  switch (effect.kind) {
    case "http":
      return {
        ...{ service: null, method: effect.method, url: withSecretNames(effect.url) },
        headers: namedValues(effect.headers.map(([name, value]) => [withSecretNames(name), withSecretNames(value)])),
        body: effect.body === undefined ? null : shown(withSecretNames(effect.body)),
      };
    case "model":
    case "speech":
    case "transcription": {
      const { kind: _, credentialsType, credentialsId: __, timeoutMs: ___, baseUrl = "", ...body } = effect;
      return { ...ofService(credentialsType, "POST", withSecretNames(baseUrl)), body: shownJson(body) };
    }
    case "call": {
      const { method, path, query = [], headers = [], body } = effect.request;
      const search = query.length === 0 ? "" : `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
      return {
        ...ofService(effect.credentialsType, method, withSecretNames(`${path}${search}`)),
        headers: namedValues(headers.map(([name, value]) => [withSecretNames(name), withSecretNames(value)])),
        body: body === undefined ? null : shownJson(body),
      };
    }
    case "gmail":
      return { ...ofService("gmail", "send", ""), body: shownJson(effect.mail) };
    case "sheet": {
      const { act, spreadsheetId } = effect;
      return { ...ofService("google sheets", act.kind, spreadsheetId), body: shownJson(act) };
    }
    case "callbackAddress":
    case "userToken":
    case "fetch":
    case "linkedFlow":
    case "payment":
    case "paymentCheck":
    case "paymentCancel":
    case "qrCode":
    case "suggestion":
    case "transcript":
      return undefined;
    default:
      return effect satisfies never;
  }
}

/**
 * Returns the outcome of an effect. If `config` caused the refusal of an HTTP call, the outcome contains the lines that
 * would allow the call.
 */
export function answerOf(effect: Effect, report: Report, config: ReachSettings): ShownAnswer {
  switch (report.kind) {
    case "http": {
      const { outcome, reason } = outcomeOf(report);
      const lines = effect.kind === "http" && reason !== undefined ? allowingLines(config, effect.url, reason) : [];
      return {
        ...{ outcome, refusal: reason === undefined ? null : refused(reason, lines) },
        statusCode: report.statusCode,
        ...("error" in report ? { data: report.error, isCut: false } : dataOf(report.text)),
      };
    }
    case "model":
      return "failure" in report ? failed(report.failure) : answered(dataOf(report.answer.text));
    case "speech":
      return "failure" in report ? failed(report.failure) : answered({ data: { url: report.url }, isCut: false });
    case "transcription":
      return "failure" in report ? failed(report.failure) : answered(dataOf(report.text));
    case "call":
      return "failure" in report ? failed(report.failure) : answered(dataOf(report.text), report.status);
    case "gmail":
      return "failure" in report
        ? failed(report.failure)
        : answered(dataOf(JSON.stringify({ threadId: report.threadId })));
    case "sheet": {
      if ("failure" in report) return failed(report.failure);
      const { kind: _, ...done } = report;
      return answered(dataOf(JSON.stringify(done)));
    }
    case "refused":
      return failed({ reason: report.reason });
    case "callbackAddress":
    case "userToken":
    case "fetch":
    case "linkedFlow":
    case "payment":
    case "paymentCheck":
    case "paymentCancel":
    case "qrCode":
    case "suggestion":
    case "transcript":
      return answered({ data: null, isCut: false });
    default:
      return report satisfies never;
  }
}

export function namedValues(headers: Headers): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value: value.slice(0, limits.outgoing.shownHeaderCharacters) }));
}

function ofService(service: string, method: string, url: string): Omit<ShownRequest, "body"> {
  return { service, method, url, headers: [] };
}

function shownJson(value: unknown): string {
  return shown(withSecretNames(JSON.stringify(value)));
}

function shown(text: string): string {
  return text.slice(0, limits.outgoing.shownCharacters);
}

type Data = Pick<ShownAnswer, "data" | "isCut">;

function dataOf(text: string): Data {
  const isCut = text.length > limits.outgoing.shownCharacters;
  return { data: isCut ? shown(text) : untrustedJsonOrText(text), isCut };
}

function answered(data: Data, statusCode: number | null = null): ShownAnswer {
  return { outcome: "answered", refusal: null, statusCode, ...data };
}

type Failure = { readonly reason: string; readonly status?: number; readonly details?: string };

/** Returns the outcome of a failed call. A status means that the server has answered, even if it rejected the call. */
function failed({ reason, status, details }: Failure): ShownAnswer {
  const data = { data: details ?? reason, isCut: false };
  if (status !== undefined) return answered(data, status);
  if (reason === "time") return { ...answered(data), outcome: "timedOut" };
  if (reason === "unreachable") return { ...answered(data), outcome: "unreachable" };
  return { ...answered(data), outcome: "refused", refusal: refused(details ?? reason, []) };
}

function refused(reason: string, lines: string[]): Refusal {
  return { reason, setting: lines.length === 0 ? null : "OUTGOING_ALLOW", lines };
}
