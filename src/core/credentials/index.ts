import type { CredentialsKind } from "./kind.ts";
import { providers } from "./providers.ts";
import { smtp } from "./smtp.ts";

/** Every kind of credentials, by its type. */
export const credentialsKinds: ReadonlyMap<string, CredentialsKind> = new Map(
  [...providers, smtp].map((kind) => [kind.type, kind]),
);
