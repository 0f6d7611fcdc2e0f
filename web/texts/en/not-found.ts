export const notFound = {
  meta: {
    title: 'Page not found: Mayfly',
    description: 'This page does not exist.',
  },
  code: '404',
  message: "Oops! This page doesn't exist",
  remedy: 'The address may be mistyped, or the page has moved on.',
  home: 'Return to Home',
  offlineTitle: 'You are offline',
  offlineText:
    'This page was not kept on your device. Once you are connected again, reload it: your address and its mail are waiting as long as their time runs.',
  reload: 'Try again',
}

export type NotFoundTexts = typeof notFound
