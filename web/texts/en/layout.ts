/** The header, and what every page shares. */
export const layout = {
  skip: 'Skip to content',
  blog: 'Blog',
  contact: 'Contact',
  pro: 'Pro',
  account: 'Account',
  mainNavigation: 'Main',
  language: 'Language',
  close: 'Close',
  dismiss: 'Dismiss',
  undo: 'Undo',
  copy: 'Copy',
  copied: 'Copied',
  notifications: 'Notifications',
  offline: 'You are offline. What is on the screen stays; new mail appears when the connection is back.',
  pageFailed: {
    title: 'This page did not load',
    text: 'The connection broke off, or Mayfly has just been updated. Reload the page: your address and its mail are kept.',
    reload: 'Reload',
  },
}

export type LayoutTexts = typeof layout
