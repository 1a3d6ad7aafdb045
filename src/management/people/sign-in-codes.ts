import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { violatedConstraint } from "../../platform/database/violations.ts";
import { newId } from "../../platform/ids.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  type CodePurpose,
  type CodeRow,
  countCodeMail,
  findCode,
  putCode,
  useCode,
} from "../access/sign-in-codes.sql.ts";
import { type SignedIn, signIn, type Visitor } from "../access/sign-ins.ts";
import { findUserByEmail, insertUserOfAddress } from "./users.sql.ts";

/** The number of minutes for which a mailed code is valid. */
export type MailedCode = { readonly codeMinutes: number };

/**
 * Mails a sign-in code to the user with the address. Neither the response nor its duration reveals whether there is
 * such a user: the same statement runs in any case, and the mail is sent after the response. If `SIGN_UP` is `open`,
 * unknown addresses also get a code. An address that has reached the daily limit gets no new code, and its last code
 * remains valid. The response does not reveal this, because the caller may be a stranger.
 */
export async function mailSignInCode(deps: ManagementDependencies, email: string): Promise<MailedCode> {
  requireMail(deps);
  const sent = { codeMinutes: limits.signIns.codeMinutes };
  if (!(await countCodeMail(deps.sql, email))) return sent;
  const { code, userId, known } = await makeCode(deps, { kind: "email", email });
  // The mail goes to the stored address, not to the entered address, because the database may treat two similar
  // addresses as equal.
  if (userId !== null && known !== null) mailLater(deps, known, code);
  else if (deps.config.SIGN_UP === "open") mailLater(deps, email, code);
  return sent;
}

/**
 * Signs in with a mailed code. Creates the user of a new address if `SIGN_UP` is `open`. Throws `sign_in.code_invalid`.
 */
export async function signInByCode(
  deps: ManagementDependencies,
  { email, code }: { email: string; code: string },
  visitor: Visitor,
): Promise<SignedIn> {
  requireMail(deps);
  await visitor.countFor(email.toLowerCase());
  const proved = await proveCode(deps, { kind: "email", email }, code);
  const userId = proved.userId ?? (await makeUserOf(deps, proved.email));
  const signedIn = userId && (await signIn(deps, userId, { browser: visitor.browser, method: "email" }));
  if (!signedIn) throw new AppError("sign_in.code_invalid");
  return signedIn;
}

/**
 * Mails a code to a user's new address, unless the address has reached the daily limit. The code proves that the user
 * can read mails at this address.
 */
export async function mailAddressCode(
  deps: ManagementDependencies,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  requireMail(deps);
  if (!(await countCodeMail(deps.sql, email))) return;
  const { code } = await makeCode(deps, { kind: "address", email, userId });
  mailLater(deps, email, code);
}

/**
 * Deletes a mailed code with this purpose, and returns the address to which it was mailed. Throws
 * `sign_in.code_invalid` for any other code.
 */
export async function proveCode(
  deps: ManagementDependencies,
  purpose: CodePurpose,
  code: string,
): Promise<Pick<CodeRow, "userId" | "email">> {
  const found = await findCode(deps.sql, purpose);
  if (!found || !timingSafeEqual(found.hash, hashOf(deps, { id: found.id, code: code.replaceAll(/\s/g, "") }))) {
    throw new AppError("sign_in.code_invalid");
  }
  if (!(await useCode(deps.sql, found.id))) throw new AppError("sign_in.code_invalid");
  return found;
}

function requireMail({ config }: ManagementDependencies): void {
  if (config.SMTP_URL === undefined) throw new AppError("sign_in.no_mail");
}

async function makeCode(deps: ManagementDependencies, purpose: CodePurpose) {
  const id = newId();
  const code = randomInt(10 ** digits)
    .toString()
    .padStart(digits, "0");
  const { userId, email: known } = await putCode(deps.sql, { id, hash: hashOf(deps, { id, code }), purpose });
  return { code, userId, known };
}

const digits = 6;

/**
 * The hash includes the operator's key, if there is one, so that a copy of the database is not sufficient to try all of
 * the million codes.
 */
function hashOf({ config }: ManagementDependencies, { id, code }: { id: string; code: string }): Buffer {
  return createHmac("sha256", config.ENCRYPTION_KEY ?? "")
    .update(`${id} ${code}`)
    .digest();
}

function mailLater(deps: ManagementDependencies, email: string, code: string): void {
  const at = deps.config.PUBLIC_URL?.replace(/\/$/, "") ?? "";
  const text = `${code} is your code${at && ` for ${at}`}.

It works once, within ${limits.signIns.codeMinutes} minutes. Keep it secret: anyone who has it can sign in as you.

If you did not request this code, you can ignore this e-mail.`;
  const mail = { to: [email], cc: [], bcc: [], subject: `Your code: ${code}`, body: { text } };
  setImmediate(async () => {
    const delivery = await deps.mailer.send(mail, newId());
    if (delivery.kind === "failed") deps.log.warn("A code could not be mailed", { reason: delivery.reason });
  });
}

/**
 * Returns the id of the user with an address, and creates the user if necessary. Returns undefined if only invited
 * people may sign up.
 */
async function makeUserOf(deps: ManagementDependencies, email: string): Promise<string | undefined> {
  if (deps.config.SIGN_UP !== "open") return undefined;
  try {
    return await insertUserOfAddress(deps.sql, { id: newId(), name: email.split("@", 1)[0] ?? email, email });
  } catch (error) {
    if (violatedConstraint(error) !== "users_email") throw error;
    // Either another request created the user first, or the user is deactivated and cannot sign in.
    return (await findUserByEmail(deps.sql, email))?.id;
  }
}
