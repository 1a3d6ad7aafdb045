import { createHash } from "node:crypto";
import { type Answer, type Asked, type FakeProvider, startFake } from "./kit.ts";

/** A client that people let use their accounts. */
export const googleClient = { id: "client-1.apps.googleusercontent.com", secret: "GOCSPX-planted-client-secret-7f3a" };

export type FakeGoogleAccounts = FakeProvider & {
  /** The person's act on Google's page, from now on. `again`: agrees without lasting access; `partly`: ticks no box. */
  person: "agrees" | "declines" | "again" | "partly";
  readonly email: string;
};

type Code = { readonly scope: string; readonly challenge: string; readonly redirectUri: string };

/**
 * Google's page of consent and its exchange of a code, as https://developers.google.com/identity/protocols/oauth2/web-server describes them:
 * PKCE is checked, a code holds once, and a refresh token comes with `access_type=offline` alone.
 */
export async function startFakeGoogleAccounts({ port = 0 } = {}): Promise<FakeGoogleAccounts> {
  const codes = new Map<string, Code>();
  let made = 0;
  const fake: FakeGoogleAccounts = {
    ...(await startFake({
      name: "google",
      port,
      answer(asked) {
        if (asked.path === "/o/oauth2/v2/auth") return agree(asked);
        return asked.path === "/token" ? exchange(new URLSearchParams(asked.text)) : { status: 404, text: "" };
      },
    })),
    person: "agrees",
    email: "ana@example.com",
  };

  function agree({ query }: Asked): Answer {
    const text = (name: string): string => query.get(name) ?? "";
    if (text("client_id") !== googleClient.id || text("response_type") !== "code") return refused("invalid_client");
    if (text("code_challenge_method") !== "S256" || text("code_challenge").length !== 43) {
      return refused("invalid_request");
    }
    const back = new URL(text("redirect_uri"));
    back.searchParams.set("state", text("state"));
    if (fake.person === "declines") back.searchParams.set("error", "access_denied");
    else {
      const code = `4/planted-code-${++made}`;
      const scope = fake.person === "partly" ? "openid email" : text("scope");
      codes.set(code, { scope, challenge: text("code_challenge"), redirectUri: text("redirect_uri") });
      back.searchParams.set("code", code);
    }
    return { status: 302, headers: { location: back.href } };
  }

  function exchange(form: URLSearchParams): Answer {
    const text = (name: string): string => form.get(name) ?? "";
    if (text("client_id") !== googleClient.id || text("client_secret") !== googleClient.secret) {
      return refused("invalid_client", `The client secret ${text("client_secret")} is wrong.`);
    }
    const code = codes.get(text("code"));
    codes.delete(text("code"));
    const challenge = createHash("sha256").update(text("code_verifier")).digest("base64url");
    if (!code || code.challenge !== challenge || code.redirectUri !== text("redirect_uri")) {
      return refused("invalid_grant", "Bad Request");
    }
    const claims = Buffer.from(JSON.stringify({ email: fake.email })).toString("base64url");
    return {
      json: {
        ...{ access_token: "ya29.planted-access", expires_in: 3_599, token_type: "Bearer", scope: code.scope },
        ...(fake.person !== "again" && { refresh_token: `1//planted-refresh-token-${made}-5c1d` }),
        id_token: `e30.${claims}.c2ln`,
      },
    };
  }
  return fake;
}

function refused(error: string, description = "Access blocked"): Answer {
  return { status: 400, json: { error, error_description: description } };
}
