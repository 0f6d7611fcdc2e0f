export const notFound = {
  code: '404',
  message: "Oops! This page doesn't exist",
  remedy: 'The address may be mistyped, or the page has moved on.',
  home: 'Return to Home',
}

export type NotFoundTexts = typeof notFound
