/**
 * Parts the calls that may be under way at once between endpoints: one may begin another call while it has fewer than twice as many
 * under way as are free. So one alone gets two thirds of all, many get equal parts, and whoever comes next finds a free one.
 */
export type CallBudget = {
  /** Whether somebody with so many calls under way may begin another; if not, `onRoom` is called once when a call has ended. */
  hasRoom(own: number, onRoom: () => void): boolean;
  /** Counts a call until what this returns is called. */
  begin(): () => void;
};

export function createCallBudget(atOnce: number): CallBudget {
  const waiting = new Set<() => void>();
  let underWay = 0;
  return {
    hasRoom(own, onRoom) {
      const free = atOnce - underWay;
      if (own < 2 * free) return true;
      waiting.add(onRoom);
      return false;
    },
    begin() {
      underWay++;
      return () => {
        underWay--;
        const woken = [...waiting];
        waiting.clear();
        for (const onRoom of woken) onRoom();
      };
    },
  };
}
