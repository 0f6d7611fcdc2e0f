/** What search engines and previews of shared links get besides a page's title and description. */
export const preview = {
  keywords: 'temporary email, disposable email, throwaway email, temp mail, anonymous email, 10 minute mail',
  imageAlt: 'A mayfly in thin lines over still water at dusk',
}

export type PreviewTexts = typeof preview
