/** Style sheets that scripts carry as text. */
declare module "*.css" {
  const text: string;
  export default text;
}
