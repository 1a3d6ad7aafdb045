import type { CredentialsData } from "../core/credentials/kind.ts";

/** The credentials of a step's workspace. */
export type StepCredentials = {
  /**
   * Finds credentials by type and id. Returns `unreadable` if no key of this instance can decrypt the credentials, or
   * undefined if the workspace has no such credentials.
   */
  find(wanted: { type: string; credentialsId: string }): Promise<CredentialsData | "unreadable" | undefined>;
  /** Records the time at which the credentials were used. */
  noteUse(used: { credentialsId: string }): Promise<void>;
  /**
   * Records that the provider rejected the credentials, with the provider's message without keys. If absent, the
   * rejection is not recorded.
   */
  noteProblem?(refused: { credentialsId: string; problem: string }): Promise<void>;
};
