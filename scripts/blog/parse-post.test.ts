import { expect, test } from 'vitest'
import { parsePost } from './parse-post.ts'

const head = {
  id: 'a-post',
  title: 'Title: with a colon',
  description: 'About it',
  date: '1 May 2025',
  published: '2025-05-01',
  readTime: '5 min read',
  category: 'Privacy',
  heroImage: 'letter-boat',
  ogImage: 'blog-a-post',
  imageAlt: 'A boat',
  authorName: 'A',
  authorRole: 'B',
  authorBio: 'C',
}
const questions = [1, 2, 3].map(n => `  - question: Is it ${n}?\n    answer: It is: ${n}.`).join('\n')

function writePost(fields: Record<string, string>, faq = questions): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`)
  return `---\n${lines.join('\n')}\nfaq:\n${faq}\n---\n\nText with --- inside.\n`
}

test('reads fields, questions and text', () => {
  const post = parsePost(writePost(head))
  expect(post.meta).toEqual(head)
  expect(post.faq).toEqual([1, 2, 3].map(n => ({ question: `Is it ${n}?`, answer: `It is: ${n}.` })))
  expect(post.body).toBe('\nText with --- inside.\n')
})

test.each([
  ['an unknown field', { ...head, tags: 'x' }],
  ['an unknown category', { ...head, category: 'Sport' }],
  ['an unknown drawing', { ...head, heroImage: 'photo.jpg' }],
  ['a day that is not ISO 8601', { ...head, published: '1 May 2025' }],
  ['an empty title', { ...head, title: ' ' }],
])('refuses %s', (_, fields) => {
  expect(() => parsePost(writePost(fields))).toThrow()
})

test('refuses a post without exactly three questions', () => {
  expect(() => parsePost(writePost(head, questions.split('\n').slice(2).join('\n')))).toThrow()
})

test('refuses a file without front matter', () => {
  expect(() => parsePost('# Title\n')).toThrow('between two lines')
})
