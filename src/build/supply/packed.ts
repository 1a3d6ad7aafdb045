/**
 * The components as the single binary brings them along, JSON compressed with zstd: a path. `src/build/binary.ts`
 * replaces this module.
 */
export const packedComponents: string | undefined = undefined;
