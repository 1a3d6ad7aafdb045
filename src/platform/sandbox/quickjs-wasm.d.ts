// Imported `with { type: "file" }`: the file's path, also inside the binary.
declare module "@jitl/quickjs-ng-wasmfile-release-sync/wasm" {
  const path: string;
  export default path;
}
