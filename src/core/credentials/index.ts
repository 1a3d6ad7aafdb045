import { anthropic } from "./anthropic.ts";
import { deepseek } from "./deepseek.ts";
import { groq } from "./groq.ts";
import type { CredentialsKind } from "./kind.ts";
import { mistral } from "./mistral.ts";
import { openRouter } from "./open-router.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { smtp } from "./smtp.ts";
import { togetherAi } from "./together-ai.ts";

/** Every kind of credentials. */
const kinds: readonly CredentialsKind[] = [
  openai,
  anthropic,
  mistral,
  groq,
  deepseek,
  perplexity,
  openRouter,
  togetherAi,
  smtp,
];

/** Every kind of credentials, by its type. */
export const credentialsKinds: ReadonlyMap<string, CredentialsKind> = new Map(kinds.map((kind) => [kind.type, kind]));
