import type loadQuickJs from "@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module";

export type QuickJsModule = Awaited<ReturnType<typeof loadQuickJs>>;
export type QuickJs = ReturnType<typeof bindQuickJs>;

/** The functions of quickjs-emscripten's C interface that we use. Numbers are addresses, unless their names say otherwise. */
export function bindQuickJs(module: QuickJsModule) {
  const wrap = (name: string, values: ("number" | "string" | "boolean")[]) =>
    module.cwrap(`QTS_${name}`, "number", values);
  const numbers = (name: string, count: number) =>
    wrap(
      name,
      Array.from({ length: count }, () => "number" as const),
    );
  const malloc: (bytes: number) => number = module._malloc;
  const free: (address: number) => void = module._free;
  const newRuntime: () => number = numbers("NewRuntime", 0);
  const newContext: (runtime: number, intrinsics: number) => number = numbers("NewContext", 2);
  const setMemoryLimit: (runtime: number, bytes: number) => void = numbers("RuntimeSetMemoryLimit", 2);
  const setMaxStackSize: (runtime: number, bytes: number) => void = numbers("RuntimeSetMaxStackSize", 2);
  const getUndefined: () => number = numbers("GetUndefined", 0);
  const evaluate: (
    context: number,
    code: number,
    length: number,
    file: string,
    module: number,
    flags: number,
  ) => number = wrap("Eval", ["number", "number", "number", "string", "number", "number"]);
  const call: (context: number, target: number, self: number, count: number, values: number) => number = numbers(
    "Call",
    5,
  );
  const resolveException: (context: number, value: number) => number = numbers("ResolveException", 2);
  const newString: (context: number, text: number) => number = numbers("NewString", 2);
  const getString: (context: number, value: number) => number = numbers("GetString", 2);
  const getElement: (context: number, list: number, index: number) => number = numbers("GetPropNumber", 3);
  const getArgument: (values: number, index: number) => number = numbers("ArgvGetJSValueConstPointer", 2);
  const newFunction: (context: number, name: string, values: number, isConstructor: boolean, id: number) => number =
    wrap("NewFunction", ["number", "string", "number", "boolean", "number"]);
  const isJobPending: (runtime: number) => number = numbers("IsJobPending", 1);
  const executeJobs: (runtime: number, most: number, context: number) => number = numbers("ExecutePendingJob", 3);
  return {
    malloc,
    free,
    newRuntime,
    newContext,
    setMemoryLimit,
    setMaxStackSize,
    getUndefined,
    evaluate,
    call,
    resolveException,
    newString,
    getString,
    getElement,
    getArgument,
    newFunction,
    isJobPending,
    executeJobs,
  };
}
