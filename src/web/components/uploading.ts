import { createContext } from "preact";

/** Files on their way. */
export type Uploading = {
  /** How much of each has arrived, from 0 to 1. */
  readonly shares: readonly number[];
  /** Stays with the files, and sends none of them. */
  cancel(): void;
};

/** What is on its way from the chat around an input; undefined while nothing is. */
export const UploadingContext = createContext<Uploading | undefined>(undefined);
