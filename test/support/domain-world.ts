import type { SafeFetch } from "../../src/effects/safe-fetch/safe-fetch.ts";
import { createTxtResolver, type ResolveTxt } from "../../src/management/domains/domain-proof.ts";
import { type DnsAnswerer, startDnsAnswerer } from "./dns-answerer.ts";
import { outsideFetch, startOutside } from "./outside.ts";

type HostedFile = { readonly text: string; readonly status?: number; readonly location?: string };

/** DNS and the web servers of all domains on the loopback address. */
export type DomainWorld = {
  readonly dns: DnsAnswerer;
  /** Files by path, for every host. */
  readonly files: Map<string, HostedFile>;
  readonly requests: string[];
  readonly resolveTxt: ResolveTxt;
  readonly safeFetch: SafeFetch;
  clear(): void;
  close(): Promise<void>;
};

export async function startDomainWorld(): Promise<DomainWorld> {
  const dns = await startDnsAnswerer();
  const files = new Map<string, HostedFile>();
  const requests: string[] = [];
  const server = await startOutside(({ path }, response) => {
    const { text, status = 200, location } = files.get(path) ?? { text: "There is no such file", status: 404 };
    response.writeHead(status, { "Content-Type": "text/plain", ...(location !== undefined && { Location: location }) });
    response.end(text);
  });
  const call = outsideFetch();
  return {
    dns,
    files,
    requests,
    resolveTxt: createTxtResolver([dns.address]),
    async safeFetch(request) {
      requests.push(request.url);
      const url = new URL(request.url);
      // The test's server uses another port and has no certificate.
      return await call({ ...request, url: server.url(url.pathname, url.hostname) });
    },
    clear() {
      dns.records.clear();
      dns.forget();
      files.clear();
      requests.length = 0;
    },
    async close() {
      await Promise.all([dns.close(), server.close()]);
    },
  };
}
