import type { Bot, Run } from "../run.ts";

/** An act of a person, a pipeline or the operator. */
export type Act = {
  readonly name: string;
  /** The description of the act, as a sentence. */
  readonly means: string;
  /** The weight with which the act is drawn. */
  readonly often: number;
  /** Whether the act is possible now. */
  readonly when: (run: Run, bot: Bot, pick: number) => boolean;
  /** Runs the act in the service and in the model. Afterwards, all bots are compared with the model. */
  readonly run: (run: Run, bot: Bot, pick: number) => Promise<void>;
};

/** Whether people may change a bot now. */
export function isOpen({ suspended }: Run, { place, workspace }: Bot): boolean {
  return place === "there" && !suspended.has(workspace);
}
