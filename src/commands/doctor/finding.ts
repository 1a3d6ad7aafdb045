/** The finding about one requirement of a service. */
export type Finding = {
  readonly what: string;
  /** `doubtful`: a service works, but perhaps not as intended. `wrong`: it does not start, or a part of it will fail. */
  readonly state: "fine" | "doubtful" | "wrong";
  readonly says: string;
  readonly todo?: string;
};

export function fine(what: string, says: string): Finding {
  return { what, state: "fine", says };
}

export function doubtful(what: string, says: string, todo: string): Finding {
  return { what, state: "doubtful", says, todo };
}

export function wrong(what: string, says: string, todo: string): Finding {
  return { what, state: "wrong", says, todo };
}
