import type { Plugin } from 'vite'

/**
 * Instead of Vite's code around every `import()`, which loads style sheets and modules ahead: there is one style sheet, and parts fetch
 * what else they need by themselves.
 */
export const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: id => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = load => load()' : undefined),
}
