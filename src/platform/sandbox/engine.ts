import loadQuickJs from "@jitl/quickjs-ng-wasmfile-release-sync/emscripten-module";
import wasmPath from "@jitl/quickjs-ng-wasmfile-release-sync/wasm" with { type: "file" };
import { limits } from "../../limits/index.ts";
import { addMeter, type Meter, meterOf } from "./metering.ts";
import { bindQuickJs, type QuickJs, type QuickJsModule } from "./quickjs.ts";

/** The outcome of a call into the sandbox. */
export type CallResult =
  | { readonly kind: "text"; readonly text: string }
  /** The text of an error that the guest code did not catch, or the reason for an unexpected end. */
  | { readonly kind: "threw"; readonly text: string }
  | { readonly kind: "outOfFuel" }
  | { readonly kind: "tooDeep" }
  /** The host stopped the run within a call of the script. */
  | { readonly kind: "stopped" };

/** A copy of the engine's memory without the stack, which is not used between two runs. */
export type Image = { readonly statics: Uint8Array; readonly heap: Uint8Array };

/**
 * Answers a call of the script. Returns undefined to end the run immediately. The arguments come from the script and
 * are not trusted.
 */
export type HostFunction = (name: string, text: string) => string | undefined;

/** A value inside the sandbox. A handle is valid in all later images. */
export type Handle = number;

/**
 * A QuickJS runtime whose memory can be saved and restored. Each run starts from an image, so no data of one script
 * reaches the next script, equal input takes equal work, and no memory needs to be freed. Restoring 250 kB takes 4 µs,
 * creating a runtime takes 210 µs (Bun 1.4.4).
 */
export class Engine {
  /** Called when a script calls the `host` function. */
  onHostCall: HostFunction = () => undefined;
  readonly #memory: WebAssembly.Memory;
  readonly #quickJs: QuickJs;
  readonly #meter: Meter;
  readonly #runtime: number;
  readonly #context: number;
  readonly #undefined: number;
  /** The address of a few bytes in the sandbox's memory, used for arguments. */
  readonly #slot: number;
  /**
   * The address between the stack of the C code and the heap. The stack grows downwards from this address; the statics
   * are below the stack.
   */
  readonly #stackTop: number;
  readonly #breakAddress: number;
  #view: Uint8Array<ArrayBuffer>;

  static async load(): Promise<Engine> {
    const module = await WebAssembly.compile(addMeter(await Bun.file(wasmPath).bytes(), { maxDepth }));
    const memory = new WebAssembly.Memory({ initial: firstPages, maximum: maxPages });
    let instance: WebAssembly.Instance | undefined;
    const loaded = await loadQuickJs({
      wasmMemory: memory,
      instantiateWasm(imports, onSuccess) {
        instance = new WebAssembly.Instance(module, imports);
        onSuccess(instance);
        return instance.exports;
      },
    });
    if (!instance) throw new Error("QuickJS was not instantiated");
    return new Engine(memory, loaded, meterOf(instance));
  }

  private constructor(memory: WebAssembly.Memory, module: QuickJsModule, meter: Meter) {
    this.#memory = memory;
    this.#view = new Uint8Array(memory.buffer);
    this.#meter = meter;
    this.#quickJs = bindQuickJs(module);
    Object.assign(module, {
      callbacks: {
        callFunction: (_asyncify: unknown, _context: number, _self: number, _count: number, values: number) =>
          this.#answer(values),
        freeHostRef: () => {},
      },
    });
    this.#stackTop = meter.stackPointer.value;
    this.#breakAddress = this.#findBreak();
    this.#slot = this.#quickJs.malloc(8);
    this.#runtime = this.#quickJs.newRuntime();
    this.#quickJs.setMemoryLimit(this.#runtime, limits.step.scriptMemoryBytes);
    this.#quickJs.setMaxStackSize(this.#runtime, stackBytes);
    this.#context = this.#quickJs.newContext(this.#runtime, 0);
    this.#undefined = this.#quickJs.getUndefined();
  }

  /** The remaining work, in loop iterations and calls of the engine's own code. At 0 the run ends. */
  get fuel(): number {
    return this.#meter.fuel.value >>> 0;
  }

  set fuel(units: number) {
    this.#meter.fuel.value = units;
  }

  /** Evaluates guest code of this project. Throws if the code fails. */
  evaluate(code: string): Handle {
    const text = this.#newText(code);
    return this.#checked(this.#quickJs.evaluate(this.#context, text.address, text.length, "parley", 0, 0));
  }

  /** Calls a function of Parley's own guest code, not of an author's script. Throws if the call fails. */
  invoke(target: Handle, values: readonly Handle[]): Handle {
    const list = this.#quickJs.malloc(4 * values.length);
    new Uint32Array(this.#memory.buffer, list, values.length).set(values);
    return this.#checked(this.#quickJs.call(this.#context, target, this.#undefined, values.length, list));
  }

  element(list: Handle, index: number): Handle {
    return this.#quickJs.getElement(this.#context, list, index);
  }

  /** Creates a function inside the sandbox that calls `onHostCall`. */
  hostFunction(): Handle {
    return this.#quickJs.newFunction(this.#context, "host", 2, false, 1);
  }

  /** Calls a function that accepts and returns a text. */
  call(target: Handle, text: string): CallResult {
    try {
      const value = this.#quickJs.newString(this.#context, this.#newText(text).address);
      new DataView(this.#memory.buffer).setUint32(this.#slot, value, true);
      const result = this.#quickJs.call(this.#context, target, this.#undefined, 1, this.#slot);
      const error = this.#quickJs.resolveException(this.#context, result);
      if (error !== 0) return { kind: "threw", text: this.#textOf(error) ?? outOfMemory };
      const answer = this.#textOf(result);
      return answer === undefined ? { kind: "threw", text: outOfMemory } : { kind: "text", text: answer };
    } catch (error) {
      return this.#endOf(error);
    }
  }

  /** Runs the pending jobs of promises until none are left. Returns a result only if the run ended early. */
  runJobs(): CallResult | undefined {
    try {
      while (this.#quickJs.isJobPending(this.#runtime)) this.#quickJs.executeJobs(this.#runtime, -1, this.#slot);
      return undefined;
    } catch (error) {
      return this.#endOf(error);
    }
  }

  snapshot(): Image {
    const memory = this.#bytes();
    return {
      statics: memory.slice(0, this.#stackTop - stackRegionBytes),
      heap: memory.slice(this.#stackTop, this.#breakOf(memory)),
    };
  }

  restore({ statics, heap }: Image): void {
    const memory = this.#bytes();
    const heapEnd = this.#stackTop + heap.length;
    // No memory beyond the break was written, so the whole memory is restored.
    memory.fill(0, heapEnd, Math.max(heapEnd, this.#breakOf(memory)));
    memory.fill(0, this.#stackTop - dirtyStackBytes, this.#stackTop);
    memory.set(statics, 0);
    memory.set(heap, this.#stackTop);
    this.#meter.stackPointer.value = this.#stackTop;
    this.#meter.depth.value = 0;
  }

  #answer(values: number): number {
    const argument = (index: number) => this.#textOf(this.#quickJs.getArgument(values, index)) ?? "";
    const answer = this.onHostCall(argument(0), argument(1));
    if (answer === undefined) throw new Stop();
    return this.#quickJs.newString(this.#context, this.#newText(answer).address);
  }

  #endOf(error: unknown): CallResult {
    if (error instanceof Stop) return { kind: "stopped" };
    if (error instanceof OutOfMemory) return { kind: "threw", text: outOfMemory };
    if (this.fuel === 0) return { kind: "outOfFuel" };
    if (this.#meter.depth.value > maxDepth || error instanceof RangeError) return { kind: "tooDeep" };
    if (error instanceof WebAssembly.RuntimeError) return { kind: "threw", text: "The script ended unexpectedly" };
    throw error;
  }

  #checked(value: Handle): Handle {
    const error = this.#quickJs.resolveException(this.#context, value);
    if (error !== 0) throw new Error(`The sandbox's own code failed: ${this.#textOf(error) ?? outOfMemory}`);
    return value;
  }

  #newText(text: string): { address: number; length: number } {
    const most = text.length * 3;
    const address = this.#quickJs.malloc(most + 1);
    if (address === 0) throw new OutOfMemory(outOfMemory);
    const memory = this.#bytes();
    const { written } = encoder.encodeInto(text, memory.subarray(address, address + most));
    memory[address + written] = 0;
    return { address, length: written };
  }

  #textOf(value: Handle): string | undefined {
    const address = this.#quickJs.getString(this.#context, value);
    if (address === 0) return undefined;
    const memory = this.#bytes();
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  /** Returns a valid view of the memory, because growing the memory detaches earlier views. */
  #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#view.length === 0) this.#view = new Uint8Array(this.#memory.buffer);
    return this.#view;
  }

  #breakOf(memory: Uint8Array<ArrayBuffer>): number {
    return new DataView(memory.buffer).getUint32(this.#breakAddress, true);
  }

  /**
   * Finds the address of the C library's break, which is the end of all memory that was ever allocated. The address is
   * not exported. This function allocates memory and searches the statics for the word with the new end, which does not
   * change when the memory is freed.
   */
  #findBreak(): number {
    const statics = () => new Uint32Array(this.#memory.buffer.slice(0, this.#stackTop - stackRegionBytes));
    this.#quickJs.malloc(1);
    const before = statics();
    const block = this.#quickJs.malloc(probeBytes);
    const after = statics();
    this.#quickJs.free(block);
    const freed = statics();
    let found = -1;
    for (const [index, value] of after.entries()) {
      const isEnd =
        value > (before[index] ?? 0) && value >= block + probeBytes && value <= this.#memory.buffer.byteLength;
      if (isEnd && value > (after[found] ?? 0)) found = index;
    }
    if (found < 0 || freed[found] !== after[found]) throw new Error("QuickJS manages its memory in an unknown way");
    return found * 4;
  }
}

// Suffices for 1,100 nested calls of a plain function. A script can catch this overflow, but not an overflow of
// `maxDepth`.
const stackBytes = 192 * 1024;
// C code may use more stack before it checks the limit.
const dirtyStackBytes = stackBytes + 64 * 1024;
// The module was linked with a stack of 5 MB between its statics and its heap.
const stackRegionBytes = 5 * 1024 * 1024;
// Sizes in pages of 64 kB. The module declares 16 MB. Heap, stack and fragmentation fit into 64 MB.
const firstPages = 256;
const maxPages = 1024;
// The native stack of a worker thread overflowed at a depth of 134,000 or more (Bun 1.4.4, unoptimised code).
const maxDepth = 100_000;
// The C library moves the break in steps of this size, so allocating a block of this size forces a step.
const probeBytes = 64 * 1024;
const outOfMemory = "out of memory";
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Thrown to end a run within a call of the host. The script cannot catch this error. */
class Stop extends Error {}

/** Thrown when the sandbox's memory has no space for a text. */
class OutOfMemory extends Error {}
