import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { UploadTokens } from "./upload-tokens.ts";

/** The dependencies of uploads and files. */
export type FileDependencies = ManagementDependencies & {
  readonly uploads: UploadTokens;
  /** Each upload holds a connection, and a file on the disk until it is stored. */
  readonly uploadsUnderWay: FairShare<"session" | "address" | "bot">;
  /** Forms with files are held in memory while they are read. */
  readonly formsWithFiles: FairShare<"address" | "bot">;
};
