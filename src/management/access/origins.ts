import { AppError } from "../../errors.ts";
import type { ManagementDependencies } from "./dependencies.ts";

/** The parts of a request that show from which site it was sent. */
export type Origins = {
  readonly origin: string | null;
  /** The page around the chat's frame, as reported by the client. */
  readonly framedBy: string | null;
  /** The host to which the request itself was sent. */
  readonly host: string | null;
  /** The word that identifies a sandboxed page (`page-words.ts`). */
  readonly word?: string | null;
};

/** The origins of a request that does not come from a browser. */
export const noOrigins: Origins = { origin: null, framedBy: null, host: null };

/**
 * Throws `origin.not_allowed` for an origin that the bot does not allow. A bot without a list of allowed origins
 * accepts every origin, and a request without an origin is accepted. Our own origins are accepted, except inside a
 * frame of another origin that is not allowed.
 */
export function requireOrigin(
  deps: Pick<ManagementDependencies, "config" | "pageWords">,
  { origin, framedBy, host, word }: Origins,
  allowed: readonly string[] | null,
): void {
  if (origin === null || !allowed || allowed.length === 0 || allowed.includes(origin)) return;
  const hosts = [hostOf(deps.config.CHAT_URL), hostOf(deps.config.PUBLIC_URL), host];
  const isOwn = hosts.includes(hostOf(origin) ?? "") || (origin === "null" && deps.pageWords.isOurs(word, allowed));
  if (isOwn && (framedBy === null || framedBy === origin || allowed.includes(framedBy))) return;
  throw new AppError("origin.not_allowed", { data: { origin } });
}

/**
 * Returns the host of a URL. Returns null if the value is missing or not a URL, such as the origin `null` of sandboxed
 * frames.
 */
function hostOf(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).host : null;
}
