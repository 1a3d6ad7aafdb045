/**
 * The path of the components that are bundled in the single binary, as JSON compressed with zstd. `src/build/binary.ts`
 * replaces this module.
 */
export const packedComponents: string | undefined = undefined;
