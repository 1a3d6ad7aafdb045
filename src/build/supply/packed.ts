/**
 * The path of the components that the single binary contains, as JSON compressed with zstd. `src/build/binary.ts`
 * replaces this module.
 */
export const packedComponents: string | undefined = undefined;
