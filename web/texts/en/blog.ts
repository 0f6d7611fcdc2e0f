export const blog = {}

export type BlogTexts = typeof blog
