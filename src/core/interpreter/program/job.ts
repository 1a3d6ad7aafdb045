/** Work that is stored with the step and performed after it, at least once. The flow does not use the outcome. */
export type Job =
  | { readonly queue: "email"; readonly data: Mail }
  | { readonly queue: "calls"; readonly data: DeferredCall };

/** A call to a service with the workspace's credentials. The content depends on the service and contains no secret. */
export type DeferredCall = {
  /** The type of the credentials, which also identifies the service. */
  readonly type: string;
  readonly credentialsId: string;
  /** The block that is recorded as failed if the call fails. */
  readonly blockId: string;
  readonly content: unknown;
  /** The result whose log receives the outcome. */
  readonly resultId: string;
  readonly botId: string;
};

/** A mail as composed by its block. The sender is determined when the mail is delivered. */
export type Mail = {
  readonly credentialsId: string;
  /** The sender's name. Defaults to the name of the mail account. */
  readonly senderName?: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /**
   * Whether each entry is exactly one address. Absent for jobs of an earlier release, whose entries may contain several
   * addresses separated by commas.
   */
  readonly areSingle?: true;
  readonly replyTo?: string;
  readonly subject: string;
  readonly body: { readonly html: string } | { readonly text: string };
  /** The file names of visitors' uploads. The files are checked and read when the mail is delivered. */
  readonly attachments?: readonly string[];
  /** The result whose log receives the outcome. */
  readonly resultId: string;
  readonly botId: string;
};

export function mailsOf(jobs: readonly Job[]): Mail[] {
  return jobs.flatMap((job) => (job.queue === "email" ? [job.data] : []));
}
