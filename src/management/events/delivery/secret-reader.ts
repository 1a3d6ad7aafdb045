import { eventSecretPlace, type Secrets } from "../../../platform/secrets.ts";
import type { OpenEndpoint } from "./queue.sql.ts";

/**
 * Creates a function that decrypts an endpoint's signing secrets and caches the last result. The function returns
 * undefined if no key decrypts the current secret.
 */
export function createSecretReader({ secrets }: { secrets: Secrets }) {
  let last: { readonly sealed: string; readonly texts: readonly string[] } | undefined;
  return async ({
    id,
    secret,
    previousSecret,
  }: Pick<OpenEndpoint, "id" | "secret" | "previousSecret">): Promise<readonly string[] | undefined> => {
    const sealed = `${Buffer.from(secret).toString("base64")} ${Buffer.from(previousSecret ?? []).toString("base64")}`;
    if (last?.sealed === sealed) return last.texts;
    const place = eventSecretPlace(id);
    const current = await secrets.open(secret, place);
    if (current === undefined) return undefined;
    const previous = previousSecret && (await secrets.open(previousSecret, place));
    last = { sealed, texts: previous ? [current, previous] : [current] };
    return last.texts;
  };
}
