/** The variables of the flows. Each flow has all of them. */
export const variables = ["Name", "Price", "Note", "Word", "Order", "Address"] as const;
export type Variable = (typeof variables)[number];

/** The timeout of a question, and the scene that follows without an answer. */
export type Timed = { readonly seconds: number; readonly late: string };

/** One block of a scene. In a text, `{{Name}}` is replaced by the value of the variable. */
export type Part =
  | { readonly say: string }
  | { readonly set: Variable; readonly to: string }
  /** Asks a question, and stores the answer in the variable. */
  | { readonly ask: "text" | "number"; readonly into: Variable; readonly timed?: Timed }
  /** Offers choices, each of which leads to a scene. */
  | { readonly choose: Readonly<Record<string, string>>; readonly timed?: Timed }
  /** Asks for a payment in euros. `else` is the scene that follows if the payment cannot be prepared. */
  | { readonly pay: string; readonly else: string; readonly timed?: Timed }
  /** Calls a fake server, and stores the response in the variable. */
  | { readonly fetch: Variable }
  /** Asks a language model to answer the note, and stores the answer. */
  | { readonly model: Variable }
  /** Stores the callback address of the block `hear` of this flow. */
  | { readonly address: Variable }
  /** Waits for a call, and stores its content in the variable. */
  | { readonly hear: Variable; readonly timed?: Timed }
  /** Continues by itself after this number of seconds. */
  | { readonly wait: number }
  /** Runs another flow, and returns. */
  | { readonly link: string; readonly isMerging: boolean };

/** Consecutive parts, and the scene after them. Without a next scene, the flow ends. */
export type Scene = { readonly parts: readonly Part[]; readonly next?: string };

/** A flow as this model describes it. The first scene is the start. */
export type Script = {
  readonly scenes: Readonly<Record<string, Scene>>;
  /** The scene to which each command leads. A command that `resumes` then returns to the question. */
  readonly commands?: Readonly<Record<string, { readonly to: string; readonly resumes: boolean }>>;
};

/** The position of a part in a flow. */
export type Place = { readonly scene: string; readonly index: number };

export function partAt(script: Script, { scene, index }: Place): Part | undefined {
  return script.scenes[scene]?.parts[index];
}

export function blockIdOf({ scene, index }: Place): string {
  return `${scene}-${index}`;
}

export function firstScene(script: Script): string {
  return Object.keys(script.scenes)[0] ?? "";
}

/** Returns the timeout of a waiting part, if it has one. */
export function timedOf(part: Part | undefined): Timed | undefined {
  return part && "timed" in part ? part.timed : undefined;
}
