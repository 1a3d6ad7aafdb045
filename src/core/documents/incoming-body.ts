import { AppError } from "../../errors.ts";
import { readFlowParts } from "../flow/check.ts";
import { noteChecked } from "../flow/checked-flows.ts";
import type { Dialect } from "../flow/dialect.ts";
import { readRepairedParts } from "../flow/repair/read-repaired.ts";
import { isJsonObject } from "../interpreter/flow.ts";
import { needsCleaning, parseJson } from "./incoming-json.ts";

/** The reason why a body was rejected, in the form that a thread returns. */
type Refusal = { readonly code: AppError["code"]; readonly message: string; readonly data: AppError["data"] };

/** The first line of a thread's result. The JSON text of an accepted body follows. */
type Head =
  | { readonly refusal: Refusal }
  /**
   * How the flow in the body was read, and the flow's error. Null if the body contains no flow under the key of a
   * dialect.
   */
  | {
      readonly flow: {
        readonly dialect: Dialect;
        readonly isRepaired: boolean;
        readonly refusal: Refusal | null;
      } | null;
    };

const utf8 = new TextDecoder();
const dialects = ["bot", "typebot"] as const;

/**
 * Parses the JSON of a body, makes the value safe to store, and validates the flow. Large bodies are read on a separate
 * thread. The result is a text for `openBody`, because passing an object between threads costs as much as reading the
 * body.
 */
export function readBody(bytes: Uint8Array): string {
  const text = utf8.decode(bytes);
  if (text.trim() === "") return writeBody({ flow: null }, "{}");
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return writeBody({ refusal: refusalOf(error) }, "");
  }
  return writeBody({ flow: checkFlow(value) }, needsCleaning(text) ? JSON.stringify(value) : text);
}

/**
 * Returns the value of a body that `readBody` has read. Throws the error for which the body was rejected. The outcome
 * of the flow's validation is recorded, so that the flow is not validated again.
 */
export function openBody(read: string): unknown {
  const end = read.indexOf("\n");
  const head: Head = JSON.parse(read.slice(0, end));
  if ("refusal" in head) throw errorOf(head.refusal);
  const value: unknown = JSON.parse(read.slice(end + 1));
  if (head.flow && isJsonObject(value)) {
    const { dialect, isRepaired, refusal } = head.flow;
    const flow = value[dialect];
    if (isJsonObject(flow)) noteChecked(flow, { dialect, isRepaired, error: refusal ? errorOf(refusal) : undefined });
  }
  return value;
}

function writeBody(head: Head, text: string): string {
  return `${JSON.stringify(head)}\n${text}`;
}

function checkFlow(body: unknown): Extract<Head, { flow: unknown }>["flow"] {
  if (!isJsonObject(body)) return null;
  const dialect = dialects.find((name) => isJsonObject(body[name]));
  if (!dialect) return null;
  const isRepaired = body["repair"] === true;
  try {
    if (isRepaired) readRepairedParts(body[dialect], dialect);
    else readFlowParts(body[dialect], dialect);
    return { dialect, isRepaired, refusal: null };
  } catch (error) {
    return { dialect, isRepaired, refusal: refusalOf(error) };
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof AppError)) throw error;
  const { code, message, data } = error;
  return { code, message, data };
}

function errorOf({ code, message, data }: Refusal): AppError {
  return new AppError(code, { message, ...(data !== undefined && { data }) });
}
