import { Resolver } from "node:dns/promises";
import { FailedCall, type OutgoingResponse, RefusedCall, type SafeFetch } from "../../effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../../platform/concurrency/clock.ts";
import { createDeadlines } from "../../platform/concurrency/deadlines.ts";

/** Resolves the TXT records of a name. Each record is a list of parts, as sent by DNS. Throws like `node:dns`. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

/** A domain, and the text that its owner must publish as proof. */
export type ClaimedDomain = { readonly name: string; readonly proof: string; readonly workspaceId: string };

/**
 * The result of a search for a domain's proof. `unknown` means that the search failed for the moment. `problem` is a
 * sentence for people.
 */
export type ProofFinding =
  | { readonly kind: "proved"; readonly provedBy: "dns" | "file" }
  | { readonly kind: "unproved"; readonly problem: string }
  | { readonly kind: "unknown"; readonly problem: string };

/** Returns the DNS record and the file that can contain the proof of a domain. */
export function placesOfProof({ name, proof }: Pick<ClaimedDomain, "name" | "proof">) {
  return {
    record: { type: "TXT", name: `_parley.${name}`, value: `parley-domain=${proof}` },
    file: { url: `http://${name}/.well-known/parley-domain`, content: `parley-domain=${proof}` },
  } as const;
}

/**
 * Looks for the proof of a domain in DNS, and otherwise in a file of its web server. Does not follow redirects: if a
 * server redirects all requests, their target could otherwise prove the domain. The path does not contain the proof,
 * because a server may echo the path of a request.
 */
export async function findProof(
  tools: { readonly resolveTxt: ResolveTxt; readonly safeFetch: SafeFetch },
  domain: ClaimedDomain,
): Promise<ProofFinding> {
  const { record, file } = placesOfProof(domain);
  const inDns = await lookUp(tools.resolveTxt, record);
  if (inDns.isThere) return { kind: "proved", provedBy: "dns" };
  const secureUrl = file.url.replace(/^http:/, "https:");
  const problems: string[] = [];
  for (const url of [file.url, secureUrl]) {
    const problem = await problemOfFile(tools.safeFetch, { url, content: file.content, domain });
    if (problem === undefined) return { kind: "proved", provedBy: "file" };
    problems.push(`${url} ${problem}`);
  }
  return { kind: inDns.isKnown ? "unproved" : "unknown", problem: `${inDns.problem}; ${problems.join("; ")}.` };
}

/** Creates a resolver that queries the DNS servers of this machine, or the given servers. */
export function createTxtResolver(servers?: readonly string[]): ResolveTxt {
  const resolver = new Resolver({ timeout: limits.customDomains.lookUpMs / 2, tries: 2 });
  if (servers) resolver.setServers(servers);
  const deadlines = createDeadlines(systemClock);
  const late = () => Object.assign(new Error("No DNS server responded"), { code: "ETIMEOUT" });
  return (name) => deadlines.within(limits.customDomains.lookUpMs, resolver.resolveTxt(name), late);
}

type LookUp =
  | { readonly isThere: true }
  | { readonly isThere: false; readonly isKnown: boolean; readonly problem: string };

async function lookUp(resolveTxt: ResolveTxt, { name, value }: { name: string; value: string }): Promise<LookUp> {
  const found = await resolveTxt(name).then(
    (records) => records.map((parts) => parts.join("").trim()),
    (error: unknown) => codeOf(error),
  );
  const isThere = typeof found !== "string" && found.includes(value);
  if (isThere) return { isThere };
  if (typeof found !== "string" && found.length > 0) {
    return { isThere, isKnown: true, problem: `The TXT record ${name} has another value` };
  }
  if (typeof found !== "string" || missing.has(found)) {
    return { isThere, isKnown: true, problem: `There is no TXT record ${name}` };
  }
  return { isThere, isKnown: false, problem: `The TXT record ${name} could not be looked up (${found})` };
}

/** Error codes which mean that the name does not exist or has no such record. */
const missing = new Set(["ENOTFOUND", "ENODATA"]);

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code).replace(/^DNS_/, "");
  throw error;
}

/** Returns the problem of the file; undefined if the file has the right content. */
async function problemOfFile(
  safeFetch: SafeFetch,
  { url, content, domain }: { url: string; content: string; domain: ClaimedDomain },
): Promise<string | undefined> {
  try {
    const { status, text } = await safeFetch({
      url,
      method: "GET",
      headers: [
        ["Accept", "text/plain"],
        ["Accept-Encoding", "identity"],
      ],
      timeoutMs: limits.customDomains.fetchMs,
      redirect: "manual",
      excerptBytes: limits.customDomains.fileBytes,
      hops: { count: 1, workspaceId: domain.workspaceId, root: null },
    });
    return problemOfAnswer({ status, text }, content);
  } catch (error) {
    if (error instanceof RefusedCall || error instanceof FailedCall) return `cannot be called: ${error.message}`;
    throw error;
  }
}

function problemOfAnswer({ status, text }: OutgoingResponse, content: string): string | undefined {
  if (status >= 300 && status < 400) return `answers with a redirect (${status}), which is not followed`;
  if (status !== 200) return `answers with status ${status}`;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.includes(content) ? undefined : "has other content";
}
