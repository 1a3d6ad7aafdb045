import type loadQuickJs from "@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module";

export type QuickJsModule = Awaited<ReturnType<typeof loadQuickJs>>;

/**
 * The functions of quickjs-emscripten's C interface that the engine uses. Numbers are addresses unless their names
 * indicate another meaning.
 */
export type QuickJs = {
  malloc(bytes: number): number;
  free(address: number): void;
  newRuntime(): number;
  newContext(runtime: number, intrinsics: number): number;
  setMemoryLimit(runtime: number, bytes: number): void;
  setMaxStackSize(runtime: number, bytes: number): void;
  getUndefined(): number;
  evaluate(context: number, code: number, length: number, file: string, module: number, flags: number): number;
  call(context: number, target: number, self: number, count: number, values: number): number;
  resolveException(context: number, value: number): number;
  newString(context: number, text: number): number;
  getString(context: number, value: number): number;
  getElement(context: number, list: number, index: number): number;
  getArgument(values: number, index: number): number;
  newFunction(context: number, name: string, values: number, isConstructor: boolean, id: number): number;
  isJobPending(runtime: number): number;
  executeJobs(runtime: number, most: number, context: number): number;
};

export function bindQuickJs(module: QuickJsModule): QuickJs {
  const wrap = (name: string, ...values: ("number" | "string" | "boolean")[]) =>
    module.cwrap(`QTS_${name}`, "number", values);
  const numbers = (name: string, count: number) =>
    wrap(name, ...Array.from({ length: count }, () => "number" as const));
  return {
    malloc: module._malloc,
    free: module._free,
    newRuntime: numbers("NewRuntime", 0),
    newContext: numbers("NewContext", 2),
    setMemoryLimit: numbers("RuntimeSetMemoryLimit", 2),
    setMaxStackSize: numbers("RuntimeSetMaxStackSize", 2),
    getUndefined: numbers("GetUndefined", 0),
    evaluate: wrap("Eval", "number", "number", "number", "string", "number", "number"),
    call: numbers("Call", 5),
    resolveException: numbers("ResolveException", 2),
    newString: numbers("NewString", 2),
    getString: numbers("GetString", 2),
    getElement: numbers("GetPropNumber", 3),
    getArgument: numbers("ArgvGetJSValueConstPointer", 2),
    newFunction: wrap("NewFunction", "number", "string", "number", "boolean", "number"),
    isJobPending: numbers("IsJobPending", 1),
    executeJobs: numbers("ExecutePendingJob", 3),
  };
}
