import { hostOf, isPublicAddress, RefusedCall, readTarget, requirePermitted } from "../../flow/outgoing-rules.ts";
import { type LintFacts, placeIn } from "../facts.ts";
import type { Rule } from "../rule.ts";

/** Only ports above this number can be allowed on the service's own machine. */
const lastSystemPort = 1_023;

export const refusedAddress: Rule = {
  name: "refused_address",
  severity: "warning",
  about:
    "A block calls an address that is always blocked: an address of this machine or of a private network that the operator does not allow, a port of another protocol, or an invalid URL. Addresses with a variable are not checked, and host names are only resolved when the block runs.",
  advice: "Call a public address, or ask the operator to allow the host (`OUTGOING_ALLOW`).",
  needsWorkspace: true,
  *find({ blocks, registry, facts }) {
    for (const linted of blocks) {
      const address = registry.get(linted.block.type)?.calledAddress?.(linted.block);
      const refusal = address && !address.includes("{{") ? refusalOf(address, facts) : undefined;
      if (refusal === undefined) continue;
      yield {
        ...placeIn(linted, "options.webhook.url"),
        message: `This call is always blocked: ${refusal.charAt(0).toLowerCase()}${refusal.slice(1)}.`,
      };
    }
  },
};

function refusalOf(address: string, { allowedHosts, ownMachine }: LintFacts): string | undefined {
  try {
    if (ownMachine === undefined && isOnOwnMachine(address)) return undefined;
    const url = readTarget(address, undefined, ownMachine);
    if (ownMachine?.has(url.origin)) return undefined;
    const host = hostOf(url);
    requirePermitted(host, { permits: isPublicAddress, isHostAllowed: allowedHosts?.includes(host) ?? true });
    return undefined;
  } catch (error) {
    if (error instanceof RefusedCall) return error.message;
    throw error;
  }
}

/** Whether the operator can allow the address as a port of the service's own machine. */
function isOnOwnMachine(address: string): boolean {
  const { hostname, port } = URL.parse(address) ?? {};
  return (hostname === "localhost" || hostname === "127.0.0.1") && Number(port) > lastSystemPort;
}
