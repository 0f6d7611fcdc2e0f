/** Hands bytes or a URL to the browser's downloads, never to a page of ours. */

export function saveBytes(bytes: ArrayBuffer, filename: string, contentType: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: contentType }))
  saveUrl(url, filename)
  // Long enough for the download to have begun, also on a slow phone.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** For a URL whose answer is an attachment: a tab of its own, which the download closes again. */
export function openDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  link.click()
}

function saveUrl(url: string, filename: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
}
