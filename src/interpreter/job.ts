/**
 * Something to be done once the step is saved, at least once, whose outcome the flow does not read: it is written with the
 * step, or not at all.
 */
export type Job = { readonly queue: "email"; readonly data: Mail };

/** A mail as its block wrote it. Who sends it is decided when it is delivered. */
export type Mail = {
  readonly credentialsId: string;
  /** How the sender is called; absent: as the account says. */
  readonly senderName?: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** Whose log tells what came of it. */
  readonly resultId: string;
  readonly botId: string;
};
