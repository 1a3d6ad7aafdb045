import { limits } from "../../limits/index.ts";
import type { Issue } from "../../platform/http/requests/invalid-input.ts";
import { newId } from "../../platform/ids.ts";

const reserved = new Set([
  "api",
  "admin",
  "app",
  "docs",
  "metrics",
  "healthz",
  "embed.js",
  "favicon.ico",
  "robots.txt",
  "sitemap.xml",
  "assets",
]);

/** Returns the problems of a public id. A bot's page has the path `/<publicId>`, next to the service's own paths. */
export function publicIdIssues(publicId: string, path: string): Issue[] {
  if (!/^[A-Za-z0-9.-]+$/.test(publicId) || publicId.length > limits.fields.publicIdCharacters) {
    return [{ path, message: `must be 1 to ${limits.fields.publicIdCharacters} letters, digits, "-" and "."` }];
  }
  if (publicId.startsWith(".")) return [{ path, message: "must not begin with a dot" }];
  if (reserved.has(publicId.toLowerCase())) return [{ path, message: "must not be a reserved word" }];
  return [];
}

/** Returns the problems of a custom domain: a host with a top-level domain of letters, optionally with a path. */
export function customDomainIssues(customDomain: string, path: string): Issue[] {
  const slash = customDomain.indexOf("/");
  const rest = slash === -1 ? "" : customDomain.slice(slash);
  const isAddress = /^(\/[\w/-]*)?$/.test(rest) && isHost(hostOfDomain(customDomain));
  if (isAddress && customDomain.length <= limits.fields.customDomainCharacters) return [];
  return [{ path, message: 'must be a domain such as "chat.example.com", optionally with a path' }];
}

/** Returns the problems of the host of a custom domain. */
export function hostIssues(name: string, path: string): Issue[] {
  return isHost(name) ? [] : [{ path, message: 'must be a domain such as "chat.example.com", without a path' }];
}

/** Returns the host of a custom domain in lower case. */
export function hostOfDomain(customDomain: string): string {
  return (customDomain.split("/", 1)[0] ?? "").toLowerCase();
}

function isHost(name: string): boolean {
  if (name.length > limits.fields.hostCharacters) return false;
  const isDomain = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(name);
  return isDomain && name.split(".").every((label) => label.length <= limits.fields.hostLabelCharacters);
}

/** Creates a public id that is most likely free: 7 random characters, usually after the name in kebab-case. */
export function newPublicId(name: string): string {
  const suffix = newId().slice(-7);
  const kebab = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, limits.fields.publicIdCharacters - suffix.length - 1)
    .replaceAll(/^-+|-+$/g, "");
  return kebab === "" ? suffix : `${kebab}-${suffix}`;
}
