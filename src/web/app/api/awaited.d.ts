type Nothing = { path: undefined; query: undefined; body: undefined };
type SignedIn = { user: { id: string; name: string; email: string | null }; isNew: boolean };

/** Operations that the builder calls and that the service is about to have. */
export interface AwaitedOperations {
  "GET /api/v1/instance": Nothing & {
    answer: {
      instance: {
        version: string;
        addresses: { api: string; app: string | null; chat: string };
        signIn: { methods: Array<"link" | "token" | "email">; isFresh: boolean; signUp: "open" | "invitation" };
        has: { mail: boolean; storage: boolean; encryption: boolean };
        bounds: { uploadMegabytes: number; importMegabytes: number };
      };
    };
  };
  "POST /api/v1/sign-in/token": { path: undefined; query: undefined; body: { token: string }; answer: SignedIn };
  "POST /api/v1/sign-in/link": { path: undefined; query: undefined; body: { secret: string }; answer: SignedIn };
  "POST /api/v1/sign-in/email": {
    path: undefined;
    query: undefined;
    body: { email: string };
    answer: { codeMinutes: number };
  };
  "POST /api/v1/sign-in/email-code": {
    path: undefined;
    query: undefined;
    body: { email: string; code: string };
    answer: SignedIn;
  };
  "POST /api/v1/sign-out": Nothing & { answer: unknown };
  "GET /api/v1/users/me/sign-ins": {
    path: undefined;
    query: { limit?: number; cursor?: string | undefined };
    body: undefined;
    answer: {
      signIns: Array<{
        id: string;
        method: string;
        browser: string;
        tokenName: string | null;
        isCurrent: boolean;
        createdAt: string;
        lastUsedAt: string;
      }>;
      nextCursor?: string | undefined;
    };
  };
  "DELETE /api/v1/users/me/sign-ins/:signInId": {
    path: { signInId: string };
    query: undefined;
    body: undefined;
    answer: unknown;
  };
}
