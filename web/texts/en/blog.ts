export const blog = {
  meta: {
    title: 'Privacy and security, explained: Mayfly',
    description: 'Plain articles on temporary email, spam, phishing and keeping your inbox your own.',
  },
  title: 'Blog',
  intro: 'Plain articles on temporary mail, privacy and the tricks to watch out for.',
  breadcrumb: 'You are here',
  home: 'Home',
  blog: 'Blog',
  empty: 'No blog posts yet. Check back soon!',
  readMore: 'Read More',
  readMoreAbout: (p: { title: string }) => `: ${p.title}`,
  views: (p: { count: number }) => `${new Intl.NumberFormat('en').format(p.count)} ${p.count === 1 ? 'view' : 'views'}`,
  published: 'Published',
  callToAction: {
    title: 'A free address, ready now',
    text: 'No registration. It receives mail for %lifetime% and then it is gone.',
    button: 'Generate a free address',
    /** For a visitor who has an address. */
    live: {
      label: 'Your address',
      title: (p: { time: string }) => `Your address is live: ${p.time} left`,
      button: 'Back to my inbox',
    },
  },
  faq: 'Questions and answers',
  author: 'About the author',
  related: 'Related articles',
  backToAll: 'Back to all articles',
}
