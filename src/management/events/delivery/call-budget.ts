/**
 * Divides a limited number of concurrent calls between endpoints: an endpoint may begin another call while it has fewer
 * than twice as many calls as are free. So a single endpoint gets two thirds of all calls, many get equal parts, and a
 * new endpoint finds a free call.
 */
export type CallBudget = {
  /**
   * Whether an endpoint with this many running calls may begin another; if not, `onRoom` is called once when a call has
   * ended.
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
