/** A message as a phone shows it. */
export type ShownMessage = {
  readonly chat: string;
  readonly method: string;
  readonly id: string;
  /** The text or caption of the message, or the name or URL of its file. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** A planned response of the fake. The first entry that matches a call is used, once or `times` times. */
export type Script = {
  /** The method of the call. Defaults to any method. */
  readonly method?: string;
  readonly chat?: string;
  /** The number of matching calls that are accepted first. */
  readonly skip?: number;
  readonly times?: number;
  readonly act:
    | {
        readonly kind: "answer";
        readonly status: number;
        readonly body: unknown;
        readonly headers?: Record<string, string>;
      }
    /** Accepts the call, and responds once this promise has resolved. */
    | { readonly kind: "slow"; readonly until: Promise<void> }
    /** Accepts the call, and closes the connection instead of responding. */
    | { readonly kind: "drop" }
    /** Closes the connection without accepting the call. */
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
