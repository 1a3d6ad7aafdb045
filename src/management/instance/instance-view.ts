import { version } from "../../../package.json";
import { limits } from "../../limits/index.ts";
import { type AskedAt, appAddress } from "../access/app-address.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { hasAnybodySignedIn } from "../access/sign-ins.sql.ts";

/** The methods of signing in, the most likely method first. */
export const waysToSignIn = ["email", "link", "token"] as const;

const megabyte = 1024 * 1024;

/**
 * Returns the public data of this instance: its addresses, and the settings that our pages need before a user signs in.
 */
export async function viewInstance(deps: ManagementDependencies, asked: AskedAt) {
  const { requestOrigin } = asked;
  const { config, sql } = deps;
  const { editing } = limits;
  const hasMail = config.SMTP_URL !== undefined;
  const api = config.PUBLIC_URL?.replace(/\/$/, "") ?? requestOrigin;
  return {
    version,
    addresses: {
      api: `${api}/api/v1`,
      app: appAddress(deps, asked),
      chat: config.CHAT_URL?.replace(/\/$/, "") ?? api,
    },
    signIn: {
      methods: waysToSignIn.filter((way) => way !== "email" || hasMail),
      isFresh: !(await hasAnybodySignedIn(sql)),
      signUp: config.SIGN_UP,
    },
    has: { mail: hasMail, storage: true, encryption: config.ENCRYPTION_KEY !== undefined },
    bounds: {
      uploadMegabytes: config.UPLOAD_MAX_MB,
      importMegabytes: limits.request.managementBodyBytes / megabyte,
      preferencesBytes: limits.signIns.preferencesBytes,
      editorBytes: editing.editorBytes,
      changesPerSet: editing.changesPerSet,
      setBytes: editing.setBytes,
      setsPerRequest: editing.setsPerRequest,
    },
  };
}
