import { type Answer, isRecord } from "../../api/index.ts";
import type { WorkspaceWords } from "../../words/workspace.ts";

export type Credential = Answer<"GET /api/v1/workspaces/:workspaceId/credentials">["credentials"][number];
export type CredentialType = Credential["type"];

const providers: Readonly<Partial<Record<CredentialType, string>>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  mistral: "Mistral",
  groq: "Groq",
  deepseek: "DeepSeek",
  perplexity: "Perplexity",
  "open-router": "OpenRouter",
  "together-ai": "Together AI",
};

/** Those that may be another server which speaks the same language. */
const withAddress: ReadonlySet<CredentialType> = new Set(["openai", "groq", "deepseek", "perplexity"]);

export const credentialTypes: readonly CredentialType[] = [
  "openai",
  "anthropic",
  "mistral",
  "groq",
  "deepseek",
  "perplexity",
  "open-router",
  "together-ai",
  "smtp",
];

export function serviceName(type: CredentialType, words: WorkspaceWords): string {
  return type === "smtp" ? words.mailServer : (providers[type] ?? type);
}

export function takesAddress(type: CredentialType): boolean {
  return withAddress.has(type);
}

/** The texts of the fields, by their names in a refusal. A secret is the typed one: a stored one is never sent back. */
export const emptyTexts = {
  ...{ name: "", apiKey: "", baseUrl: "", host: "", port: "587" },
  ...{ username: "", password: "", email: "", fromName: "" },
};

type Texts = Readonly<typeof emptyTexts>;

/** The members of credentials, as far as the service returns them. */
export function textsOf(name: string, data: Readonly<Record<string, unknown>>): Texts {
  const from = isRecord(data["from"]) ? data["from"] : {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    ...emptyTexts,
    name,
    baseUrl: text(data["baseUrl"]),
    host: text(data["host"]),
    port: typeof data["port"] === "number" ? String(data["port"]) : "",
    username: text(data["username"]),
    email: text(from["email"]),
    fromName: text(from["name"]),
  };
}

/** How a secret that is kept ends, where the service says so. */
export function endOf(secret: unknown): string {
  const ends = isRecord(secret) ? secret["ends"] : undefined;
  return typeof ends === "string" ? ends : "";
}

/** The members as the service accepts them. An emptied one is removed; a secret that was left empty stays. */
export function dataOf(type: CredentialType, draft: Texts & { readonly isTlsEnabled: boolean }, isNew: boolean) {
  const gone = isNew ? undefined : null;
  const optional = (text: string) => (text.trim() === "" ? gone : text.trim());
  if (type !== "smtp") {
    return {
      ...(draft.apiKey !== "" && { apiKey: draft.apiKey.trim() }),
      ...(takesAddress(type) && { baseUrl: optional(draft.baseUrl) }),
    };
  }
  const name = draft.fromName.trim();
  return {
    host: draft.host.trim(),
    port: Number(draft.port),
    isTlsEnabled: draft.isTlsEnabled,
    username: optional(draft.username),
    ...(draft.password !== "" && { password: draft.password }),
    from: { email: draft.email.trim(), ...(name !== "" && { name }) },
  };
}

/** The required fields, by name in the body. */
export function requiredOf(type: CredentialType, texts: Texts, isNew: boolean): Readonly<Record<string, string>> {
  const { name, apiKey, host, port, email } = texts;
  if (type === "smtp") return { name, host, port, email };
  return isNew ? { name, apiKey } : { name };
}
