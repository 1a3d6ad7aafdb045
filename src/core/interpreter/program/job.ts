/**
 * Work that is done after the step, at least once, and whose outcome the flow does not read. It is saved with its step.
 */
export type Job =
  | { readonly queue: "email"; readonly data: Mail }
  | { readonly queue: "calls"; readonly data: DeferredCall };

/** A call to a service under the workspace's credentials. Its content depends on the service, and names no secret. */
export type DeferredCall = {
  /** The type of the credentials, which also identifies the service. */
  readonly type: string;
  readonly credentialsId: string;
  /** The block that is recorded as failed if the call fails. */
  readonly blockId: string;
  readonly content: unknown;
  /** The result whose log gets the outcome. */
  readonly resultId: string;
  readonly botId: string;
};

/** A mail as its block wrote it. Its sender is decided when it is delivered. */
export type Mail = {
  readonly credentialsId: string;
  /** The sender's name; absent: the name of the mail account. */
  readonly senderName?: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /**
   * Each entry is one address, even if a variable holds several. Absent: entries of an earlier release, in which commas
   * may separate addresses.
   */
  readonly areSingle?: true;
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** Names of visitors' files. They are checked and read when the mail is delivered. */
  readonly attachments?: readonly string[];
  /** The result whose log gets the outcome. */
  readonly resultId: string;
  readonly botId: string;
};

/** The mails among the jobs of a step. */
export function mailsOf(jobs: readonly Job[]): Mail[] {
  return jobs.flatMap((job) => (job.queue === "email" ? [job.data] : []));
}
