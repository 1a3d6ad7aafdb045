import type { Bot, Run } from "../run.ts";

/** Something that a person, a pipeline or the operator does. */
export type Act = {
  readonly name: string;
  /** Its meaning, as a sentence. */
  readonly means: string;
  /** How often it is drawn, beside others. */
  readonly often: number;
  /** Whether it can be done now. */
  readonly when: (run: Run, bot: Bot, pick: number) => boolean;
  /** Does it, and lets the model do the same. All bots are held to the model afterwards. */
  readonly run: (run: Run, bot: Bot, pick: number) => Promise<void>;
};

/** Whether people may change a bot now. */
export function isOpen({ suspended }: Run, { place, workspace }: Bot): boolean {
  return place === "there" && !suspended.has(workspace);
}
