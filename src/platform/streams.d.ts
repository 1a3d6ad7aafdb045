// Bun's streams have `text()`; the types of browsers, which pages need, do not know it.
interface ReadableStream<R> {
  text(): Promise<string>;
}
