/** A message as a phone shows it. */
export type ShownMessage = {
  readonly chat: string;
  readonly method: string;
  readonly id: string;
  /** The words of it, also those below a picture. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * How the fake answers a call instead of taking it. The first that fits a call is used, once unless `times` says more.
 */
export type Script = {
  /** Absent: any call. */
  readonly method?: string;
  readonly chat?: string;
  /** Calls that it lets pass first. */
  readonly skip?: number;
  readonly times?: number;
  readonly act:
    | {
        readonly kind: "answer";
        readonly status: number;
        readonly body: unknown;
        readonly headers?: Record<string, string>;
      }
    /** Takes the call, and answers when this has resolved. */
    | { readonly kind: "slow"; readonly until: Promise<void> }
    /** Takes the call, and drops the connection instead of answering. */
    | { readonly kind: "drop" }
    /** Drops the connection before it has read the call. */
    | { readonly kind: "refuse" };
};

export type Scripts = {
  add(script: Script): void;
  take(call: { readonly method: string; readonly chat: string }): Script["act"] | undefined;
};

export function createScripts(): Scripts {
  const scripts: { script: Script; skip: number; left: number }[] = [];
  return {
    add: (script) => void scripts.push({ script, skip: script.skip ?? 0, left: script.times ?? 1 }),
    take(call) {
      for (const one of scripts) {
        const { method = call.method, chat = call.chat, act } = one.script;
        if (one.left === 0 || method !== call.method || chat !== call.chat) continue;
        if (one.skip > 0) {
          one.skip -= 1;
          continue;
        }
        one.left -= 1;
        return act;
      }
      return undefined;
    },
  };
}
