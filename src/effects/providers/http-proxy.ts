import { textIn } from "../../core/credentials/kind.ts";
import type { HttpProxy } from "../safe-fetch/safe-fetch.ts";
import type { StepCredentials } from "../step-credentials.ts";

const type = "http proxy";

/** The proxy of a block's request; undefined if it names none. Without its proxy the request is not sent. */
export async function findProxy(
  { proxyCredentialsId: credentialsId }: { readonly proxyCredentialsId?: string },
  { credentials }: { readonly credentials?: StepCredentials },
): Promise<HttpProxy | { readonly problem: string } | undefined> {
  if (credentialsId === undefined) return undefined;
  const data = await credentials?.find({ type, credentialsId });
  if (data === undefined) return { problem: "Could not find the credentials of the proxy" };
  if (data === "unreadable") return { problem: "No key of this instance decrypts the credentials of the proxy" };
  await credentials?.noteUse({ credentialsId });
  return {
    url: textIn(data, "url") ?? "",
    username: textIn(data, "username"),
    password: textIn(data, "password"),
  };
}
