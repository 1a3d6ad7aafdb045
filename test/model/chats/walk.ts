import { withEdition } from "./compile.ts";
import { scripts } from "./flows.ts";
import {
  blockIdOf,
  firstScene,
  type Part,
  type Place,
  partAt,
  type Script,
  type Timed,
  timedOf,
  type Variable,
} from "./scripts.ts";

/** The placeholder for every callback address, because only the service can create addresses. */
export const anyAddress = "⟨address⟩";

export type Variables = Partial<Record<Variable, string>>;

/** A running flow, with the edition of its texts. */
type Frame = {
  readonly flow: string;
  edition: number;
  variables: Variables;
  /** The index in `children` of a linked flow with a separate result. */
  readonly child?: number;
  readonly isMerging: boolean;
  /** The block at which the linking flow continues. */
  readonly back?: Place;
};

export type ModelAnswer = { readonly content: string; readonly blockId: string };

/** The result of a linked flow that is not merged. */
export type Child = { readonly flow: string; answers: ModelAnswer[]; variables: Variables; isCompleted: boolean };

/** The state that going back restores. The last frame is the innermost. */
export type State = {
  frames: Frame[];
  /** The waiting part of the innermost flow, or null if the chat has ended. */
  at: Place | null;
  answers: ModelAnswer[];
  children: Child[];
  /** Changes of variables that are not yet recorded in the chat's own result, in order. */
  changes: Change[];
};

/**
 * A change of a variable to a value. `takenBack` marks a change by going back, with the value that the variable had
 * before.
 */
export type Change = {
  readonly name: Variable;
  readonly value: string | undefined;
  readonly takenBack?: { readonly had: string | undefined };
};

/**
 * The influences from outside on a walk: the editions of flows, the responses of servers, and whether payments are
 * refused.
 */
export type Outside = {
  editionOf(flow: string): number;
  /** Returns the server's response to a note. */
  fetched(note: string): string;
  /** Returns the language model's answer to a note. */
  said(note: string): string;
  /** Whether payments cannot be prepared now. */
  isPaymentRefused: boolean;
};

/** The texts and effects of a step. */
export type Walked = { readonly said: string[]; calls: number; models: number; paymentsRefused: number };

export function newState(flow: string, edition: number, variables: Variables): State {
  const frames = [{ flow, edition, variables, isMerging: false }];
  return { frames, at: { scene: firstScene(scriptOf(flow)), index: 0 }, answers: [], children: [], changes: [] };
}

export function scriptOf(flow: string): Script {
  const script = scripts.get(flow);
  if (!script) throw new Error(`There is no flow "${flow}"`);
  return script;
}

export function innermost({ frames }: State): Frame {
  const frame = frames.at(-1);
  if (!frame) throw new Error("A chat runs no flow");
  return frame;
}

/**
 * Sets a variable of the innermost flow. Merged flows also write into the chat's own result, even if the value stays
 * the same.
 */
export function setVariable(state: State, name: Variable, value: string): void {
  innermost(state).variables[name] = value;
  if (state.frames.slice(1).every(({ isMerging }) => isMerging)) state.changes.push({ name, value });
}

export function waitingPart(state: State): Part | undefined {
  return state.at ? partAt(scriptOf(innermost(state).flow), state.at) : undefined;
}

export function waitingBlock(state: State): string | undefined {
  return state.at ? blockIdOf(state.at) : undefined;
}

export function timeOf(state: State): Timed | undefined {
  const part = waitingPart(state);
  return part && "wait" in part ? { seconds: part.wait, late: "" } : timedOf(part);
}

export function filled(text: string, { variables }: Pick<Frame, "variables">): string {
  return text.replace(
    /\{\{(\w+)\}\}/g,
    (_, name) => Object.entries(variables).find(([each]) => each === name)?.[1] ?? "",
  );
}

/**
 * Returns the position after the waiting part: the next part of its scene, otherwise the start of the next scene.
 * Returns undefined if there is neither.
 */
export function behind(state: State): Place | undefined {
  const { at } = state;
  if (!at) return undefined;
  const scene = scriptOf(innermost(state).flow).scenes[at.scene];
  if (at.index + 1 < (scene?.parts.length ?? 0)) return { scene: at.scene, index: at.index + 1 };
  return scene?.next === undefined ? undefined : beginning(scene.next);
}

export function beginning(scene: string): Place {
  return { scene, index: 0 };
}

/** Walks from a position until a part waits, or the chat ends. `resume` is the position to which a command returns. */
export function walk(state: State, from: Place | undefined, outside: Outside, resume?: Place): Walked {
  const walked: Walked = { said: [], calls: 0, models: 0, paymentsRefused: 0 };
  let interrupted = resume;
  for (let place = from; ; ) {
    if (place === undefined && interrupted) {
      place = interrupted;
      interrupted = undefined;
    }
    if (place === undefined && state.frames.length > 1) place = leave(state);
    state.at = place ?? null;
    if (!place) {
      if (state.frames.length > 1) continue;
      return walked;
    }
    if (run(state, walked, outside) === "waits") return walked;
    place = state.at ? (nextOf.get(state) ?? behind(state)) : undefined;
    nextOf.delete(state);
  }
}

/** The target of a part that does not continue with the next part. */
const nextOf = new WeakMap<State, Place>();

function run(state: State, walked: Walked, outside: Outside): "waits" | "goes on" {
  const frame = innermost(state);
  const part = waitingPart(state);
  if (!part) return "goes on";
  if ("say" in part) walked.said.push(filled(withEdition(part.say, frame.edition), frame));
  else if ("set" in part) setVariable(state, part.set, part.to);
  else if ("fetch" in part) {
    setVariable(state, part.fetch, outside.fetched(frame.variables.Note ?? ""));
    walked.calls++;
  } else if ("model" in part) {
    setVariable(state, part.model, outside.said(frame.variables.Note ?? ""));
    walked.models++;
  } else if ("address" in part) setVariable(state, part.address, anyAddress);
  else if ("link" in part) enter(state, part, outside);
  else if ("pay" in part && outside.isPaymentRefused) {
    walked.said.push(unavailable(Number(filled(part.pay, frame))));
    walked.paymentsRefused++;
    nextOf.set(state, beginning(part.else));
  } else return "waits";
  return "goes on";
}

function enter(state: State, { link, isMerging }: Extract<Part, { link: string }>, { editionOf }: Outside): void {
  const parent = innermost(state);
  const back = behind(state);
  const variables = { ...parent.variables };
  const child = isMerging
    ? {}
    : { child: state.children.push({ flow: link, answers: [], variables, isCompleted: false }) - 1 };
  state.frames.push({ flow: link, edition: editionOf(link), variables, isMerging, ...child, ...(back && { back }) });
  nextOf.set(state, beginning(firstScene(scriptOf(link))));
}

/** Ends the innermost flow. Returns the position at which the linking flow continues. */
function leave(state: State): Place | undefined {
  const ended = innermost(state);
  state.frames.pop();
  const parent = innermost(state);
  if (ended.isMerging) Object.assign(parent.variables, ended.variables);
  const child = ended.child === undefined ? undefined : state.children[ended.child];
  if (child) child.isCompleted = true;
  return ended.back;
}

/** Formats euros as the pages do. */
export function euros(amount: number): string {
  return `${amount.toLocaleString("de-DE", { minimumFractionDigits: 2 })}\u00a0€`;
}

export function unavailable(amount: number): string {
  return `A payment of ${euros(amount)} is due here, which is not possible in this chat. Please ask the person who sent you here how to pay.`;
}
