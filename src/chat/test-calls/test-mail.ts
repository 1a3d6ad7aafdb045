import { isPublicAddress, readAllowedHosts } from "../../core/flow/outgoing-rules.ts";
import { type FlowBlock, isJsonObject } from "../../core/interpreter/flow.ts";
import type { Mail } from "../../core/interpreter/program/job.ts";
import type { Delivery } from "../../effects/mail/email.ts";
import { createWorkspaceMailer } from "../../effects/mail/workspace-mail.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { findAddress } from "../../management/access/access.sql.ts";
import type { Caller } from "../../management/access/access.ts";

import { credentialsOfStep } from "../../management/credentials/credentials-of-step.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

/** Finds the mail address of an author who tests a mail. Throws if the account has no address. */
export async function addressOfAuthor({ sql }: Pick<ChatDependencies, "sql">, { userId }: Caller): Promise<string> {
  const address = await findAddress(sql, userId);
  if (address !== null) return address;
  throw new AppError("block.no_call", {
    message: "Your account has no e-mail address to which the mail could be sent.",
  });
}

/** Returns the block with its mail addressed only to its author, and without the files of visitors. */
export function withoutRecipients(block: FlowBlock, address: string): FlowBlock {
  const { options } = block;
  const { cc: _, bcc: __, attachmentsVariableId: ___, ...rest } = isJsonObject(options) ? options : {};
  return { ...block, options: { ...rest, recipients: [address] } };
}

/**
 * Sends a mail as a chat would, but only to this address. Waits until the mail server has accepted the mail or the
 * delivery has failed.
 */
export async function sendTried(
  deps: Pick<ChatDependencies, "sql" | "secrets" | "mailer" | "config" | "clock">,
  { mail, address, workspaceId }: { readonly mail: Mail; readonly address: string; readonly workspaceId: string },
) {
  const { credentialsId, senderName, replyTo, subject, body } = mail;
  const letter = {
    ...{ to: [address], cc: [], bcc: [], areSingle: true as const, subject, body },
    ...(senderName !== undefined && { senderName }),
    ...(replyTo !== undefined && { replyTo }),
  };
  const begun = deps.clock.now();
  const delivery = isId(credentialsId)
    ? await overWorkspace(deps, { credentialsId, workspaceId, letter })
    : await deps.mailer.send(letter, newId());
  const text = "text" in body ? body.text : body.html;
  return {
    request: {
      ...{ service: "smtp", method: "send", url: address, headers: [] },
      body: `${subject}\n\n${text}`.slice(0, limits.outgoing.shownCharacters),
    },
    ...{ outcome: delivery.kind === "sent" ? ("answered" as const) : ("unreachable" as const), refusal: null },
    ...{ statusCode: null, data: null, isCut: false, headers: [], variables: [] },
    durationMs: Math.round(deps.clock.now() - begun),
    logs:
      delivery.kind === "sent" ? [] : [{ status: "error", description: "Email not sent", details: delivery.reason }],
  };
}

type OverWorkspace = {
  readonly credentialsId: string;
  readonly workspaceId: string;
  readonly letter: Parameters<ChatDependencies["mailer"]["send"]>[0];
};

async function overWorkspace(
  deps: Pick<ChatDependencies, "sql" | "secrets" | "config">,
  { credentialsId, workspaceId, letter }: OverWorkspace,
): Promise<Delivery> {
  const data = await credentialsOfStep(deps, { workspaceId, isLive: false }).find({ type: "smtp", credentialsId });
  if (data === undefined) return failed("The workspace does not have these credentials of a mail server");
  if (data === "unreadable") return failed("No key of this instance decrypts the credentials: enter them again");
  const rules = { permits: isPublicAddress, allowedHosts: readAllowedHosts(deps.config.OUTGOING_ALLOW) };
  return createWorkspaceMailer(rules).send(data, letter, newId());
}

function failed(reason: string): Delivery {
  return { kind: "failed", reason, isRetryable: false };
}
