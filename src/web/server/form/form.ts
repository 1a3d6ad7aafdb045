import type { ChatDependencies } from "../../../chat/steps/dependencies.ts";
import { cleanText } from "../../../core/documents/incoming-json.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { type BodyBounds, countAnnounced, readBytes } from "../../../platform/http/body.ts";
import type { Admission } from "../../../platform/rate-limits/rate-limits.ts";
import { isObject, type Json } from "../../conversation/read.ts";

/** A form that a page posted. */
export type PostedForm = Awaited<ReturnType<typeof readForm>>;

/**
 * Reads a form that a page posted. Throws `request.malformed` if Parley's pages never post such a form, and
 * `request.too_large` or `request.too_slow` if its body is too large or arrives too slowly.
 */
export async function readForm(
  request: Request,
  { formsWithFiles, clock }: Pick<ChatDependencies, "formsWithFiles" | "clock">,
  { bot, admission }: { readonly bot: string; readonly admission: Admission },
) {
  const contentType = request.headers.get("content-type") ?? "";
  const isMultipart = /^multipart\//i.test(contentType);
  if (!isMultipart) await countAnnounced(request, admission);
  const read = async (bounds: BodyBounds) =>
    cleaned(await parse(await readBytes(request, { ...bounds, clock }), contentType));
  const fields = isMultipart
    ? await formsWithFiles.run({ bot, address: admission.address }, () => read({ maxBytes: limits.uploads.formBytes }))
    : await read({ maxBytes: limits.request.chatBodyBytes, countFor: admission });
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  const key = text("key");
  if (!/^[\x21-\x7e]{16,100}$/.test(key)) throw new AppError("request.malformed");
  return {
    fields,
    key,
    sessionId: text("session") || null,
    blockId: text("block"),
    revision: readRevision(text("revision")),
    /** The control that the visitor used instead of answering; empty for an answer. */
    control: text("control"),
    prefilled: readPrefilled(text("prefilled")),
    /**
     * The encrypted facts of the first step that the page showed before the chat had started; empty if the form has
     * none.
     */
    shown: text("shown"),
    /** The origin to which the form was posted. */
    postedTo: new URL(request.url).origin,
  };
}

/**
 * Returns the number of the last step that the page shows, or undefined for a page without such a number. Throws
 * `request.malformed` if the value is not a step number.
 */
function readRevision(text: string): number | undefined {
  if (text === "") return undefined;
  const revision = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || revision > mostRevision) throw new AppError("request.malformed");
  return revision;
}

const mostRevision = 2_147_483_647;

/** Returns values for variables from the query of a page's URL. */
export function prefilledOf(url: string): Json {
  const query = new URL(url).searchParams;
  return Object.fromEntries([...query].map(([name, value]) => [cleanText(name), cleanText(value)]));
}

async function parse(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch (error) {
    throw new AppError("request.malformed", { cause: error });
  }
}

/**
 * Returns the fields in the format in which replies are stored, without empty file fields. Bun 1.4.4 reads an empty
 * file field as a file without a name.
 */
function cleaned(fields: FormData): FormData {
  const clean = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") clean.append(name, cleanText(value));
    else if (value.name) clean.append(name, value);
  }
  return clean;
}

function readPrefilled(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A chat can start without prefilled values.
    return {};
  }
}
