// Bun reads a stream to its end by itself; the browser's types, which pages need, do not know that.
interface ReadableStream<R> {
  text(): Promise<string>;
}
