import { type Static, Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import {
  CodeInput,
  described,
  EmailInput,
  exampleId,
  Id,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import type { Admission } from "../../platform/rate-limits/rate-limits.ts";
import {
  endSignIn,
  listSignIns,
  type SignedIn,
  signInByLink,
  signInByToken,
  signInMethods,
  signOut,
  type Visitor,
} from "../access/sign-ins.ts";
import { needsNoToken, needsToken } from "../operations/authentication.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import type { SignInCookie } from "../operations/sign-in-cookie.ts";
import { browserName } from "./browser-name.ts";
import { mailSignInCode, signInByCode } from "./sign-in-codes.ts";

const SignInSchema = resource(
  "SignIn",
  {
    id: Id,
    method: oneOf(signInMethods, {
      description: "The sign-in method: a link, a token, a code by e-mail, or an invitation.",
    }),
    browser: Type.String({ description: "Short name of the browser." }),
    tokenName: described(
      nullable(Type.String()),
      "Name of the token that was used to sign in, and with which the sign-in ends; null for other methods.",
    ),
    isCurrent: Type.Boolean({ description: "Whether this sign-in sends the request." }),
    createdAt: Timestamp,
    lastUsedAt: described(Timestamp, "Time of the last use, to the hour."),
  },
  "A sign-in of a user in a browser.",
  { method: "link", browser: "Firefox on Linux", tokenName: null, isCurrent: true },
);

const SignedInSchema = Type.Object({
  user: Type.Object(
    { id: Id, name: Type.String(), email: nullable(Type.String()) },
    { description: "The signed-in user." },
  ),
  isNew: Type.Boolean({ description: "Whether this is the user's first sign-in." }),
});

const signedInExample: Static<typeof SignedInSchema> = {
  user: { id: exampleId, name: "Ada Lovelace", email: "ada@example.com" },
  isNew: false,
};

const operation = operationFor("Sign-in");

/**
 * The common fields of all operations that sign in. No response is stored for a key, because the cookie must exist only
 * in the browser.
 */
const signsIn = {
  act: "signIns",
  auth: needsNoToken,
  isKept: false,
  beforeBody: ({ cookie }: { cookie: SignInCookie | undefined }) => void requireCookie(cookie),
} as const;

const cookieWords =
  "The response sets a cookie, which replaces a token at the builder's address, for requests with the header `Parley-App: 1`.";

export const signInOperations: readonly Operation[] = [
  operation({
    ...signsIn,
    id: "signInByToken",
    route: "POST /api/v1/sign-in/token",
    description: `The sign-in has the rights of the token, and ends when the token ends. ${cookieWords}`,
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 1_000, description: "An API token." }) }),
    answer: SignedInSchema,
    answerExample: signedInExample,
    errors: ["sign_in.not_here", "token.invalid"],
    handle: async (deps, { body, cookie, ...visit }) =>
      signedIn(cookie, (visitor) => signInByToken(deps, body.token, visitor), visit),
  }),
  operation({
    ...signsIn,
    id: "signInByLink",
    route: "POST /api/v1/sign-in/link",
    description: `The first start of the service prints a link, and \`parley sign-in\` prints further links. Each link works once, within ${limits.signIns.linkMinutes} minutes. ${cookieWords}`,
    body: Type.Object({
      secret: Type.String({ minLength: 1, maxLength: 200, description: "The part of the link after `#`." }),
    }),
    answer: SignedInSchema,
    answerExample: { ...signedInExample, isNew: true },
    errors: ["sign_in.not_here", "sign_in.link_invalid"],
    handle: async (deps, { body, cookie, ...visit }) =>
      signedIn(cookie, (visitor) => signInByLink(deps, body.secret, visitor), visit),
  }),
  operation({
    ...signsIn,
    id: "mailSignInCode",
    route: "POST /api/v1/sign-in/email",
    act: "codes",
    isAudited: false,
    body: Type.Object({ email: EmailInput }),
    answer: Type.Object({
      codeMinutes: Type.Integer({ description: "Number of minutes for which the code is valid." }),
    }),
    answerExample: { codeMinutes: limits.signIns.codeMinutes },
    errors: ["sign_in.not_here", "sign_in.no_mail"],
    async handle(deps, { body, cookie, admission }) {
      requireCookie(cookie);
      // The limit also depends on the caller's address, so that requesting codes for another person uses the caller's
      // own limit.
      const asker = admission.address ?? admission.ownAddress() ?? "";
      await admission.admit("codes", { user: `${asker} ${body.email.toLowerCase()}` });
      return await mailSignInCode(deps, body.email);
    },
  }),
  operation({
    ...signsIn,
    id: "signInByCode",
    route: "POST /api/v1/sign-in/email-code",
    description: `A code works once, within ${limits.signIns.codeMinutes} minutes and ${limits.signIns.codeTries} attempts. If \`SIGN_UP\` is \`open\`, a code for a new address creates a user. ${cookieWords}`,
    body: Type.Object({ email: EmailInput, code: CodeInput }),
    answer: SignedInSchema,
    answerExample: signedInExample,
    errors: ["sign_in.not_here", "sign_in.no_mail", "sign_in.code_invalid"],
    handle: async (deps, { body, cookie, ...visit }) =>
      signedIn(cookie, (visitor) => signInByCode(deps, body, visitor), visit),
  }),
  operation({
    id: "signOut",
    route: "POST /api/v1/sign-out",
    auth: needsToken("read"),
    answer: Type.Object({ signIn: SignInSchema }),
    errors: ["sign_in.not_found"],
    async handle(deps, { caller, cookie }) {
      const signIn = await signOut(deps, caller);
      cookie?.drop();
      return { signIn };
    },
  }),
  operation({
    id: "listSignIns",
    route: "GET /api/v1/users/me/sign-ins",
    ...pageOf({ signIns: Type.Array(SignInSchema, { description: "The sign-ins of this page." }) }),
    handle: async (deps, { caller, query }) => listSignIns(deps, caller, query),
  }),
  operation({
    id: "endSignIn",
    route: "DELETE /api/v1/users/me/sign-ins/:signInId",
    answer: Type.Object({ signIn: SignInSchema }),
    answerExample: { signIn: { ...SignInSchema.example, isCurrent: false } },
    async handle(deps, { caller, params, cookie }) {
      const signIn = await endSignIn(deps, caller, params.signInId);
      if (signIn.isCurrent) cookie?.drop();
      return { signIn };
    },
  }),
];

/** Signs a user in, and stores the cookie in the browser that sent the request. */
async function signedIn(
  cookie: SignInCookie | undefined,
  signIn: (visitor: Visitor) => Promise<SignedIn>,
  visit: { readonly headers: Headers; readonly admission: Admission },
): Promise<Static<typeof SignedInSchema>> {
  const kept = requireCookie(cookie);
  const { secret, ...answer } = await signIn(visitorOf(visit));
  kept.keep(secret);
  return answer;
}

/** Returns the visitor who signs in, as described by the request. */
function visitorOf({ headers, admission }: { headers: Headers; admission: Admission }): Visitor {
  return {
    browser: browserName(headers.get("user-agent")),
    countFor: (account) => admission.admit("signIns", { user: account }),
  };
}

/** Throws `sign_in.not_here` if no cookie is valid for the request, such as a request from a page of another origin. */
function requireCookie(cookie: SignInCookie | undefined): SignInCookie {
  if (!cookie) throw new AppError("sign_in.not_here");
  return cookie;
}
