/**
 * Divides a limited number of concurrent calls among endpoints. An endpoint may start another call while it has fewer
 * than twice as many running calls as there are free calls. A single endpoint therefore gets two thirds of all calls,
 * many endpoints get about equal shares, and an endpoint without calls may use the last free call.
 */
export type CallBudget = {
  /**
   * Whether an endpoint with this many running calls may start another. If not, `onRoom` is called once when any call
   * has ended.
   */
  hasRoom(own: number, onRoom: () => void): boolean;
  /** Counts a call until the returned function is called. */
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
