declare module 'mailparser' {
  /** The little of it that the comparison uses. */
  export function simpleParser(
    raw: Buffer,
    options: Record<'skipHtmlToText' | 'skipTextToHtml' | 'skipImageLinks' | 'skipTextLinks', boolean>,
  ): Promise<{ subject?: string; text?: string; attachments: unknown[] }>
}
