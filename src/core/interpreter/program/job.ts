/** Work that is done after the step, at least once, and whose outcome the flow does not read. It is saved with its step. */
export type Job = { readonly queue: "email"; readonly data: Mail };

/** A mail as its block wrote it. Its sender is decided when it is delivered. */
export type Mail = {
  readonly credentialsId: string;
  /** The sender's name; absent: the mail account's. */
  readonly senderName?: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** The result whose log gets the outcome. */
  readonly resultId: string;
  readonly botId: string;
};
