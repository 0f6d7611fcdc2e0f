import type { BlogTexts } from '../en/blog.ts'

export const blog: BlogTexts = {}
