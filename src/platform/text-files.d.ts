declare module "*.ejs" {
  /** The file's text, embedded in the binary. */
  const text: string;
  export default text;
}
declare module "*.css" {
  /** The file's text, embedded in the binary. */
  const text: string;
  export default text;
}
