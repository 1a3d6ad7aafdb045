declare module "*.sql" {
  /** The file's text, embedded in the binary. */
  const text: string;
  export default text;
}
