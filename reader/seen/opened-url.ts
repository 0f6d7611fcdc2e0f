/**
 * The URL of an attribute without what browsers leave out (URL standard): blanks and control characters around it, tabs and line breaks
 * within.
 */
export function openedUrl(value: string): string {
  let end = value.length
  while (end > 0 && value.charCodeAt(end - 1) <= 0x20) end--
  return value
    .slice(0, end)
    .replace(/^[^!-\uffff]+/, '')
    .replace(/[\t\n\r]/g, '')
}
