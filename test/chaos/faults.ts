import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mailer } from "../../src/effects/mail/email.ts";
import type { Dependencies } from "../../src/service/dependencies.ts";

/** The points at which a node can kill itself without cleaning up. */
export const faultPoints = [
  "before the save",
  "during the save",
  "after the save",
  "before an effect",
  "after an effect",
  "after a delivery",
] as const;

export type FaultPoint = (typeof faultPoints)[number];

/** A planned death: the process dies when it reaches the point for the `passing`th time. */
export type Fault = { readonly point: FaultPoint; readonly passing: number };

/** The environment variable that passes the folder of the waiting faults to a node's processes. */
export const faultsVariable = "PARLEY_TEST_FAULTS";

/**
 * Stores faults as files in a folder. Each fault is used once: `planned` until a starting process reserves it, then
 * `taken`, and `died` just before the fault kills that process. A fault is planned again if its process died of another
 * cause.
 */
export function openFaults(folder: string) {
  const states = ["planned", "taken", "died"] as const;
  type State = (typeof states)[number];
  type Entry = Fault & { readonly state: State; readonly index: string; readonly pid: number };
  const nameOf = ({ state, index, point, passing, pid }: Entry): string =>
    [state, index, point, passing, pid].join("@");
  const list = (state: State): Entry[] =>
    readdirSync(folder)
      .toSorted()
      .flatMap((name) => {
        const [found, index = "", pointName, passing = "", pid = ""] = name.split("@");
        const point = faultPoints.find((known) => known === pointName);
        return found === state && point ? [{ state, index, point, passing: Number(passing), pid: Number(pid) }] : [];
      });
  /** Returns the moved entry, or undefined if another process moved it first. */
  const move = (entry: Entry, change: Partial<Entry>): Entry | undefined => {
    const moved = { ...entry, ...change };
    try {
      renameSync(join(folder, nameOf(entry)), join(folder, nameOf(moved)));
      return moved;
    } catch {
      return undefined;
    }
  };
  const told = new Set<string>();
  return {
    plan(faults: readonly Fault[]): void {
      for (const [index, fault] of faults.entries()) {
        const entry = { ...fault, state: "planned", index: String(index).padStart(4, "0"), pid: 0 } as const;
        writeFileSync(join(folder, nameOf(entry)), "");
      }
    },
    /** Reserves the next possible fault for this process, if there is one. `die` ends the process. */
    take(mayHappen: (point: FaultPoint) => boolean): (Fault & { die(): void }) | undefined {
      for (const planned of list("planned")) {
        if (!mayHappen(planned.point)) continue;
        const taken = move(planned, { state: "taken", pid: process.pid });
        if (!taken) continue;
        const die = (): void => {
          move(taken, { state: "died" });
          process.kill(process.pid, "SIGKILL");
        };
        return { point: taken.point, passing: taken.passing, die };
      }
      return undefined;
    },
    /**
     * Returns the points at which processes have died since the last call. Faults of processes that died of another
     * cause are planned again.
     */
    collect(isAlive: (pid: number) => boolean): FaultPoint[] {
      for (const taken of list("taken")) if (!isAlive(taken.pid)) move(taken, { state: "planned", pid: 0 });
      const fresh = list("died").filter(({ index }) => !told.has(index));
      for (const { index } of fresh) told.add(index);
      return fresh.map(({ point }) => point);
    },
  };
}

/**
 * Returns parts of a node that kill the process at the point of the fault. Without a fault, the parts behave as usual.
 */
export function withFault(fault: (Fault & { die(): void }) | undefined) {
  let passed = 0;
  const pass = (point: FaultPoint): void => {
    if (point !== fault?.point) return;
    passed++;
    if (passed >= fault.passing) fault.die();
  };
  /** Passes the point a millisecond later, when the statement has been sent but its response has not arrived. */
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
