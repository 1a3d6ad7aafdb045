import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Transporter } from "nodemailer";
import { type CredentialsData, textIn } from "../../core/credentials/kind.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { type AddressRule, RefusedCall } from "../../core/flow/outgoing-rules.ts";
import { isJsonObject } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import type { Resolve } from "../safe-fetch/safe-fetch-exchange.ts";
import { type Delivery, failureOf, type Letter, messageOf, sentTo } from "./email.ts";

/** The rules for which mail servers a workspace may use. They are the same as for all other calls of a flow. */
export type MailServerRules = {
  readonly permits: AddressRule;
  readonly allowedHosts: readonly string[];
  readonly resolve?: Resolve;
};

/**
 * Signs in to a workspace's mail server and disconnects. Returns the error without the password, or undefined if the
 * login succeeded.
 */
export async function tryMailServer(data: CredentialsData, rules: MailServerRules): Promise<string | undefined> {
  let transport: Transporter | undefined;
  try {
    transport = await openMailServer(data, rules);
    await transport.verify();
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return withoutKeys(message, [textIn(data, "password") ?? ""]).slice(0, limits.credentials.sentenceCharacters);
  } finally {
    transport?.close();
  }
}

/** Sends mails through the servers of workspaces with the workspaces' own addresses. */
export type WorkspaceMailer = {
  send(data: CredentialsData, mail: Letter, id: string): Promise<Delivery>;
};

export function createWorkspaceMailer(rules: MailServerRules): WorkspaceMailer {
  return {
    async send(data, mail, id) {
      const password = textIn(data, "password") ?? "";
      const from = isJsonObject(data["from"]) ? data["from"] : {};
      const sender = { name: textIn(from, "name") ?? "", address: textIn(from, "email") ?? "" };
      let transport: Transporter | undefined;
      try {
        transport = await openMailServer(data, rules);
        const sent: unknown = await transport.sendMail({
          ...messageOf(mail, { id, sender }),
          signal: AbortSignal.timeout(limits.mails.deliveryMs),
        });
        return sentTo(sent);
      } catch (error) {
        const delivery = failureOf(error, "");
        // A forbidden address remains forbidden, so the mail is not retried.
        const isRetryable = delivery.isRetryable && !(error instanceof RefusedCall);
        return { ...delivery, reason: withoutKeys(delivery.reason, [password]), isRetryable };
      } finally {
        transport?.close();
      }
    },
  };
}

/**
 * Creates a transport to the mail server of `smtp` credentials. The host name is resolved and checked once, and the
 * transport uses the resolved address. Throws a RefusedCall if the server must not be reached.
 */
async function openMailServer(
  data: CredentialsData,
  { permits, allowedHosts, resolve = (host) => lookup(host, { all: true }) }: MailServerRules,
): Promise<Transporter> {
  const host = textIn(data, "host") ?? "";
  const isHostAllowed = allowedHosts.includes(host.toLowerCase());
  const addresses = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
  const [first] = addresses;
  if (first === undefined || !addresses.every((address) => permits(address, { isHostAllowed }))) {
    throw new RefusedCall("The mail server's address is not public");
  }
  const { createTransport } = await import("nodemailer");
  const [user, pass] = [textIn(data, "username"), textIn(data, "password")];
  return createTransport({
    host: first,
    port: Number(data["port"]),
    secure: data["isTlsEnabled"] === true,
    ...(user !== undefined && pass !== undefined && { auth: { user, pass } }),
    tls: { servername: host },
    connectionTimeout: limits.credentials.timeoutMs,
    greetingTimeout: limits.credentials.timeoutMs,
    socketTimeout: limits.credentials.timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
