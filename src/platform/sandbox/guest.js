// Runs inside the sandbox, strict, before the memory is kept that every script starts from: compiles and runs scripts.
// What is still needed after an author's code began to run is taken aside here: scripts may change every built-in
// object, and harm only themselves.
(host, copy, world) => {
  const NativeDate = Date;
  const NativeError = Error;
  const NativePromise = Promise;
  const AsyncFunction = (async () => {}).constructor;
  const SyncFunction = Function;
  const { parse, stringify: quote } = JSON;
  const { isArray } = Array;
  const { defineProperty, hasOwn } = Object;
  const { apply } = Reflect;
  const { resolve, reject } = Promise;
  const { encode, describe, lineOf, cut } = copy;

  let code;
  let isAsync = false;
  let failure;
  let settled;
  let assignments = "";

  /** Reads `[form, source]` and compiles it: nothing of the author's runs yet. */
  function compile(text) {
    const request = parse(text);
    isAsync = request[0] === "async";
    try {
      code = isAsync ? new AsyncFunction(request[1]) : new SyncFunction(request[1]);
    } catch (error) {
      failure = failed(error);
    }
    return "";
  }

  /** Runs the compiled code. Returns the outcome, or an empty text if jobs are to be run first. */
  function start(text) {
    if (failure !== undefined) return failure;
    begin(parse(text));
    try {
      const value = apply(code, undefined, []);
      if (!isAsync) return returned(value);
      settle(value);
      return "";
    } catch (error) {
      return failed(error);
    }
  }

  /** The outcome, once nothing is left to run: a promise that is still open then never settles. */
  function finish() {
    if (settled === undefined) return '["failed","","[undefined] Script execution timed out."]';
    if (settled.isError) return failed(settled.value);
    try {
      return returned(settled.value);
    } catch (error) {
      return failed(error);
    }
  }

  async function settle(promise) {
    try {
      settled = { isError: false, value: await promise };
    } catch (error) {
      settled = { isError: true, value: error };
    }
  }

  function begin({ time, seed, offersHostFunctions, globals }) {
    world.begin(time, seed);
    if (offersHostFunctions) {
      define("setVariable", setVariable);
      define("fetch", fetch);
    }
    for (let index = 0; index < globals.length; index += 3) {
      try {
        introduce(globals[index], globals[index + 1], globals[index + 2]);
      } catch {
        // `undefined`, `NaN` and `Infinity` cannot be redefined: such a variable is not seen.
      }
    }
  }

  function introduce(name, tag, payload) {
    if (tag === "lazy") defineLazily(name, payload);
    else if (name in globalThis) define(name, decode(tag, payload));
    // Faster than defining, and the same where there is nothing of that name.
    else globalThis[name] = decode(tag, payload);
  }

  function define(name, value) {
    defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });
  }

  /** A long text that the code does not mention: fetched only if the code finds its name in another way. */
  function defineLazily(name, index) {
    const get = () => {
      const value = parse(host("global", `${index}`));
      define(name, value);
      return value;
    };
    defineProperty(globalThis, name, {
      get,
      set: (value) => define(name, value),
      enumerable: true,
      configurable: true,
    });
  }

  function decode(tag, payload) {
    if (tag === "json") return payload;
    if (tag === "number") return +payload;
    if (tag === "bigint") return BigInt(payload);
    return tag === "date" ? new NativeDate(+payload) : undefined;
  }

  function setVariable(name, value) {
    const encoded = encode(value);
    if (typeof name === "string") assignments += `,${quote(name)},${encoded}`;
    return apply(resolve, NativePromise, []);
  }

  function fetch(url, init) {
    const answer = parse(host("fetch", `{"url":${quote(`${url}`)},"init":${fetchInit(init)}}`));
    if (hasOwn(answer, "body")) return apply(resolve, NativePromise, [answer.body]);
    return apply(reject, NativePromise, [new NativeError(answer.error)]);
  }

  function fetchInit(init) {
    if (init === null || typeof init !== "object") return "{}";
    const { method, headers, body } = init;
    let text = "";
    if (method !== undefined && method !== null) text += `,"method":${quote(`${method}`)}`;
    if (body !== undefined && body !== null) text += `,"body":${quote(`${body}`)}`;
    if (headers !== null && typeof headers === "object") text += `,"headers":{${headerFields(headers)}}`;
    return `{${text === "" ? "" : cut(text)}}`;
  }

  function headerFields(headers) {
    let text = "";
    const add = (name, value) => {
      text += `,${quote(`${name}`)}:${quote(`${value}`)}`;
    };
    if (isArray(headers))
      for (let index = 0; index < headers.length; index++) add(headers[index][0], headers[index][1]);
    else for (const name in headers) add(name, headers[name]);
    return text === "" ? "" : cut(text);
  }

  function returned(value) {
    return `["returned",${encode(value)}${assignments}]`;
  }

  function failed(error) {
    try {
      return `["failed",${lineOf(error)},${describe(error)}]`;
    } catch {
      return '["failed","","[undefined] The error could not be read."]';
    }
  }

  return [compile, start, finish];
};
