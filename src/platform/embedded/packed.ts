/** A file of PostgreSQL's programs. Its content is the next `size` bytes of the archive. */
export type PackedFile = {
  /** The path relative to the folder of the programs, with slashes. */
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly isProgram: boolean;
};

/** PostgreSQL's programs for one platform, as bundled in the single binary. */
export type PackedPrograms = {
  /** The name of the folder into which the programs are unpacked. The name depends on the content. */
  readonly name: string;
  /** The path of the archive, which contains all files in sequence, compressed with zstd. */
  readonly archive: string;
  readonly files: readonly PackedFile[];
  /** Symbolic links by path. Each link points to a file in the same folder. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
};

/**
 * The programs bundled in this binary. Undefined when running from source. `src/build/binary.ts` replaces this module.
 */
export const packedPrograms: PackedPrograms | undefined = undefined;
