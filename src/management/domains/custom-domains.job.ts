import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { checkDueDomains } from "./custom-domain-checks.ts";

/** Looks for the proofs of custom domains: of those that wait for it, and again of those that had it. */
export function customDomains(tools: Parameters<typeof checkDueDomains>[0]): CleanUp {
  return { name: "custom-domains", cron: "* * * * *", did: "Checked", removeSome: () => checkDueDomains(tools) };
}
