// Runs inside the sandbox, strict, before any script: how values and errors are copied out of it. All that is used here is taken
// aside now, because a script may change every built-in object.
() => {
  const NativeError = Error;
  const NativePromise = Promise;
  const describeValue = String;
  const { stringify: quote } = JSON;
  const { isArray } = Array;
  const { isFinite: isFiniteNumber } = Number;
  const { keys, getPrototypeOf } = Object;
  const { apply } = Reflect;
  const { getTime, toISOString } = Date.prototype;
  const { slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const firstPlace = /<input>:(\d{1,9})/;
  const hasInstance = Function.prototype[Symbol.hasInstance];
  const boxes = [Number.prototype, String.prototype, Boolean.prototype, BigInt.prototype, Symbol.prototype];
  const unbox = boxes.map((box) => box.valueOf);
  const plainPrototype = Object.prototype;

  /** A value as a tag and a text, both quoted. The copy is structural: functions and symbols cannot be copied. */
  function encode(value) {
    switch (typeof value) {
      case "string":
        return `"text",${quote(value)}`;
      case "number":
        return `"number","${value === 0 && 1 / value < 0 ? "-0" : value}"`;
      case "bigint":
        return `"bigint","${value}"`;
      case "undefined":
        return '"undefined",""';
      default:
        if (isArray(value)) return `"list",${quote(`[${elements(value)}]`)}`;
        return isDate(value) ? `"date","${apply(getTime, value, [])}"` : `"json",${quote(json(value, 0))}`;
    }
  }

  function elements(list) {
    let text = "";
    const { length } = list;
    for (let index = 0; index < length; index++) text += index === 0 ? encode(list[index]) : `,${encode(list[index])}`;
    return text;
  }

  // Only values inside lists and objects come here, where JSON is all that anybody asks for; a list in a list is one.
  const maxNesting = 200;

  function json(value, depth) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        return isFiniteNumber(value) ? `${value}` : "null";
      case "boolean":
        return value ? "true" : "false";
      case "bigint":
        return "null";
      case "object":
        if (value === null) return "null";
        break;
      default:
        throw uncopyable(value);
    }
    if (depth > maxNesting) throw new NativeError("The value is nested too deeply or contains itself.");
    if (isArray(value)) return jsonList(value, depth);
    const prototype = getPrototypeOf(value);
    if (prototype !== plainPrototype && prototype !== null) {
      const special = jsonSpecial(value, prototype);
      if (special !== undefined) return special;
    }
    if (value === globalThis) throw uncopyable(value);
    return jsonObject(value, depth);
  }

  function jsonList(list, depth) {
    let text = "";
    const { length } = list;
    for (let index = 0; index < length; index++) {
      const element = list[index];
      const encoded = element === undefined ? "null" : json(element, depth + 1);
      text += index === 0 ? encoded : `,${encoded}`;
    }
    return `[${text}]`;
  }

  function jsonObject(object, depth) {
    let text = "";
    const names = keys(object);
    for (let index = 0; index < names.length; index++) {
      const value = object[names[index]];
      if (value !== undefined) text += `,${quote(names[index])}:${json(value, depth + 1)}`;
    }
    return text === "" ? "{}" : `{${cut(text)}}`;
  }

  function jsonSpecial(value, prototype) {
    if (isDate(value)) {
      const time = apply(getTime, value, []);
      return isFiniteNumber(time) ? quote(apply(toISOString, value, [])) : "null";
    }
    for (let index = 0; index < boxes.length; index++) {
      if (prototype === boxes[index]) return json(apply(unbox[index], value, []), 0);
    }
    if (apply(hasInstance, NativePromise, [value])) throw uncopyable(value);
    return undefined;
  }

  function isDate(value) {
    if (value === null || typeof value !== "object") return false;
    const prototype = getPrototypeOf(value);
    if (prototype === plainPrototype || prototype === null) return false;
    try {
      apply(getTime, value, []);
      return true;
    } catch {
      return false;
    }
  }

  function uncopyable(value) {
    const name = typeof value === "object" ? "#<Object>" : apply(describeValue, undefined, [value]);
    return new NativeError(`${name} could not be cloned.`);
  }

  function describe(error) {
    // The engine throws null when there is no memory left for an error.
    if (error === null) return '"[undefined] out of memory"';
    if (typeof error !== "object" && typeof error !== "function") return quote(describeValue(error));
    if (!apply(hasInstance, NativeError, [error])) return '"An object that is not an Error was thrown."';
    const { cause } = error;
    const causeMessage = cause === null || typeof cause !== "object" ? undefined : cause.message;
    const description = quote(`[${causeMessage}] ${error.message}`);
    if (cause === undefined || cause === null) return description;
    const isError = typeof cause === "object" && apply(hasInstance, NativeError, [cause]);
    return `${description},${quote(typeof cause === "string" ? cause : isError ? `${causeMessage}` : json(cause, 0))}`;
  }

  /** The line of the source where an error was made, as a text in quotes; empty where it does not say. */
  function lineOf(error) {
    const stack = typeof error === "object" && error !== null ? error.stack : undefined;
    const found = typeof stack === "string" ? apply(exec, firstPlace, [stack]) : null;
    return found === null ? '""' : `"${found[1]}"`;
  }

  /** The text without its first character. */
  function cut(text) {
    return apply(slice, text, [1]);
  }

  return { encode, describe, lineOf, cut };
};
