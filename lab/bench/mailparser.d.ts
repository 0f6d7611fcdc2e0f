declare module 'mailparser' {
  /** The few types that the comparison uses. */
  export function simpleParser(
    raw: Buffer,
    options: Record<'skipHtmlToText' | 'skipTextToHtml' | 'skipImageLinks' | 'skipTextLinks', boolean>,
  ): Promise<{ subject?: string; text?: string; attachments: unknown[] }>
}
