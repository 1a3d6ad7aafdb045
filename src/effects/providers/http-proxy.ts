import { httpProxy } from "../../core/credentials/http-proxy.ts";
import { textIn } from "../../core/credentials/kind.ts";
import type { HttpProxy } from "../safe-fetch/safe-fetch.ts";
import type { StepCredentials } from "../step-credentials.ts";
import { atProvider, type Providers } from "./provider-urls.ts";

/** The proxy of a block's request; undefined if it names none. Without its proxy the request is not sent. */
export async function findProxy(
  { proxyCredentialsId: credentialsId }: { readonly proxyCredentialsId?: string },
  { credentials, providers }: { readonly credentials?: StepCredentials; readonly providers?: Providers },
): Promise<HttpProxy | { readonly problem: string } | undefined> {
  if (credentialsId === undefined) return undefined;
  const data = await credentials?.find({ type: httpProxy.type, credentialsId });
  if (data === undefined) return { problem: "Could not find the credentials of the proxy" };
  if (data === "unreadable") return { problem: "No key of this instance decrypts the credentials of the proxy" };
  await credentials?.noteUse({ credentialsId });
  return {
    // The operator moves nobody's proxy: the setting says which one may be on this machine.
    ...atProvider(providers?.urls, { name: httpProxy.serverName, url: textIn(data, "url") ?? "", isOwn: false }),
    username: textIn(data, "username"),
    password: textIn(data, "password"),
  };
}
