import type { Report } from "../../../src/core/interpreter/program/effect.ts";
import { wholeReport } from "../../../src/core/test-conversations/reports.ts";
import type { Conversation } from "../../support/conversation.ts";

/** The environment variable with the URL at which the recorder answers the calls of the service's process. */
export const worldVariable = "PARLEY_RECORDED_WORLD";

/** The path that receives mails, which are sent after their step. */
export const mailPath = "/mail";

/** The result of a call to another server. */
export type CallAnswer = {
  readonly kind: "answered" | "failed" | "refused";
  readonly status: number;
  readonly text: string;
};

export function isCallAnswer(value: unknown): value is CallAnswer {
  return typeof value === "object" && value !== null && "kind" in value && "status" in value && "text" in value;
}

/** The external services of one conversation: the prepared responses in order, and all calls that were made. */
export type World = {
  readonly url: string;
  /** Clears the calls, and answers the next calls from these reports. */
  play(reports: readonly Report[]): void;
  calls(): readonly unknown[];
  /** Returns and removes the sent mails as JSON, sorted as texts. */
  takeMails(): readonly string[];
  close(): Promise<void>;
};

export function openWorld(): World {
  let reports: Report[] = [];
  let calls: unknown[] = [];
  const mails: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (new URL(request.url).pathname === mailPath) {
        mails.push(await request.text());
        return new Response();
      }
      calls.push(await request.json());
      const report = reports.shift();
      return Response.json(report ? answerOf(report) : { kind: "answered", status: 200, text: '{"ok":true}' });
    },
  });
  return {
    url: server.url.href,
    play(next) {
      reports = next.filter(({ kind }) => kind !== "transcript" && kind !== "linkedFlow");
      calls = [];
    },
    calls: () => calls,
    takeMails: () => mails.splice(0).sort(),
    close: () => server.stop(true),
  };
}

/** Returns the results of the conversation's effects, in order. */
export function reportsOf({ turns }: Pick<Conversation, "turns">): Report[] {
  const written = turns.flatMap(({ effects = [], reports = [] }) => [
    ...effects.map(({ report }) => report),
    ...reports,
  ]);
  return written.flatMap((report) => wholeReport(report) ?? []);
}

function answerOf(report: Report): CallAnswer {
  switch (report.kind) {
    case "refused":
      return { kind: "refused", status: 400, text: report.reason };
    case "http":
      if ("text" in report) return { kind: "answered", status: report.statusCode, text: report.text };
      return { kind: report.statusCode === 400 ? "refused" : "failed", status: report.statusCode, text: "No answer" };
    case "fetch":
      return "body" in report.answer
        ? { kind: "answered", status: 200, text: report.answer.body }
        : { kind: "failed", status: 500, text: report.answer.error };
    default:
      return { kind: "answered", status: 200, text: '{"id":"pi_1","client_secret":"intent_secret"}' };
  }
}
