import type { Dependencies } from "../../src/dependencies.ts";
import type { Mailer } from "../../src/effects/email.ts";

/** Where a node can be told to die, by its own hand and without a last word. */
export const faultPoints = [
  "before the save",
  "during the save",
  "after the save",
  "before an effect",
  "after an effect",
  "after a delivery",
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** Die at the point when it is passed for this time. */
export type Fault = { readonly point: FaultPoint; readonly passing: number };

/** Names the fault to a node's process: `before the save@37`. */
export const faultVariable = "PARLEY_TEST_FAULT";

export function faultText({ point, passing }: Fault): string {
  return `${point}@${passing}`;
}

export function readFault(text: string | undefined): Fault | undefined {
  if (text === undefined) return undefined;
  const [name = "", passing = ""] = text.split("@");
  const point = faultPoints.find((known) => known === name);
  if (point === undefined || !/^\d+$/.test(passing)) throw new Error(`${text} is no fault`);
  return { point, passing: Number(passing) };
}

/** Parts of a node that die where the fault says; without a fault they are as they were. */
export function withFault(fault: Fault | undefined) {
  let passed = 0;
  const pass = (point: FaultPoint): void => {
    if (point !== fault?.point) return;
    passed++;
    if (passed >= fault.passing) process.kill(process.pid, "SIGKILL");
  };
  /** The statement is on its way to the database, its answer not here yet. */
  const passSoon = (point: FaultPoint): void => void setTimeout(pass, 1, point);

  const save =
    <Row>(inner: (row: Row) => Promise<boolean>) =>
    async (row: Row): Promise<boolean> => {
      pass("before the save");
      const saving = inner(row);
      passSoon("during the save");
      const isSaved = await saving;
      pass("after the save");
      return isSaved;
    };
  return {
    dependencies: (deps: Dependencies): Dependencies => ({
      ...deps,
      saves: {
        ...deps.saves,
        steps: { ...deps.saves.steps, save: save(deps.saves.steps.save) },
        starts: { ...deps.saves.starts, save: save(deps.saves.starts.save) },
      },
      async safeFetch(request) {
        pass("before an effect");
        const answer = await deps.safeFetch(request);
        pass("after an effect");
        return answer;
      },
    }),
    mailer: (mailer: Mailer): Mailer => ({
      ...mailer,
      async send(mail, id) {
        const delivery = await mailer.send(mail, id);
        pass("after a delivery");
        return delivery;
      },
    }),
  };
}
