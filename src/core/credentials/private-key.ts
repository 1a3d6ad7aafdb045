import type { CredentialsData } from "./kind.ts";

/**
 * Normalises the private key of a service account. People paste Google's JSON file (which also sets `clientEmail`), its
 * `private_key` with `\n` in place of line breaks, or text whose line breaks an input field has removed.
 */
export function tidyPrivateKey(data: CredentialsData): CredentialsData {
  const { privateKey } = data;
  if (typeof privateKey !== "string") return data;
  const file = readFile(privateKey);
  return { ...data, ...(file && { clientEmail: file.clientEmail }), privateKey: pemOf(file?.privateKey ?? privateKey) };
}

function readFile(text: string): { readonly clientEmail: string; readonly privateKey: string } | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  const file: unknown = parsed(text);
  if (typeof file !== "object" || file === null || !("private_key" in file) || !("client_email" in file)) {
    return undefined;
  }
  const { private_key: privateKey, client_email: clientEmail } = file;
  return typeof privateKey === "string" && typeof clientEmail === "string" ? { clientEmail, privateKey } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pemOf(text: string): string {
  const found = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(
    text.replaceAll("\\n", "\n"),
  );
  const content = found?.[1]?.replaceAll(/\s/g, "");
  if (!content) return text;
  const lines = content.match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}
