import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

const TEXT = /\.(js|css|svg|json|webmanifest|txt|html)$/

const packers = {
  br: (/** @type {Buffer} */ text) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gz: (/** @type {Buffer} */ text) => promisify(gzip)(text, { level: 9 }),
}

/**
 * Writes a `.br` and a `.gz` next to each text file of a folder if they are smaller. The slowest compression level is
 * used: assets are compressed once per build, not per request.
 * @param {string} folder
 */
export async function compressAssets(folder) {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(names.filter((name) => TEXT.test(name)).map((name) => compress(join(folder, name))))
}

/** @param {string} file */
async function compress(file) {
  const text = await readFile(file)
  for (const [ending, pack] of Object.entries(packers)) {
    const compressed = await pack(text)
    if (compressed.length < text.length) await writeFile(`${file}.${ending}`, compressed)
  }
}
