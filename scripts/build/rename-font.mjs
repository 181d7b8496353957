/**
 * Name IDs of the `name` table to change: family, unique name, full name, PostScript name and their typographic
 * variants.
 */
const CALLED = [1, 3, 4, 6, 16, 18, 21]
/** Platform ID with one byte per character; the other platforms use two. */
const ONE_BYTE = 1

/**
 * Renames a TrueType font to a name of the same length. The SIL Open Font License requires another name for a modified
 * font with a reserved name; copyright and licence entries are unchanged.
 * @param {Buffer} font
 * @param {{ from: string, to: string }} names
 * @returns {Buffer}
 */
export function renamed(font, { from, to }) {
  if (from.length !== to.length) throw new Error(`Invalid font name "${to}": length differs from "${from}"`)
  const file = Buffer.from(font)
  const start = nameTableIn(file)
  const texts = start + file.readUInt16BE(start + 4)
  for (let nth = 0; nth < file.readUInt16BE(start + 2); nth++) {
    const record = start + 6 + nth * 12
    if (!CALLED.includes(file.readUInt16BE(record + 6))) continue
    const at = texts + file.readUInt16BE(record + 10)
    const text = file.subarray(at, at + file.readUInt16BE(record + 8))
    const written = file.readUInt16BE(record) === ONE_BYTE ? Buffer.from : twoBytes
    replace(text, written(from), written(to))
  }
  return file
}

/** @param {Buffer} file */
function nameTableIn(file) {
  const tables = Array.from({ length: file.readUInt16BE(4) }, (_, nth) => 12 + nth * 16)
  const table = tables.find((at) => file.toString("latin1", at, at + 4) === "name")
  if (table === undefined) throw new Error("Font has no name table")
  return file.readUInt32BE(table + 8)
}

/** @param {string} text */
function twoBytes(text) {
  return Buffer.from(text, "utf16le").swap16()
}

/**
 * @param {Buffer} text
 * @param {Buffer} from
 * @param {Buffer} to
 */
function replace(text, from, to) {
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + to.length)) to.copy(text, at)
}
