import type { ScriptRequest } from "../../src/core/interpreter/language/script.ts";

/**
 * The expected outcome of a script: a plain value, an error with a matching message, an exhausted budget, or a
 * requested call.
 */
export type Expected =
  | { readonly value: unknown }
  | { readonly error: RegExp }
  | { readonly isOverBudget: true }
  | { readonly url: string };

export type HostileScript = {
  readonly family: string;
  readonly source: string;
  readonly expected: Expected;
  readonly request?: Partial<ScriptRequest>;
};

function family(name: string, scripts: readonly (readonly [source: string, expected: Expected])[]): HostileScript[] {
  return scripts.map(([source, expected]) => ({ family: name, source, expected }));
}

const value = (expected: unknown): Expected => ({ value: expected });
const error = (words: RegExp): Expected => ({ error: words });
const overBudget: Expected = { isOverBudget: true };

/** The globals outside the sandbox. Code that is generated at run time searches for them. */
const outside = "typeof process + typeof Bun + typeof require + typeof module + typeof Worker";
const nothingOutside = "undefined".repeat(5);

/** Expressions that reach a constructor of functions. */
const functionMakers = [
  ...[
    "[].constructor.constructor",
    "({}).constructor.constructor",
    "''.constructor.constructor",
    "/x/.constructor.constructor",
  ],
  ...[
    "Symbol().constructor.constructor",
    "1n.constructor.constructor",
    "(() => {}).constructor",
    "(class {}).constructor",
  ],
  ...[
    "Object.getPrototypeOf(() => {}).constructor",
    "new Proxy(function () {}, {}).constructor",
    "Promise.constructor",
  ],
  ...["fetch.constructor", "setVariable.constructor", "console.log.constructor", "Intl.NumberFormat.constructor"],
  ...[
    "Date.constructor",
    "globalThis.constructor.constructor",
    "Reflect.get(Math.max, 'constructor')",
    "(await arguments.callee.constructor('return Function')())",
  ],
  ...[
    "Error.prototype.constructor.constructor",
    "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get.constructor",
  ],
  ...[
    "(() => { try { null.x } catch (error) { return error.constructor.constructor } })()",
    "Symbol.prototype.constructor.constructor",
  ],
  ...[
    "(await (async () => {}).call()?.x) ?? Function",
    "Array.from.constructor",
    "new WeakRef({}).constructor.constructor",
  ],
  ...[
    "Object.getPrototypeOf((function* () {})())[Symbol.iterator].constructor",
    "[][Symbol.iterator].constructor",
    "Reflect.construct(Function, ['return Function'])()",
  ],
];

/** Globals of other engines, or of this engine's own shell, that must not exist. */
const missingGlobals =
  "process Bun Deno require module exports window document self XMLHttpRequest WebSocket EventSource Worker WebAssembly navigator setTimeout setInterval setImmediate queueMicrotask performance structuredClone postMessage importScripts host std os bjson print scriptArgs gc DOMException crypto localStorage caches Buffer __dirname".split(
    " ",
  );

const escapes = family("escapes", [
  ...functionMakers.map((maker) => [`return (${maker})("return ${outside}")()`, value(nothingOutside)] as const),
  [`return (async () => {}).constructor("return ${outside}")()`, value(nothingOutside)],
  [`return (function* () {}).constructor("yield ${outside}")().next().value`, value(nothingOutside)],
  [`return (await (async function* () {}).constructor("yield ${outside}")().next()).value`, value(nothingOutside)],
  [`return eval("${outside}") === (0, eval)("${outside}") && eval("${outside}")`, value(nothingOutside)],
  [`return new (class extends Function { constructor() { super("return ${outside}") } })()()`, value(nothingOutside)],
  [`return Reflect.construct(Function, ["return ${outside}"], Array)()`, value(nothingOutside)],
  [
    "return missing.length && missing.map((name) => typeof globalThis[name]).join('')".replace(
      "missing.length && missing",
      `"${missingGlobals.join(" ")}".split(" ")`,
    ),
    value("undefined".repeat(missingGlobals.length)),
  ],
  ["return import('fs')", error(/./)],
  ["return await import('bun:ffi')", error(/./)],
  ["return await import('data:text/javascript,export default 1')", error(/./)],
  ["return await eval(\"import('node:child_process')\")", error(/./)],
  ["return await new Function(\"return import('file:///etc/passwd')\")()", error(/./)],
  ["import fs from 'fs'", error(/./)],
  ["return import.meta.url", error(/./)],
  ["export default 1", error(/./)],
  ["}); globalThis.left = 1; (async () => {", value(undefined)],
  ["return 1 } + process.exit() + {", error(/./)],
  ["*/ } /*", error(/./)],
  ["return this === undefined || this === globalThis", value(true)],
  [
    "return Object.getOwnPropertyNames(this ?? globalThis).filter((name) => /host|parley|engine/i.test(name))",
    value([]),
  ],
  ["Error.prepareStackTrace = (_, frames) => frames; return typeof new Error().stack", value("string")],
]);

const withoutEnd = family("endless code", [
  ["for (;;);", overBudget],
  ["for (const a = []; ; a.length = 0) a.push(1)", overBudget],
  ["(function* () { for (;;) yield })().forEach(() => {})", overBudget],
  ["for (const one of (function* () { for (;;) yield 1 })()) one", overBudget],
  ["for await (const one of (async function* () { for (;;) yield 1 })()) one", overBudget],
  ["await (async function again() { await null; return again() })()", error(/out of memory|stack|timed out/)],
  ["await { then(resolve) { for (;;); } }", overBudget],
  ["return { then(resolve) { resolve(this) } }", overBudget],
  ["await { then(resolve) { Promise.resolve().then(() => this.then(resolve)) } }", overBudget],
  ["new Promise(function again() { Promise.resolve().then(again) }); await new Promise(() => {})", overBudget],
  ["const o = {}; o[Symbol.toPrimitive] = () => { for (;;); }; return o + ''", overBudget],
  ["const o = { valueOf() { for (;;); } }; return o * 1", overBudget],
  ["[3, 1, 2].sort(() => { for (;;); })", overBudget],
  ["'x'.replace(/x/, () => { for (;;); })", overBudget],
  ["JSON.stringify({ toJSON() { for (;;); } })", overBudget],
  ["JSON.parse('[1]', () => { for (;;); })", overBudget],
  ["new Proxy({}, { get() { for (;;); } }).x", overBudget],
  ["Object.keys(new Proxy({}, { ownKeys() { for (;;); } }))", overBudget],
  ["[...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }]", error(/out of memory|timed out/)],
  ["new Map((function* () { for (let i = 0; ; i++) yield [i % 9, i] })())", overBudget],
  ["for (let i = 0; ; i++) new Date(i).toISOString()", overBudget],
  ["for (;;) new Date('2026-11-22T10:00:00Z').getTime()", overBudget],
  ["for (let i = 0; ; i++) new Intl.NumberFormat('de', { maximumFractionDigits: i % 20 }).format(i)", overBudget],
  ["for (let i = 0; ; i++) new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).formatToParts(i)", overBudget],
  ["for (;;) 'ß'.localeCompare('ss', 'de')", overBudget],
  ["for (;;) [1.5, 2.5].toLocaleString('fr')", overBudget],
  ["for (;;) JSON.parse(JSON.stringify({ a: [1, 2, 3] }))", overBudget],
  ["for (;;) 'a-b'.split('-').join('+')", overBudget],
  ["for (;;) setVariable('A', 1)", error(/larger than 1 MB|out of memory|timed out/)],
  ["for (;;) try { null.x } catch {}", overBudget],
  ["for (;;) try { (function deeper() { deeper() })() } catch {}", overBudget],
  ["label: for (;;) { for (;;) continue label }", overBudget],
  ["try { for (;;); } finally { for (;;); }", overBudget],
  ["for (;;) Symbol.for(String(Math.random()))", error(/out of memory|timed out/)],
  ["Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", error(/./)],
  ["for (;;) Atomics.add(new Int32Array(1), 0, 1)", error(/Atomics is not defined/)],
  ["while (Date.now() < 1e15);", overBudget],
  ["const until = new Date().getTime() + 5; while (new Date().getTime() < until);", overBudget],
]);

const expensive = family("much work in one call", [
  ["return /(a+)+$/.test('a'.repeat(40) + 'b')", overBudget],
  ["return /^(a|aa)+$/.test('a'.repeat(60) + 'b')", overBudget],
  ["return /(.*)*x/.test('a'.repeat(60))", overBudget],
  ["return /^(?=(a+)+$)/u.test('a'.repeat(40) + 'b')", overBudget],
  ["return 'a'.repeat(50).match(/(?<x>a*)*b/)", overBudget],
  ["return 'a'.repeat(5e4).replace(/a*?a*?a*?b/g, '')", overBudget],
  ["return ('a'.repeat(40) + 'b').split(/(a+)+c/)", overBudget],
  ["return new RegExp('(a*)*'.repeat(50) + 'b').test('a'.repeat(30))", overBudget],
  ["return (3n ** 500000n).toString().length", error(/timed out|memory|range|RangeError|Maximum/i)],
  ["return (2n ** 100000000n).toString(2).length", error(/./)],
  ["let n = 2n; for (;;) n *= n", error(/./)],
  ["return BigInt('9'.repeat(1e6)) % 7n", error(/too large|timed out/)],
  ["return Array.from({ length: 1e9 }).length", error(/out of memory|timed out/)],
  ["return Array(1e8).fill().map(() => 1).length", error(/out of memory|timed out/)],
  ["return new Array(2 ** 32).length", error(/invalid array/)],
  ["return [].concat(...Array(200000).fill([1])).length", error(/./)],
  ["return Math.max(...Array(1e6).fill(1))", error(/./)],
  ["return String.fromCharCode(...Array(1e6).fill(65)).length", error(/./)],
  ["return Array.from({ length: 3e5 }, (_, i) => -i).sort().length", overBudget],
  ["return 'x'.repeat(1e7).split('x').join('yy').length", error(/out of memory|timed out/)],
  ["return 'x'.padStart(2 ** 30).length", error(/string too long|invalid string length|out of memory/)],
  [
    "let s = 'x'; for (let i = 0; i < 40; i++) s += s; return s.length",
    error(/string too long|invalid string length|out of memory/),
  ],
  ["return 'é'.repeat(1e6).normalize('NFD').length", error(/./)],
  ["return encodeURIComponent('\\u20ac'.repeat(3e6)).length", error(/out of memory|timed out|too long/)],
  ["return JSON.stringify(Array(1e6).fill('x'.repeat(100))).length", error(/out of memory|timed out|too long/)],
  ["return new Intl.NumberFormat('de', { minimumFractionDigits: 1e9 }).format(1)", error(/./)],
  ["return (1).toFixed(1e9)", error(/./)],
  ["return new Intl.ListFormat('en').format(Array(1e6).fill('x')).length", error(/./)],
  ["return 'I'.repeat(5e6).toLocaleLowerCase('tr').length", error(/./)],
  ["const all = []; for (;;) all.push(new Uint8Array(1e5))", error(/out of memory|timed out/)],
  ["const all = new Map(); for (let i = 0; ; i++) all.set('k'.repeat(99) + i, {})", error(/out of memory|timed out/)],
  ["const all = {}; for (let i = 0; ; i++) all['key' + i] = i", error(/out of memory|timed out/)],
  ["let list; for (;;) list = { list, text: 'x'.repeat(1000) }", error(/out of memory|timed out/)],
  ["let f = () => 1; for (;;) { const g = f; f = () => g() }", error(/out of memory|timed out/)],
  ["const made = []; for (;;) made.push(new Proxy({}, {}))", error(/out of memory|timed out/)],
  ["const made = []; for (;;) made.push(async () => {})", error(/out of memory|timed out/)],
  ["for (;;) Promise.reject(new Error('x'.repeat(1000)))", error(/out of memory|timed out/)],
  [
    "const registry = new FinalizationRegistry(() => { for (;;); }); for (;;) registry.register({ big: 'x'.repeat(1000) }, 1)",
    error(/out of memory|timed out/),
  ],
  ["const refs = []; for (;;) refs.push(new WeakRef({ big: 'x'.repeat(1000) }))", error(/out of memory|timed out/)],
  ["return new SharedArrayBuffer(1e9).byteLength", error(/./)],
  ["return new ArrayBuffer(8, { maxByteLength: 1e9 }).resize(1e9)", error(/./)],
  ["return new Function('x'.repeat(1e6) + ',', '')", error(/./)],
  ["return eval('1' + '+1'.repeat(1e4))", value(10_001)],
  ["return eval('['.repeat(5e3) + ']'.repeat(5e3)) && 1", error(/stack/)],
  ["return Function(...Array.from({ length: 7e4 }, (_, i) => 'a' + i), 'return 1')()", error(/./)],
]);

const depths = family("depth", [
  ["(function deeper() { deeper() })()", error(/stack/)],
  ["const a = () => b(), b = () => a(); a()", error(/stack/)],
  ["const o = { toString() { return this + '' } }; return o + ''", error(/stack/)],
  ["const o = {}; Object.defineProperty(o, 'x', { get() { return o.x } }); return o.x", error(/stack/)],
  ["const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x", error(/stack/)],
  ["class A { constructor() { new A() } } new A()", error(/stack/)],
  ["let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return JSON.stringify(o).length", error(/stack|timed out/)],
  ["let o = {}; for (let i = 0; i < 1e4; i++) o = { o }; return o", error(/nested too deeply|stack/)],
  ["let f = (x) => x; for (let i = 0; i < 1e4; i++) f = f.bind(null); return f(1)", error(/stack|memory|timed out/)],
  [
    "let p = Promise.resolve(1); for (let i = 0; i < 1e4; i++) { const q = p; p = { then: (r) => r(q) } } return 1",
    value(1),
  ],
  ["return [1].reduce(function again(a) { return [1, 2].reduce(again) })", value(1)],
  ["'x'.replace(/x/, function again(x) { return x.replace(/x/, again) })", error(/stack/)],
  ["const s = { [Symbol.toPrimitive]() { return +this } }; +s", error(/stack/)],
  ["JSON.parse('[[1]]', function again(k, v) { return JSON.parse('[1]', again) })", error(/stack/)],
  ["throw { __proto__: Error.prototype, get message() { return this.message } }", error(/could not be read|stack/)],
]);

const results = family("results", [
  ["return { __proto__: { isAdmin: true }, a: 1 }", value({ a: 1 })],
  ['return JSON.parse(\'{"__proto__":{"isAdmin":true}}\')', value(JSON.parse('{"__proto__":{"isAdmin":true}}'))],
  [
    'return JSON.parse(\'{"constructor":{"prototype":{"isAdmin":true}}}\')',
    value({ constructor: { prototype: { isAdmin: true } } }),
  ],
  ["const o = {}; o['__proto__'] = { isAdmin: true }; return [o.isAdmin, o]", value([true, {}])],
  ["Object.prototype.isAdmin = true; return {}", value({})],
  ["Object.prototype.toJSON = () => 'tricked'; return { a: 1 }", value({ a: 1 })],
  ["return { toJSON() { return 'tricked' } }", error(/could not be cloned/)],
  ["return { get a() { throw new Error('no') } }", error(/no/)],
  ["let n = 0; return { get a() { return n++ }, get b() { return n++ } }", value({ a: 0, b: 1 })],
  [
    "return new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: () => 1 })",
    value({ a: 1 }),
  ],
  ["return new Proxy([], { get: (target, key) => (key === 'length' ? -1 : 1) })", value([])],
  ["return new Proxy([], { get: (target, key) => (key === 'length' ? { valueOf: () => 2 } : 1) })", value([1, 1])],
  ["const revoked = Proxy.revocable({}, {}); revoked.revoke(); return revoked.proxy", error(/revoked|./)],
  ["return () => {}", error(/could not be cloned/)],
  ["return Symbol('x')", error(/could not be cloned/)],
  ["return { a: Symbol.iterator }", error(/could not be cloned/)],
  ["return globalThis", error(/could not be cloned/)],
  ["const o = {}; o.o = o; return o", error(/nested too deeply or contains itself/)],
  ["const a = []; a.push(a); return a", error(/nested too deeply|stack/)],
  ["return Promise.resolve({ then: (resolve) => resolve('thenable') })", value("thenable")],
  ["return { then(resolve) { resolve({ then(again) { again(5) } }) } }", value(5)],
  ["return { then(resolve, reject) { reject(new Error('rejected')) } }", error(/rejected/)],
  ["return { get then() { throw new Error('getter') } }", error(/getter/)],
  ["Object.prototype.then = (resolve) => resolve('tricked'); return { a: 1 }", value("tricked")],
  ["return [Promise.resolve(1)]", error(/could not be cloned/)],
  ["return new Map([[1, 2]])", value({})],
  ["return new Set([1])", value({})],
  ["return new WeakRef({})", value({})],
  ["return new Uint8Array([1, 2])", value({ 0: 1, 1: 2 })],
  ["const b = new ArrayBuffer(8); const v = new Uint8Array(b); b.transfer(); return v.length", value(0)],
  ["const b = new ArrayBuffer(8); b.transfer(); return new Uint8Array(b)", error(/./)],
  ["return new Error('as a value')", value({})],
  ["return Object.create(null, { a: { value: 1, enumerable: true } })", value({ a: 1 })],
  [
    "return [NaN, Infinity, -0, undefined, null, 1n]",
    value([Number.NaN, Number.POSITIVE_INFINITY, -0, undefined, null, 1n]),
  ],
  ["return { a: NaN, b: 1n, c: undefined }", value({ a: null, b: null })],
  ["return { d: new Date(NaN) }", value({ d: null })],
  [
    "const d = new Date(0); d.getTime = () => 1e9; d.toISOString = () => 'tricked'; return [{ d }]",
    value([{ d: "1970-01-01T00:00:00.000Z" }]),
  ],
  ["return { d: Object.setPrototypeOf(new Date(0), null) }", value({ d: {} })],
  ["return Object.assign([1, 2], { extra: 3, length: 5 })", value([1, 2, undefined, undefined, undefined])],
  ["return '\\ud800'.length", value(1)],
  ["return Object.defineProperty({}, 'hidden', { value: 1 })", value({})],
  ["return { [Symbol.toPrimitive]: () => 1, a: 1 }", value({ a: 1 })],
  ["return new (class extends Array { get length() { return 1e9 } })()", value([])],
  [
    "return Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ['key' + i, i]))",
    error(/larger than 1 MB|out of memory|timed out/),
  ],
  ["return { ['x'.repeat(2e6)]: 1 }", error(/larger than 1 MB|out of memory|timed out/)],
]);

const thrown = family("errors", [
  ["throw null", error(/./)],
  ["throw undefined", error(/./)],
  ["throw 'text'", error(/text/)],
  ["throw Symbol('x')", error(/./)],
  ["throw { message: 'no error' }", error(/not an Error/)],
  ["throw new Proxy(new Error('x'), { get() { throw 1 } })", error(/could not be read/)],
  ["throw Object.defineProperty(new Error('x'), 'message', { get() { throw 2 } })", error(/could not be read/)],
  ["throw Object.defineProperty(new Error('x'), 'cause', { get() { throw 3 } })", error(/could not be read/)],
  ["const e = new Error('x'); e.cause = e; throw e", error(/x/)],
  ["throw new Error('x', { cause: { get message() { throw 4 } } })", error(/could not be read/)],
  ["throw new Error('x', { cause: globalThis })", error(/./)],
  ["throw Object.assign(new Error('x'), { message: { toString() { throw 5 } } })", error(/could not be read/)],
  ["throw Object.assign(new Error('x'), { message: Symbol('s') })", error(/could not be read/)],
  ["throw new Error('x'.repeat(1e6))", error(/x/)],
  ["throw Object.setPrototypeOf(new Error('x'), null)", error(/not an Error/)],
  ["throw new AggregateError([new Error('a')], 'many')", error(/many/)],
  ["Error = null; Object.defineProperty(globalThis, 'TypeError', { value: null }); null.x", error(/./)],
  ["Function.prototype[Symbol.hasInstance] = () => true; throw 1", error(/1/)],
  ["Error[Symbol.hasInstance] = () => { for (;;); }; throw new Error('x')", error(/x/)],
  [
    "const { proxy, revoke } = Proxy.revocable(new Error('x'), {}); revoke(); throw proxy",
    error(/could not be read|not an Error|revoked/),
  ],
]);

const calls = family("functions of the service", [
  ["await fetch('http://127.0.0.1/')", { url: "http://127.0.0.1/" }],
  ["await fetch({ toString: () => 'http://x.example/' })", { url: "http://x.example/" }],
  ["await fetch({ toString() { throw new Error('no address') } })", error(/no address/)],
  ["await fetch(Symbol('x'))", error(/./)],
  ["await fetch('x', { get method() { throw new Error('no method') } })", error(/no method/)],
  ["await fetch('x', { headers: new Proxy({}, { ownKeys() { throw new Error('no keys') } }) })", error(/no keys/)],
  ["await fetch('x', { headers: JSON.parse('{\"__proto__\":\"a\"}') })", { url: "x" }],
  ["await fetch('x', { headers: [[], [1]] })", { url: "x" }],
  ["await fetch('x', { body: { toString() { for (;;); } } })", overBudget],
  ["await fetch('x', { headers: Array(1e6).fill(['a', 'b']) })", error(/out of memory|timed out/)],
  ["await fetch('x'.repeat(1e7))", error(/out of memory|timed out|too long/)],
  ["fetch.call(null, 'y'); await 1", { url: "y" }],
  ["JSON.stringify = () => { for (;;); }; await fetch('z')", { url: "z" }],
  ["await Promise.all(Array.from({ length: 100 }, (_, i) => fetch('n' + i)))", { url: "n0" }],
  ["setVariable('__proto__', { isAdmin: true }); return ({}).isAdmin", value(undefined)],
  ["setVariable({ toString: () => 'A' }, 1); setVariable(null, 1); setVariable(); return 1", value(1)],
  ["setVariable('A', { get a() { throw new Error('no value') } })", error(/no value/)],
  ["setVariable('A', () => {})", error(/could not be cloned/)],
  ["setVariable('x'.repeat(2e6), 1)", error(/larger than 1 MB|out of memory|timed out/)],
  ["try { setVariable('A', Symbol('x')) } catch {} setVariable('A', 2); return 2", value(2)],
  ["console.log = null; console = 5; return 1", value(1)],
  ["Math.random = () => { for (;;); }; return 1", value(1)],
]);

const named: readonly (readonly [name: string, source: string, expected: Expected])[] = [
  ["__proto__", "return typeof __proto__ + ({}).polluted", value("objectundefined")],
  ["constructor", "return typeof ({}).constructor", value("function")],
  ["toString", "return typeof ({}).toString", value("function")],
  ["then", "return 1", value(1)],
  ["undefined", "return undefined", value(undefined)],
  ["NaN", "return NaN", value(Number.NaN)],
  ["globalThis", "return 1", value(1)],
  ["Object", "return { a: 1 }", value({ a: 1 })],
  ["Promise", "return await 1", value(1)],
  ["JSON", "return [1]", value([1])],
  ["setVariable", "setVariable('A', 1)", error(/not a function/)],
  ["arguments", "return 1", value(1)],
  ["not an identifier }", "return 1", value(1)],
  ["", "return 1", value(1)],
  ["\ud800", "return 1", value(1)],
  ["x".repeat(100_000), "return Object.keys(globalThis).some((name) => name.length === 100000)", value(true)],
];

const names: HostileScript[] = named.map(([name, source, expected]) => ({
  family: "names of variables",
  source,
  expected,
  request: { globals: [[name, { polluted: true }]] },
}));

/** Every script, by family. Each script attempts to escape, to persist, or to use more than its budget. */
export const hostileScripts: readonly HostileScript[] = [
  ...escapes,
  ...withoutEnd,
  ...expensive,
  ...depths,
  ...results,
  ...thrown,
  ...calls,
  ...names,
];
