import { StartError } from "../../config.ts";
import { at, numberAt, textAt } from "../../web/conversation/read.ts";
import { UsageError } from "../command.ts";
import { requireProxy } from "../proxy.ts";
import { noAnswer, readAddress } from "../service.ts";

/** A published bot and the address of its service. */
export type Place = { readonly url: string; readonly publicId: string };

/**
 * Parses the address of a bot's page, or a public id together with the service's address. Throws a UsageError for an
 * invalid address.
 */
export function readPlace(bot: string, url: string): Place {
  const page = bot.includes("/") ? URL.parse(bot) : undefined;
  if (page === null)
    throw new UsageError(`"${bot}" is neither a public id nor an address such as https://host/my-bot.`);
  const service = readAddress(page?.origin ?? url, "--url");
  const publicId = page ? decodeURIComponent(page.pathname.replace(/^\/|\/$/g, "")) : bot;
  return { url: service.origin, publicId };
}

const attempts = 6;
const firstPauseMs = 500;

export type Patience = {
  /** Whether the service has responded before. If it has not, the client does not retry when no response arrives. */
  readonly isKnown: boolean;
  /** Called before a pause with the reason for waiting. */
  onWait(reason: string): void;
};

/**
 * Sends a chat request and returns the response. Retries with the same key if the service asks for a retry, or if a
 * service that has responded before does not respond. Throws a StartError if the request is rejected or the retries
 * fail.
 */
export async function post(
  place: Place,
  path: string,
  { body, isKnown, onWait }: Patience & { readonly body: object },
): Promise<unknown> {
  const key = crypto.randomUUID();
  await requireProxy(new URL(place.url));
  for (let attempt = 1; ; attempt++) {
    const answer = await send(place.url + path, { body, key }).catch(() => ({
      problem: noAnswer(place.url),
      afterMs: isKnown ? firstPauseMs * 2 ** attempt : undefined,
    }));
    if ("value" in answer) return answer.value;
    if (answer.afterMs === undefined || attempt === attempts) throw new StartError(answer.problem);
    onWait(answer.problem);
    await Bun.sleep(answer.afterMs);
  }
}

const longestPauseSeconds = 300;

type Outcome = { readonly value: unknown } | { readonly problem: string; readonly afterMs: number | undefined };

async function send(address: string, { body, key }: { body: object; key: string }): Promise<Outcome> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key, prefer: "handling=strict" },
    body: JSON.stringify(body),
  });
  const value: unknown = await response.json().catch(() => undefined);
  if (response.ok) return { value };
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  // The daily limit for files resets at midnight, which is too long to wait.
  const mayPass = [409, 429, 503].includes(response.status) && seconds <= longestPauseSeconds;
  const problem = textAt(value, "message") ?? `The service responded with status ${response.status}.`;
  return { problem, afterMs: mayPass ? seconds * 1_000 : undefined };
}

/**
 * Uploads a file for the open input of a session and returns the file's address. Throws a StartError if the file is
 * rejected.
 */
export async function upload(
  place: Place,
  file: Bun.BunFile,
  { target, ...patience }: Patience & { readonly target: { sessionId: string; blockId: string } },
): Promise<string> {
  const fileName = file.name?.replace(/^.*[/\\]/, "") ?? "file";
  const about = { ...target, fileName, fileType: file.type, fileSize: file.size };
  const answer = await post(place, "/api/v3/generate-upload-url", { ...patience, body: about });
  const to = textAt(answer, "presignedUrl") ?? "";
  const address = new URL(to, place.url);
  if (!/^https?:$/.test(address.protocol)) throw new StartError(`The service returned no URL for the file: ${to}.`);
  const response = await fetch(address, {
    method: "PUT",
    body: file,
    headers: { "content-type": file.type },
  });
  if (!response.ok) {
    const refusal: unknown = await response.json().catch(() => undefined);
    throw new StartError(textAt(refusal, "message") ?? `The file was rejected with status ${response.status}.`);
  }
  return textAt(answer, "fileUrl") ?? "";
}

/** Returns the duration of a `wait` action in milliseconds. */
export function waitMs(action: unknown): number {
  return 1_000 * (numberAt(at(action, "wait"), "secondsToWaitFor") ?? 0);
}
