/** How far the cells of a mail's tables may reach. */

/** A browser lays out each row of a table anew for each cell that reaches into it. */
const ROWS_MAX = 100
/**
 * Places that the cells of a mail fill besides their own. Firefox makes an entry for each: 72 KB of cells that fill the most that HTML
 * allows, a thousand columns of each row, took it six minutes. Of the mails of the corpora none fills more than 18.
 */
const PLACES_MAX = 20_000

/** What is left for the spans of one mail. */
export class SpanBudget {
  #left = PLACES_MAX

  /** By the properties, which read the attributes as a browser does: `65534x` is a number there, and 0 rows are all that follow. */
  limit(cell: HTMLTableCellElement): void {
    const rows = Math.min(cell.rowSpan || ROWS_MAX, ROWS_MAX)
    const places = cell.colSpan * rows - 1
    if (places > this.#left) {
      cell.removeAttribute('colspan')
      cell.removeAttribute('rowspan')
      return
    }
    this.#left -= places
    if (rows !== cell.rowSpan) cell.rowSpan = rows
  }
}
