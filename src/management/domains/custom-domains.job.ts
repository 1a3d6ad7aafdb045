import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { checkDueDomains } from "./custom-domain-checks.ts";

/** Checks the proofs of custom domains: first of pending domains, and repeatedly of verified domains. */
export function customDomains(tools: Parameters<typeof checkDueDomains>[0]): CleanUp {
  return { name: "custom-domains", cron: "* * * * *", did: "Checked", removeSome: () => checkDueDomains(tools) };
}
