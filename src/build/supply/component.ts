import type { LockedPackage } from "./lock.ts";

/** The program itself, or a third-party part of it. */
export type Component = {
  readonly name: string;
  /** Undefined if a library does not state its version. */
  readonly version: string | undefined;
  /** An SPDX expression, or a name if SPDX has no identifier. */
  readonly licence: string;
  /** The notices that the licence requires to be distributed. */
  readonly text: string;
  /** The component's entry in `bun.lock`, if the component is an npm package. */
  readonly locked?: LockedPackage;
};
