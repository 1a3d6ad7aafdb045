import type { CredentialsData } from "../core/credentials/kind.ts";

/** The credentials of a step's workspace. */
export type StepCredentials = {
  /** Those of this type and id; `unreadable` where no key of this instance opens them. */
  find(wanted: { type: string; credentialsId: string }): Promise<CredentialsData | "unreadable" | undefined>;
  /** Notes when they were used. */
  noteUse(used: { credentialsId: string }): Promise<void>;
};
