/** A message as a phone shows it. */
export type ShownMessage = {
  readonly chat: string;
  readonly method: string;
  readonly id: string;
  /** Its text, including the text below a picture. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/**
 * How the fake answers a call instead of accepting it. The first entry that matches a call is used, once unless `times`
 * says more.
 */
export type Script = {
  /** By default any call. */
  readonly method?: string;
  readonly chat?: string;
  /** The number of calls that pass first. */
  readonly skip?: number;
  readonly times?: number;
  readonly act:
    | {
        readonly kind: "answer";
        readonly status: number;
        readonly body: unknown;
        readonly headers?: Record<string, string>;
      }
    /** Accepts the call, and answers when this promise has resolved. */
    | { readonly kind: "slow"; readonly until: Promise<void> }
    /** Accepts the call, and drops the connection instead of answering. */
    | { readonly kind: "drop" }
    /** Drops the connection before reading the call. */
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
