import './styles.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { loadTexts } from './lib/i18n.tsx'
import { detectHere, toLanguage } from './lib/language.ts'
import { startPwa } from './lib/pwa.ts'
import { preloadPage } from './routes.tsx'

/**
 * Not a top-level await: a page's chunk imports from the file this module is in, and would wait for it to be evaluated while it waits
 * for the page.
 */
async function start(root: HTMLElement): Promise<void> {
  // A served page is hydrated in the language it was written in; `vite dev` serves an empty one.
  const isServed = root.firstElementChild !== null
  const language = (isServed && toLanguage(document.documentElement.lang)) || detectHere()
  await Promise.all([loadTexts(language, ['core']), preloadPage(location.pathname, language)])

  const app = (
    <BrowserRouter>
      <App language={language} />
    </BrowserRouter>
  )
  if (isServed) hydrateRoot(root, app)
  else createRoot(root).render(app)
  startPwa()
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
