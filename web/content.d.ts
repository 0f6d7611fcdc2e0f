/** A page of content/legal/ by its sections, as scripts/blog/plugin.ts reads it. */
declare module '*.md' {
  const sections: import('#web/texts/en/legal.ts').LegalSection[]
  export default sections
}
