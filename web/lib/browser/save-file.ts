/** Saves bytes or a URL as a download, never as a page of this site. */

export function saveBytes(bytes: ArrayBuffer, filename: string, contentType: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: contentType }))
  saveUrl(url, filename)
  // Long enough for the download to start, even on a slow phone.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** For a URL whose response is an attachment: opens a tab, which the download closes again. */
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
