import { createContext } from "preact";

/** The progress of an upload. */
export type Uploading = {
  /** The uploaded part of each file, from 0 to 1. */
  readonly shares: readonly number[];
  /** Stops the upload. The files stay chosen. */
  cancel(): void;
};

/** The upload of the open input; undefined if nothing is being uploaded. */
export const UploadingContext = createContext<Uploading | undefined>(undefined);
