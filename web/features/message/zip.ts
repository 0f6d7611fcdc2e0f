/** A ZIP archive without compression, as attachments are mostly compressed already. */
import { downloadZip } from 'client-zip'

type ZipFile = { readonly name: string; readonly bytes: ArrayBuffer }

/** The first day of the format, because nobody needs to know when a file was made. */
const NO_DATE = new Date(1980, 0, 1)

/** Two files of one name get a number, and no name leads out of the folder it is unpacked in. */
export function zip(files: readonly ZipFile[]): Promise<ArrayBuffer> {
  const names = uniqueNames(files.map(file => file.name))
  return writeZip(files.map(({ bytes }, index) => ({ name: names[index] ?? '', bytes })))
}

/** For names that are trusted: a slash in one makes a folder. */
export function writeZip(files: readonly ZipFile[]): Promise<ArrayBuffer> {
  return downloadZip(files.map(({ name, bytes }) => ({ name, input: bytes, lastModified: NO_DATE }))).arrayBuffer()
}

function uniqueNames(given: readonly string[]): string[] {
  const taken = new Set<string>()
  return given.map(raw => {
    const name = raw.replace(/[/\\\0]/g, '_').replace(/^\.+$/, '_') || '_'
    let unique = name
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = name.replace(/(\.[^.]*)?$/, `-${count}$1`)
    taken.add(unique.toLowerCase())
    return unique
  })
}
