import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { callFailureReasons } from "../interpreter/program/call.ts";
import { paymentStatuses, type Report } from "../interpreter/program/effect.ts";
import { failureReasons, type ModelAnswer, type ModelFailure } from "../interpreter/program/model.ts";

const text = (description: string) => Type.String({ description });

const kind = <const Word extends string>(word: Word) => Type.Literal(word, { description: "Kind of the effect." });

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, default: 0, description }));

const Failure = Type.Object(
  {
    reason: Type.Unsafe<ModelFailure["reason"]>(
      Type.Union(
        failureReasons.map((reason) => Type.Literal(reason)),
        { description: "Kind of the failure." },
      ),
    ),
    status: Type.Optional(Type.Integer({ description: "HTTP status of the provider's response." })),
    details: Type.Optional(text("The provider's message.")),
  },
  { description: "The failure of the call." },
);

const Call = Type.Object({
  id: Type.Optional(text("Id of the call. By default, it is derived from the call's position.")),
  name: text("Name of the tool."),
  arguments: Type.Optional(
    Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
      description: "Arguments of the call: an object, or the text of the model.",
    }),
  ),
});

const endings = ["stop", "length", "tools", "filtered", "cut", "stopped"] as const;

const Answer = Type.Object(
  {
    text: text("Text of the answer."),
    calls: Type.Optional(
      Type.Array(Call, { maxItems: limits.models.tools, description: "Tools that the model calls." }),
    ),
    ended: Type.Optional(
      Type.Union(
        endings.map((ending) => Type.Literal(ending)),
        { description: "Reason why the answer ended. Defaults to `tools` if it calls tools, otherwise to `stop`." },
      ),
    ),
    tokens: Type.Optional(
      Type.Object(
        {
          in: count("Input tokens."),
          cached: count("Cached input tokens."),
          out: count("Output tokens."),
        },
        { description: "Tokens of the call." },
      ),
    ),
    responseId: Type.Optional(text("The id of the response, for `Ask Model`.")),
  },
  { description: "The model's answer." },
);

const NoCall = Type.Object(
  {
    reason: Type.Union(
      callFailureReasons.map((reason) => Type.Literal(reason)),
      { description: "Kind of the failure." },
    ),
    status: Type.Optional(Type.Integer({ description: "The status of the response." })),
    details: Type.Optional(text("The sentence for the author.")),
  },
  { description: "The failure of the call." },
);

/** The report of an effect in the format of test conversations. */
export const ReportSchema = Type.Union(
  [
    Type.Object({
      kind: kind("http"),
      statusCode: Type.Integer({ description: "The status of the response." }),
      text: text("The body of the response."),
    }),
    Type.Object({
      kind: kind("http"),
      statusCode: Type.Integer({ description: "The status that the flow gets for the failure." }),
      error: Type.Record(Type.String(), Type.String(), { description: "The failure of the request." }),
    }),
    Type.Object({
      kind: kind("fetch"),
      answer: Type.Union(
        [
          Type.Object({ body: text("The body of the response.") }),
          Type.Object({ error: text("The failure of the request.") }),
        ],
        { description: "The result of the script's call." },
      ),
    }),
    Type.Object({ kind: kind("model"), answer: Answer }),
    Type.Object({ kind: kind("model"), failure: Failure }),
    Type.Object({ kind: kind("speech"), url: text("URL of the recording.") }),
    Type.Object({ kind: kind("speech"), failure: Failure }),
    Type.Object({ kind: kind("transcription"), text: text("The transcription.") }),
    Type.Object({ kind: kind("transcription"), failure: Failure }),
    Type.Object({
      kind: kind("call"),
      status: Type.Integer({ description: "The status of the service's response." }),
      text: text("The body of the response."),
      headers: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: "Headers of the response, in lower case." }),
      ),
      sentence: Type.Optional(text("The service's sentence in a response without success.")),
    }),
    Type.Object({ kind: kind("call"), failure: NoCall }),
    Type.Object({
      kind: kind("sheet"),
      rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Null()])), {
        description: "Cells of the found rows, in the order of the block's columns.",
      }),
    }),
    Type.Object({
      kind: kind("sheet"),
      place: text("Titles of the spreadsheet and of its sheet."),
      written: Type.Integer({ description: "Number of written rows." }),
    }),
    Type.Object({ kind: kind("sheet"), failure: NoCall }),
    Type.Object({ kind: kind("qrCode"), url: text("URL of the picture.") }),
    Type.Object({ kind: kind("qrCode"), failure: NoCall }),
    Type.Object({
      kind: kind("suggestion"),
      parts: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
        description: "The parts of the chosen suggestion, by name; null if no suggestion was chosen.",
      }),
    }),
    Type.Object({ kind: kind("gmail"), threadId: text("Id of the mail's thread.") }),
    Type.Object({ kind: kind("gmail"), failure: NoCall }),
    Type.Object({ kind: kind("transcript"), text: text("The conversation so far.") }),
    Type.Object({
      kind: kind("userToken"),
      token: Type.Union([Type.String(), Type.Null()], { description: "The token; null if there are no credentials." }),
    }),
    Type.Object({ kind: kind("callbackAddress"), address: text("The address with which the chat can be called.") }),
    Type.Object({
      kind: kind("linkedFlow"),
      program: Type.Union([Type.String(), Type.Null()], {
        description: "Key of the flow in `linkedFlows`; null if there is none.",
      }),
      resultId: text("Id of the result of that flow."),
    }),
    Type.Object({
      kind: kind("payment"),
      paymentIntentSecret: text("Secret for the provider's form."),
      publicKey: text("The public key of the provider's account."),
      paymentId: Type.Optional(text("Id of the payment. With it, replies are checked.")),
    }),
    Type.Object({
      kind: kind("payment"),
      isSimulated: Type.Literal(true, {
        description: "Whether nothing is charged. Any reply except `fail` then counts as paid.",
      }),
    }),
    Type.Object({
      kind: kind("paymentCheck"),
      status: Type.Union(
        paymentStatuses.map((status) => Type.Literal(status)),
        { description: "State of the payment at its provider." },
      ),
    }),
    Type.Object({ kind: kind("refused"), reason: text("The reason of the refusal.") }),
  ],
  {
    description: "The result of an effect: the response of a server, or the reason why there is none. Nothing is sent.",
  },
);

export type WrittenReport = (typeof ReportSchema)["static"];

/**
 * Fills in the ids, arguments, ending and tokens that the author of a model's answer left out. Returns any other
 * report, or undefined, unchanged.
 */
export function wholeReport(written: WrittenReport | undefined): Report | undefined {
  if (written?.kind !== "model" || !("answer" in written)) return written;
  const { text: said, calls = [], ended, tokens = {}, responseId } = written.answer;
  const wanted = calls.map(({ id, name, arguments: given = {} }, index) => ({
    id: id ?? `call_${index}`,
    name,
    arguments: typeof given === "string" ? given : JSON.stringify(given),
  }));
  const answer: ModelAnswer = {
    text: said,
    ...(wanted.length > 0 && { calls: wanted }),
    ended: ended ?? (wanted.length > 0 ? "tools" : "stop"),
    tokens: { in: tokens.in ?? 0, cached: tokens.cached ?? 0, out: tokens.out ?? 0, isEstimated: false },
    ...(responseId !== undefined && { responseId }),
  };
  return { kind: "model", answer };
}

/**
 * Converts a recorded report to the format of test conversations. Returns undefined for a report that test
 * conversations cannot contain, such as a report with secrets.
 */
export function writtenReport(report: Report): WrittenReport | undefined {
  switch (report.kind) {
    // Unless the payment is simulated, the report contains its secret.
    case "payment":
      return "isSimulated" in report ? report : undefined;
    // A payment is cancelled when the visitor goes back, and going back is not a turn.
    case "paymentCancel":
      return undefined;
    case "http":
      if (!("error" in report)) return report;
      return { kind: "http", statusCode: report.statusCode, error: { ...report.error } };
    case "model": {
      if ("failure" in report) return { kind: "model", failure: { ...report.failure } };
      const { text: said, calls = [], ended, tokens, responseId } = report.answer;
      const { in: read, cached, out } = tokens;
      return {
        kind: "model",
        answer: {
          text: said,
          ...(calls.length > 0 && {
            calls: calls.map(({ id, name, arguments: given }) => ({
              id,
              name,
              ...(given !== null && { arguments: given }),
            })),
          }),
          ended,
          tokens: { in: read, cached, out },
          ...(responseId !== undefined && { responseId }),
        },
      };
    }
    case "qrCode":
      return "failure" in report ? { kind: "qrCode", failure: { ...report.failure } } : report;
    case "call":
      if ("failure" in report) return { kind: "call", failure: { ...report.failure } };
      return { ...report, ...(report.headers && { headers: { ...report.headers } }) };
    case "gmail":
      if ("failure" in report) return { kind: "gmail", failure: { ...report.failure } };
      return { kind: "gmail", threadId: report.threadId };
    case "sheet":
      if ("failure" in report) return { kind: "sheet", failure: { ...report.failure } };
      if ("rows" in report) return { kind: "sheet", rows: report.rows.map((row) => [...row]) };
      return { kind: "sheet", place: report.place, written: report.written };
    default:
      return report;
  }
}
