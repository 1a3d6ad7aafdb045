/** A queue of tasks. Each task has an owner. */
export type Line = { run<T>(owner: string, task: () => Promise<T>): Promise<T> };

/** Grants turns in a queue to the processes of a node. */
export type Leases<Holder> = {
  acquire(holder: Holder, wanted: Wanted, answer: (verdict: "granted" | "refused") => void): void;
  release(holder: Holder, id: number): void;
  /** Releases every lease that a process holds or waits for. */
  gone(holder: Holder): void;
};

type Wanted = { readonly id: number; readonly owner: string };

/**
 * Creates leases on a queue. A lease waits in the queue and is granted in its turn, or refused by the queue. It ends
 * when its holder releases it or the holder's process ends.
 */
export function createLeases<Holder>(line: Line): Leases<Holder> {
  const open = new Map<Holder, Map<number, () => void>>();
  return {
    acquire(holder, { id, owner }, answer) {
      const over = Promise.withResolvers<void>();
      const held = open.get(holder) ?? new Map<number, () => void>();
      open.set(holder, held.set(id, over.resolve));
      const grant = async (): Promise<void> => {
        answer("granted");
        await over.promise;
      };
      line.run(owner, grant).catch(() => {
        held.delete(id);
        answer("refused");
      });
    },
    release(holder, id) {
      const held = open.get(holder);
      held?.get(id)?.();
      held?.delete(id);
    },
    gone(holder) {
      for (const end of open.get(holder)?.values() ?? []) end();
      open.delete(holder);
    },
  };
}
