import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import type { Issue } from "./invalid-input.ts";

const reserved = new Set([
  "api",
  "admin",
  "docs",
  "metrics",
  "healthz",
  "embed.js",
  "favicon.ico",
  "robots.txt",
  "sitemap.xml",
  "assets",
]);

/** Problems of a public id: a bot's page is at `/<publicId>`, beside our own addresses. */
export function publicIdIssues(publicId: string, path: string): Issue[] {
  if (!/^[A-Za-z0-9.-]+$/.test(publicId) || publicId.length > limits.fields.publicIdCharacters) {
    return [{ path, message: `must be 1 to ${limits.fields.publicIdCharacters} letters, digits, "-" and "."` }];
  }
  if (publicId.startsWith(".")) return [{ path, message: "must not begin with a dot" }];
  if (reserved.has(publicId.toLowerCase())) return [{ path, message: "must not be a reserved word" }];
  return [];
}

/** Problems of a custom domain, which is a host with a top-level domain of letters, and optionally a path. */
export function customDomainIssues(customDomain: string, path: string): Issue[] {
  const isDomain = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(\/[\w/-]*)?$/i.test(customDomain);
  if (isDomain && customDomain.length <= limits.fields.customDomainCharacters) return [];
  return [{ path, message: 'must be a domain such as "chat.example.com", with a path if need be' }];
}

/** A public id that is most likely free: the name in kebab-case and 7 random characters. */
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
