import { version } from "../../../package.json";
import { limits } from "../../limits/index.ts";
import { builderPlace, portAddress } from "../access/builder-place.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { hasAnybodySignedIn } from "../access/sign-ins.sql.ts";

/** The available ways to sign in, the likeliest first. */
export const waysToSignIn = ["email", "link", "token"] as const;

const megabyte = 1024 * 1024;

type Asked = {
  readonly requestOrigin: string;
  /** Whether the request came without a proxy: then our other port has the same host name. */
  readonly isDirect: boolean;
};

/** The public facts about this instance: its addresses, and the facts that our pages need before a user signs in. */
export async function viewInstance(deps: ManagementDependencies, asked: Asked) {
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

/** The address of the builder, under the host name that the request used. */
function appAddress({ config, ports }: ManagementDependencies, { requestOrigin, isDirect }: Asked): string | null {
  const { address } = builderPlace(config);
  if (address !== undefined) return `${address}/app`;
  if (ports.app === undefined) return null;
  const { hostname } = new URL(requestOrigin);
  const found = portAddress(config, { hostname, port: ports.app, isDirect });
  return found.startsWith("//") ? null : `${found}/app`;
}
