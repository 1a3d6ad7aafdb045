import { version } from "../../package.json";
import type { Dependencies } from "../dependencies.ts";
import { limits } from "../limits.ts";
import { hasAnybodySignedIn } from "../store/sign-ins.ts";
import { builderPlace, portAddress } from "./builder-place.ts";

/** By what people can sign in, the likeliest first. */
export const waysToSignIn = ["email", "link", "token"] as const;

const megabyte = 1024 * 1024;

/** What this instance is, as anybody may know it: where it is, and what a page of ours needs before somebody signs in. */
export async function viewInstance(deps: Dependencies, requestOrigin: string) {
  const { config, sql } = deps;
  const { editing } = limits;
  const hasMail = config.SMTP_URL !== undefined;
  const api = config.PUBLIC_URL?.replace(/\/$/, "") ?? requestOrigin;
  return {
    version,
    addresses: {
      api: `${api}/api/v1`,
      app: appAddress(deps, requestOrigin),
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

/** Where the builder is, as whoever asks reaches this machine. */
function appAddress({ config, ports }: Dependencies, requestOrigin: string): string | null {
  const { address } = builderPlace(config);
  if (address !== undefined) return `${address}/app`;
  const { hostname } = new URL(requestOrigin);
  return ports.app === undefined ? null : `${portAddress(config, { hostname, port: ports.app })}/app`;
}
