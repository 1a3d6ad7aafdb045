/** A file of PostgreSQL's programs: its bytes are the next `size` of the archive. */
export type PackedFile = {
  /** The path below the folder of the programs, with slashes. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly isProgram: boolean;
};

/** PostgreSQL's programs for one platform, as the single binary contains them. */
export type PackedPrograms = {
  /** The name of the folder that the programs are unpacked into: it depends on the content. */
  readonly name: string;
  /** Path of the archive: all files, one after another, compressed with zstd. */
  readonly archive: string;
  readonly files: readonly PackedFile[];
  /** Symbolic links, by their path; each points at a file in the same folder. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
};

/** The programs in this binary: undefined if it runs from its sources. `src/build/binary.ts` replaces this module. */
export const packedPrograms: PackedPrograms | undefined = undefined;
