import type { LockedPackage } from "./lock.ts";

/** A part of the program that others wrote. */
export type Component = {
  readonly name: string;
  /** Undefined if a library does not state its version. */
  readonly version: string | undefined;
  /** An SPDX expression, or a name where SPDX has none. */
  readonly licence: string;
  /** Everything that the licence requires to be passed on. */
  readonly text: string;
  /** The component's entry in `bun.lock`, when it is an npm package. */
  readonly locked?: LockedPackage;
};
