import { setPriority } from "node:os";
import { limits } from "../limits.ts";

/** What a thread is told when it starts. */
export type ThreadData = { readonly isPatient: boolean };

/** Has this thread give way to others when all want the processor, if it was told to. */
export function giveWay(data: ThreadData): void {
  // On Linux each thread has a priority of its own; elsewhere this would be the whole process's.
  if (data.isPatient && process.platform === "linux") setPriority(limits.patientNiceness);
}
