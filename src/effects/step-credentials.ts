import type { CredentialsData } from "../core/credentials/kind.ts";

/** The credentials of a step's workspace. */
export type StepCredentials = {
  /** Finds credentials by type and id; `unreadable` if no key of this instance decrypts them. */
  find(wanted: { type: string; credentialsId: string }): Promise<CredentialsData | "unreadable" | undefined>;
  /** Records when the credentials were used. */
  noteUse(used: { credentialsId: string }): Promise<void>;
  /**
   * Records that the provider refused the credentials, with its sentence, without keys. Absent: the refusal is not
   * recorded.
   */
  noteProblem?(refused: { credentialsId: string; problem: string }): Promise<void>;
};
