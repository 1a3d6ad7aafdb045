/** The result of checking one requirement of a service. */
export type Finding = {
  readonly what: string;
  /**
   * `doubtful`: the service works, but perhaps not as intended. `wrong`: the service does not start, or a part of it
   * will fail.
   */
  readonly state: "fine" | "doubtful" | "wrong";
  readonly says: string;
  readonly todo?: string;
};

/** Returns functions that create findings about one requirement. */
export function about(what: string) {
  return {
    fine: (says: string): Finding => ({ what, state: "fine", says }),
    doubtful: (says: string, todo: string): Finding => ({ what, state: "doubtful", says, todo }),
    wrong: (says: string, todo: string): Finding => ({ what, state: "wrong", says, todo }),
  };
}
