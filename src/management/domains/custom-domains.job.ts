import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { checkDueDomains } from "./custom-domain-checks.ts";

/** Creates the job that checks the proofs of pending and verified domains that are due for a check. */
export function customDomains(tools: Parameters<typeof checkDueDomains>[0]): CleanUp {
  return { name: "custom-domains", cron: "* * * * *", did: "Checked", removeSome: () => checkDueDomains(tools) };
}
